import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who forces an approval may say why; and reviewers see earlier requests that were approved, without reading all of the requester's. */
export class ReviewContext1766850000000 implements MigrationInterface {
  name = 'ReviewContext1766850000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE reviews ADD COLUMN force_reason text;
      CREATE INDEX reviews_approved_index ON reviews (org_id, requester_type, requester_id, connection_id, created_at DESC, id DESC)
        WHERE approved_at IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX reviews_approved_index;
      ALTER TABLE reviews DROP COLUMN force_reason;
    `);
  }
}
