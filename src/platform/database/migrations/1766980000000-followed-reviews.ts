import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Gateways are told of every change of a review: its requester and its reviewers may follow it (`reviews/stream`). */
export class FollowedReviews1766980000000 implements MigrationInterface {
  name = 'FollowedReviews1766980000000';

  async up(db: QueryRunner): Promise<void> {
    // Rows of groups have what each vote changes; a vote that is not the last one leaves the review as it is.
    await db.query(`
      CREATE TRIGGER reviews_tell AFTER INSERT OR UPDATE ON reviews
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER review_groups_tell AFTER INSERT OR UPDATE OR DELETE ON review_groups
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('review_id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER reviews_tell ON reviews;
      DROP TRIGGER review_groups_tell ON review_groups;
    `);
  }
}
