import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Forced approvals wait for a second look, until a person who did not use them signs them off. */
export class AfterReviews1766950000000 implements MigrationInterface {
  name = 'AfterReviews1766950000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE reviews
        ADD COLUMN after_review text CONSTRAINT reviews_after_review_check CHECK (after_review IN ('open', 'signed_off')),
        ADD COLUMN sign_off jsonb,
        ADD CONSTRAINT reviews_sign_off_check CHECK ((sign_off IS NOT NULL) = (after_review IS NOT DISTINCT FROM 'signed_off'));
      CREATE INDEX reviews_after_index ON reviews (org_id, after_review, created_at, id) WHERE after_review IS NOT NULL;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP INDEX reviews_after_index;
      ALTER TABLE reviews DROP COLUMN sign_off, DROP COLUMN after_review;
    `);
  }
}
