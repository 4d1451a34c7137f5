import type { MigrationInterface, QueryRunner } from 'typeorm';

/** People of a connection's emergency groups open their own requests. None of them escapes the second look: the database keeps it. */
export class EmergencyAccess1766960000000 implements MigrationInterface {
  name = 'EmergencyAccess1766960000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connections ADD COLUMN emergency_access_groups text[] NOT NULL DEFAULT '{}';
      ALTER TABLE reviews
        ADD COLUMN emergency boolean NOT NULL DEFAULT false,
        ADD CONSTRAINT reviews_emergency_check CHECK (NOT emergency OR after_review IS NOT NULL AND force_reason IS NOT NULL);
      CREATE INDEX reviews_emergency_index ON reviews (org_id, id) WHERE emergency AND status = 'APPROVED';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX reviews_emergency_index;
      ALTER TABLE reviews DROP COLUMN emergency;
      ALTER TABLE connections DROP COLUMN emergency_access_groups;
    `);
  }
}
