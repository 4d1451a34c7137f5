import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who asked for the end of a session, for whoever is told of what ends with it. */
export class StoppedBy1765500000000 implements MigrationInterface {
  name = 'StoppedBy1765500000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE sessions ADD COLUMN stopped_by jsonb');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE sessions DROP COLUMN stopped_by');
  }
}
