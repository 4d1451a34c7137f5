import type { MigrationInterface, QueryRunner } from 'typeorm';

const NO_WEBHOOK = `NOT EXISTS (SELECT FROM webhooks WHERE org_id = NEW.org_id AND enabled
  AND events && ARRAY['session.started', 'session.blocked', 'session.ended'])`;

/** As before, but for the condition under which nothing is told. */
function tellOfSession(isUnwanted: string): string {
  return `
    CREATE OR REPLACE FUNCTION tell_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      facts jsonb;
    BEGIN
      IF ${isUnwanted} THEN
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
        'reason', NEW.reason,
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
    END $$;`;
}

/**
 * Events and lines of the audit log are exported to collectors, in the order of the outbox. Each destination has a cursor, and one gateway
 * at a time that sends. While there is a cursor, all events are stored, and a reference to each line of the audit log.
 */
export class EventExport1766905000000 implements MigrationInterface {
  name = 'EventExport1766905000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE export_cursors (
        destination text NOT NULL,
        position    bigint NOT NULL,
        holder      uuid,
        lease_until timestamptz,
        seen_at     timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT export_cursors_pk PRIMARY KEY (destination),
        CONSTRAINT export_cursors_lease_check CHECK ((holder IS NULL) = (lease_until IS NULL))
      );
      CREATE INDEX outbox_position_index ON outbox (position);

      CREATE OR REPLACE FUNCTION event_wanted(org uuid, kind text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN EXISTS (SELECT FROM export_cursors)
          OR EXISTS (SELECT FROM webhooks WHERE org_id = org AND enabled AND kind = ANY (events));
      END $$;

      ${tellOfSession(`NOT EXISTS (SELECT FROM export_cursors) AND ${NO_WEBHOOK}`)}

      CREATE FUNCTION leave_audit_line() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM export_cursors) THEN
          INSERT INTO outbox (org_id, type, subject, data)
            VALUES (NEW.org_id, 'audit.recorded', NEW.org_id, jsonb_build_object('seq', NEW.seq));
        END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER audit_log_leave AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION leave_audit_line();

      -- No webhook may want lines of the audit log, and what looks for one takes locks.
      DROP TRIGGER outbox_queue ON outbox;
      CREATE TRIGGER outbox_queue AFTER INSERT ON outbox FOR EACH ROW
        WHEN (NEW.type <> 'audit.recorded') EXECUTE FUNCTION queue_event();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER audit_log_leave ON audit_log;
      DROP FUNCTION leave_audit_line;
      DELETE FROM outbox WHERE type = 'audit.recorded';
      DROP TRIGGER outbox_queue ON outbox;
      CREATE TRIGGER outbox_queue AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION queue_event();
      CREATE OR REPLACE FUNCTION event_wanted(org uuid, kind text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN EXISTS (SELECT FROM webhooks WHERE org_id = org AND enabled AND kind = ANY (events));
      END $$;
      ${tellOfSession(NO_WEBHOOK)}
      DROP INDEX outbox_position_index;
      DROP TABLE export_cursors;
    `);
  }
}
