import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Why somebody wants access, in their own words; and rules that demand it. */
export class Reasons1766200000000 implements MigrationInterface {
  name = 'Reasons1766200000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sessions ADD COLUMN reason text;
      ALTER TABLE reviews ADD COLUMN reason text;
      ALTER TABLE connection_credentials ADD COLUMN reason text;
      ALTER TABLE access_request_rules ADD COLUMN reason_required boolean NOT NULL DEFAULT false;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE access_request_rules DROP COLUMN reason_required;
      ALTER TABLE connection_credentials DROP COLUMN reason;
      ALTER TABLE reviews DROP COLUMN reason;
      ALTER TABLE sessions DROP COLUMN reason;
    `);
  }
}
