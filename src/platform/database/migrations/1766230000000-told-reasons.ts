import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Events of sessions tell why the session was wanted: the function of the migration `Events`, with one field more. */
export class ToldReasons1766230000000 implements MigrationInterface {
  name = 'ToldReasons1766230000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(tellOfSession(`'reason', NEW.reason,`));
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(tellOfSession(''));
  }
}

function tellOfSession(more: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      facts jsonb;
    BEGIN
      IF NOT EXISTS (SELECT FROM webhooks WHERE org_id = NEW.org_id AND enabled
          AND events && ARRAY['session.started', 'session.blocked', 'session.ended']) THEN
        RETURN NULL;
      END IF;
      facts := jsonb_build_object(
        'session_id', NEW.id,
        'connection', jsonb_build_object('id', NEW.connection_id, 'name', NEW.connection_name,
          'subtype', NEW.connection_subtype),
        'user', jsonb_build_object('id', NEW.user_subject, 'email', NEW.user_email, 'name', NEW.user_name,
          'identity_type', NEW.identity_type),
        'verb', NEW.verb,
        'credential_id', NEW.credential_id,
        'correlation_id', NEW.correlation_id,
        ${more}
        'started_at', event_time(NEW.start_date));
      IF TG_OP = 'INSERT' THEN
        PERFORM leave_event(NEW.org_id, 'session.started', NEW.id, facts);
        RETURN NULL;
      END IF;
      -- What blocked a session comes before its end.
      IF NEW.guardrails_blocked > OLD.guardrails_blocked THEN
        PERFORM leave_event(NEW.org_id, 'session.blocked', NEW.id, facts || jsonb_build_object(
          'blocked', NEW.guardrails_blocked - OLD.guardrails_blocked,
          'rules', rules_that_hit(NEW.guardrails_info, jsonb_array_length(OLD.guardrails_info))));
      END IF;
      IF NEW.status = 'done' AND OLD.status <> 'done' THEN
        PERFORM leave_event(NEW.org_id, 'session.ended', NEW.id, facts || jsonb_build_object(
          'ended_at', event_time(NEW.end_date),
          'exit_code', NEW.exit_code,
          'guardrails', jsonb_build_object('checked', NEW.guardrails_checked, 'blocked', NEW.guardrails_blocked)));
      END IF;
      RETURN NULL;
    END $$`;
}
