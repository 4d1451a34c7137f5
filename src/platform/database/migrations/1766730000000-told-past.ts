import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Gateways remember counts of sessions that are over (`sessions/search/settled-counts.ts`). They are told when a session comes late into the
 * past, when one that is there changes what it is found by, and when it gets another guardrail hit.
 */
export class ToldPast1766730000000 implements MigrationInterface {
  name = 'ToldPast1766730000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION tell_of_past() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM pg_notify('gateway_changes', TG_TABLE_NAME || ' past:' || NEW.org_id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER sessions_tell_past_insert AFTER INSERT ON sessions FOR EACH ROW
        WHEN (NEW.start_date < clock_timestamp() - interval '1 minute') EXECUTE FUNCTION tell_of_past();
      CREATE TRIGGER sessions_tell_past_update AFTER UPDATE OF status, start_date, org_id, identity_type, user_subject,
          user_email, connection_name, type, verb, session_batch_id, correlation_id ON sessions FOR EACH ROW
        WHEN (OLD.status = 'done' AND (OLD.status, OLD.start_date, OLD.org_id, OLD.identity_type, OLD.user_subject,
          OLD.user_email, OLD.connection_name, OLD.type, OLD.verb, OLD.session_batch_id, OLD.correlation_id)
          IS DISTINCT FROM (NEW.status, NEW.start_date, NEW.org_id, NEW.identity_type, NEW.user_subject,
          NEW.user_email, NEW.connection_name, NEW.type, NEW.verb, NEW.session_batch_id, NEW.correlation_id))
        EXECUTE FUNCTION tell_of_past();
      CREATE TRIGGER session_guardrail_hits_tell_past AFTER INSERT ON session_guardrail_hits FOR EACH ROW
        WHEN (NEW.session_start < clock_timestamp() - interval '1 minute') EXECUTE FUNCTION tell_of_past();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_tell_past_insert ON sessions;
      DROP TRIGGER sessions_tell_past_update ON sessions;
      DROP TRIGGER session_guardrail_hits_tell_past ON session_guardrail_hits;
      DROP FUNCTION tell_of_past;
    `);
  }
}
