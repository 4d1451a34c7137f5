import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The beginning of the script that waits for a review, for lists of reviews. Older reviews have none. */
export class ScriptStarts1767050000000 implements MigrationInterface {
  name = 'ScriptStarts1767050000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE reviews ADD COLUMN script_start text`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`ALTER TABLE reviews DROP COLUMN script_start`);
  }
}
