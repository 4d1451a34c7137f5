import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What others are told: subscriptions, events, and how far each event has come with each of them. */
export class Events1765000000000 implements MigrationInterface {
  name = 'Events1765000000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE webhooks (
        id               uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id           uuid        NOT NULL,
        url              text        NOT NULL,
        description      text        NOT NULL DEFAULT '',
        events           text[]      NOT NULL,
        format           text        NOT NULL DEFAULT 'standard',
        enabled          boolean     NOT NULL DEFAULT true,
        disabled_reason  text,
        secret           bytea       NOT NULL,
        version          integer     NOT NULL DEFAULT 1,
        created_at       timestamptz NOT NULL DEFAULT now(),
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT webhooks_pk PRIMARY KEY (id),
        CONSTRAINT webhooks_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT webhooks_format_check CHECK (format IN ('standard', 'slack', 'teams')),
        CONSTRAINT webhooks_events_check CHECK (cardinality(events) > 0),
        CONSTRAINT webhooks_disabled_check CHECK (NOT enabled OR disabled_reason IS NULL)
      );
      CREATE INDEX webhooks_page_index ON webhooks (org_id, created_at DESC, id DESC);

      CREATE TABLE outbox (
        id         uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id     uuid        NOT NULL,
        position   bigint      NOT NULL GENERATED ALWAYS AS IDENTITY,
        type       text        NOT NULL,
        subject    uuid        NOT NULL,
        data       jsonb       NOT NULL,
        created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT outbox_pk PRIMARY KEY (id)
      );
      CREATE INDEX outbox_created_index ON outbox (created_at);

      -- No foreign keys: whoever records a session must never wait for an admin who deletes a webhook. What has lost
      -- its webhook is sent to nobody, and cleared away.
      CREATE TABLE webhook_deliveries (
        id              uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id          uuid        NOT NULL,
        webhook_id      uuid        NOT NULL,
        event_id        uuid        NOT NULL,
        event_type      text        NOT NULL,
        subject         uuid        NOT NULL,
        position        bigint      NOT NULL,
        state           text        NOT NULL DEFAULT 'pending',
        attempts        integer     NOT NULL DEFAULT 0,
        queued_at       timestamptz NOT NULL DEFAULT clock_timestamp(),
        next_attempt_at timestamptz,
        lease           uuid,
        last_attempt_at timestamptz,
        last_status     integer,
        last_error      text,
        created_at      timestamptz NOT NULL DEFAULT clock_timestamp(),
        finished_at     timestamptz,
        CONSTRAINT webhook_deliveries_pk PRIMARY KEY (id),
        CONSTRAINT webhook_deliveries_state_check CHECK (state IN ('pending', 'delivered', 'dead')),
        CONSTRAINT webhook_deliveries_finished_check CHECK ((state = 'pending') = (finished_at IS NULL)),
        CONSTRAINT webhook_deliveries_next_check CHECK (state = 'pending' OR (next_attempt_at IS NULL AND lease IS NULL))
      );
      CREATE INDEX webhook_deliveries_page_index ON webhook_deliveries (org_id, webhook_id, created_at DESC, id DESC);
      CREATE INDEX webhook_deliveries_due_index ON webhook_deliveries (webhook_id, next_attempt_at)
        WHERE next_attempt_at IS NOT NULL;
      CREATE INDEX webhook_deliveries_queue_index ON webhook_deliveries (webhook_id, subject, position)
        WHERE state = 'pending';
      CREATE INDEX webhook_deliveries_state_index ON webhook_deliveries (org_id, webhook_id, state, created_at, id);
      CREATE INDEX webhook_deliveries_event_index ON webhook_deliveries (event_id);
    `);
    await this.queue(db);
    await this.tellOfSessions(db);
  }

  /** One queue for each webhook and subject: only the first of it has a time at which it is due. */
  private async queue(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION event_wanted(org uuid, kind text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
      BEGIN
        RETURN EXISTS (SELECT FROM webhooks WHERE org_id = org AND enabled AND kind = ANY (events));
      END $$;

      -- Leaves word of something, if anybody wants to hear of it.
      CREATE FUNCTION leave_event(org uuid, kind text, about uuid, facts jsonb) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF event_wanted(org, kind) THEN
          INSERT INTO outbox (org_id, type, subject, data) VALUES (org, kind, about, facts);
        END IF;
      END $$;

      -- When a delivery that joins a queue is due; null: after the one before it. That one is locked until the caller
      -- commits, so that it cannot leave the queue without seeing who comes next.
      CREATE FUNCTION delivery_turn(webhook uuid, queue uuid) RETURNS timestamptz LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM webhook_deliveries
          WHERE webhook_id = webhook AND subject = queue AND state = 'pending'
          ORDER BY position DESC LIMIT 1 FOR SHARE;
        RETURN CASE WHEN NOT FOUND THEN clock_timestamp() END;
      END $$;

      CREATE FUNCTION queue_event() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO webhook_deliveries (org_id, webhook_id, event_id, event_type, subject, position, next_attempt_at)
          SELECT NEW.org_id, id, NEW.id, NEW.type, NEW.subject, NEW.position, delivery_turn(id, NEW.subject)
          FROM webhooks WHERE org_id = NEW.org_id AND enabled AND NEW.type = ANY (events);
        IF FOUND THEN PERFORM pg_notify('gateway_changes', 'webhook_deliveries:'); END IF;
        RETURN NULL;
      END $$;
      CREATE TRIGGER outbox_queue AFTER INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION queue_event();

      -- Whoever leaves a queue calls the next one. A function of its own takes a new look, which a part of the
      -- statement that changed the row would not.
      CREATE FUNCTION call_next_delivery() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE webhook_deliveries SET next_attempt_at = clock_timestamp()
          WHERE next_attempt_at IS NULL AND id = (
            SELECT id FROM webhook_deliveries
            WHERE webhook_id = OLD.webhook_id AND subject = OLD.subject AND state = 'pending'
            ORDER BY position LIMIT 1);
        RETURN NULL;
      END $$;
      CREATE TRIGGER webhook_deliveries_next AFTER UPDATE OF state ON webhook_deliveries
        FOR EACH ROW WHEN (OLD.state = 'pending' AND NEW.state <> 'pending') EXECUTE FUNCTION call_next_delivery();
    `);
  }

  /**
   * Sessions are told of by triggers: in the very statement that opens, moves or ends a row, whoever runs it. Where
   * nobody subscribed, that costs one look at a table that is as good as empty.
   */
  private async tellOfSessions(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION event_time(at timestamptz) RETURNS text LANGUAGE sql IMMUTABLE AS $$
        SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
      $$;

      -- Who did what: what was found is left out. A rule that hit often is told once.
      CREATE FUNCTION rules_that_hit(info jsonb, known integer) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
        SELECT coalesce(jsonb_agg(rule), '[]') FROM (
          SELECT DISTINCT jsonb_build_object(
            'id', hit -> 'rule_id', 'name', hit -> 'rule_name', 'direction', hit -> 'direction') AS rule
          FROM jsonb_array_elements(info) WITH ORDINALITY AS hits (hit, place)
          WHERE place > known LIMIT 20) AS told
      $$;

      -- Fields are named one by one: taken as a whole, the row would bring its script along.
      CREATE FUNCTION tell_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
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
      END $$;
      CREATE TRIGGER sessions_tell_started AFTER INSERT ON sessions
        FOR EACH ROW EXECUTE FUNCTION tell_of_session();
      CREATE TRIGGER sessions_tell_moved AFTER UPDATE OF status, guardrails_blocked ON sessions
        FOR EACH ROW WHEN (
          NEW.guardrails_blocked > OLD.guardrails_blocked OR (NEW.status = 'done' AND OLD.status <> 'done'))
        EXECUTE FUNCTION tell_of_session();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_tell_started ON sessions;
      DROP TRIGGER sessions_tell_moved ON sessions;
      DROP TABLE webhook_deliveries, outbox, webhooks;
      DROP FUNCTION tell_of_session, rules_that_hit, event_time, leave_event, queue_event, call_next_delivery,
        delivery_turn, event_wanted;
    `);
  }
}
