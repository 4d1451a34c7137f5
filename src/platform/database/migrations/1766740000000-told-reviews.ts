import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gateways also remember the lengths of lists by review (`sessions/search/settled-counts.ts`). They are told when a review of a session that
 * began a while ago changes, and when its oldest session began: `reviews past:<organization> <milliseconds>`. What is remembered only of older
 * sessions still holds. Most decisions are about a session that is not over, of which nothing is remembered.
 *
 * Rows of a granted session are inserted with their session (`list_granted_session`); the trigger of the session sends that message.
 */
export class ToldReviews1766740000000 implements MigrationInterface {
  name = 'ToldReviews1766740000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION tell_of_past_reviews() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('gateway_changes', 'reviews past:' || org_id || ' ' || floor(extract(epoch FROM oldest) * 1000)::bigint)
          FROM (SELECT org_id, min(session_start) AS oldest FROM changed
                WHERE session_id IS NOT NULL AND session_start < clock_timestamp() - interval '1 minute' GROUP BY org_id) AS told;
        RETURN NULL;
      END $$;
      CREATE TRIGGER reviews_tell_past_insert AFTER INSERT ON reviews REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
      CREATE TRIGGER reviews_tell_past_update AFTER UPDATE ON reviews REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
      CREATE TRIGGER review_groups_tell_past_insert AFTER INSERT ON review_groups REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
      CREATE TRIGGER review_groups_tell_past_update AFTER UPDATE ON review_groups REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
      CREATE TRIGGER granted_sessions_tell_past_update AFTER UPDATE ON granted_sessions REFERENCING NEW TABLE AS changed
        FOR EACH STATEMENT EXECUTE FUNCTION tell_of_past_reviews();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER reviews_tell_past_insert ON reviews;
      DROP TRIGGER reviews_tell_past_update ON reviews;
      DROP TRIGGER review_groups_tell_past_insert ON review_groups;
      DROP TRIGGER review_groups_tell_past_update ON review_groups;
      DROP TRIGGER granted_sessions_tell_past_update ON granted_sessions;
      DROP FUNCTION tell_of_past_reviews;
    `);
  }
}
