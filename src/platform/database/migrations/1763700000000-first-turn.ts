import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Organizations, people, connections, rules, sessions and their recordings.
 *
 * - Every table has `org_id`, and foreign keys between resources carry it, so a row can never point into
 *   another organization.
 * - `gateway_changes` is the channel on which every gateway hears that a row it may have cached is stale;
 *   triggers send it, so a change made by hand in SQL is heard too.
 * - Recordings are append-only: the database itself refuses to change or remove a chunk.
 */
export class FirstTurn1763700000000 implements MigrationInterface {
  name = 'FirstTurn1763700000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE organizations (
        id         uuid        NOT NULL DEFAULT gen_random_uuid(),
        name       text        NOT NULL,
        features   jsonb       NOT NULL DEFAULT '{"access_control": false, "review": true}',
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT organizations_pk PRIMARY KEY (id),
        CONSTRAINT organizations_name_unique UNIQUE (name)
      );
      INSERT INTO organizations (name) VALUES ('default');

      CREATE TABLE users (
        id               uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id           uuid        NOT NULL,
        subject          text        NOT NULL,
        email            text        NOT NULL,
        name             text        NOT NULL,
        status           text        NOT NULL DEFAULT 'active',
        groups_synced_at timestamptz,
        created_at       timestamptz NOT NULL DEFAULT now(),
        updated_at       timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT users_pk PRIMARY KEY (id),
        CONSTRAINT users_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT users_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT users_subject_unique UNIQUE (org_id, subject),
        CONSTRAINT users_status_check CHECK (status IN ('active', 'inactive'))
      );

      CREATE TABLE user_groups (
        org_id     uuid NOT NULL,
        user_id    uuid NOT NULL,
        group_name text NOT NULL,
        source     text NOT NULL,
        CONSTRAINT user_groups_pk PRIMARY KEY (user_id, group_name, source),
        CONSTRAINT user_groups_user_fk FOREIGN KEY (org_id, user_id) REFERENCES users (org_id, id) ON DELETE CASCADE,
        CONSTRAINT user_groups_source_check CHECK (source IN ('idp', 'manual'))
      );
      CREATE INDEX user_groups_group_index ON user_groups (org_id, group_name);

      CREATE TABLE login_states (
        org_id        uuid        NOT NULL,
        state_hash    bytea       NOT NULL,
        browser_hash  bytea,
        code_verifier text        NOT NULL,
        nonce         text        NOT NULL,
        redirect      text        NOT NULL,
        expires_at    timestamptz NOT NULL,
        CONSTRAINT login_states_pk PRIMARY KEY (state_hash),
        CONSTRAINT login_states_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE INDEX login_states_expires_index ON login_states (expires_at);
    `);
    await db.query(`
      CREATE TABLE connections (
        id                   uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id               uuid        NOT NULL,
        name                 text        NOT NULL,
        type                 text        NOT NULL,
        subtype              text        NOT NULL,
        description          text        NOT NULL DEFAULT '',
        secret               bytea       NOT NULL,
        secret_names         text[]      NOT NULL,
        connection_tags      jsonb       NOT NULL DEFAULT '{}',
        attributes           text[]      NOT NULL DEFAULT '{}',
        access_groups        text[]      NOT NULL DEFAULT '{}',
        access_mode_connect  text        NOT NULL DEFAULT 'enabled',
        access_mode_exec     text        NOT NULL DEFAULT 'enabled',
        access_mode_runbooks text        NOT NULL DEFAULT 'enabled',
        access_schema        text        NOT NULL DEFAULT 'enabled',
        resource_name        text        NOT NULL DEFAULT '',
        status               text        NOT NULL DEFAULT 'online',
        managed_by           text,
        created_at           timestamptz NOT NULL DEFAULT now(),
        updated_at           timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT connections_pk PRIMARY KEY (id),
        CONSTRAINT connections_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT connections_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT connections_name_unique UNIQUE (org_id, name),
        CONSTRAINT connections_modes_check CHECK (
          access_mode_connect IN ('enabled', 'disabled') AND access_mode_exec IN ('enabled', 'disabled') AND
          access_mode_runbooks IN ('enabled', 'disabled') AND access_schema IN ('enabled', 'disabled')),
        CONSTRAINT connections_status_check CHECK (status IN ('online', 'offline'))
      );

      CREATE TABLE guardrail_rules (
        id              uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id          uuid        NOT NULL,
        name            text        NOT NULL,
        description     text        NOT NULL DEFAULT '',
        input           jsonb       NOT NULL,
        output          jsonb       NOT NULL,
        attributes      text[]      NOT NULL DEFAULT '{}',
        managed_by      text,
        sidecar_spec    jsonb,
        sidecar_targets jsonb       NOT NULL DEFAULT '[]',
        created_at      timestamptz NOT NULL DEFAULT now(),
        updated_at      timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT guardrail_rules_pk PRIMARY KEY (id),
        CONSTRAINT guardrail_rules_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT guardrail_rules_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT guardrail_rules_name_unique UNIQUE (org_id, name)
      );
      CREATE INDEX guardrail_rules_attributes_index ON guardrail_rules USING gin (attributes);

      CREATE TABLE guardrail_connections (
        org_id        uuid NOT NULL,
        rule_id       uuid NOT NULL,
        connection_id uuid NOT NULL,
        CONSTRAINT guardrail_connections_pk PRIMARY KEY (rule_id, connection_id),
        CONSTRAINT guardrail_connections_rule_fk FOREIGN KEY (org_id, rule_id)
          REFERENCES guardrail_rules (org_id, id) ON DELETE CASCADE,
        CONSTRAINT guardrail_connections_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX guardrail_connections_connection_index ON guardrail_connections (org_id, connection_id);

      CREATE TABLE access_request_rules (
        id                       uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id                   uuid        NOT NULL,
        name                     text        NOT NULL,
        description              text        NOT NULL DEFAULT '',
        access_type              text        NOT NULL,
        access_max_duration      integer,
        all_groups_must_approve  boolean     NOT NULL DEFAULT false,
        approval_required_groups text[]      NOT NULL DEFAULT '{}',
        reviewers_groups         text[]      NOT NULL,
        force_approval_groups    text[]      NOT NULL DEFAULT '{}',
        skip_review_groups       text[]      NOT NULL DEFAULT '{}',
        min_approvals            integer,
        attributes               text[]      NOT NULL DEFAULT '{}',
        connection_names         text[]      NOT NULL DEFAULT '{}',
        managed_by               text,
        created_at               timestamptz NOT NULL DEFAULT now(),
        updated_at               timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT access_request_rules_pk PRIMARY KEY (id),
        CONSTRAINT access_request_rules_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT access_request_rules_name_unique UNIQUE (org_id, name),
        CONSTRAINT access_request_rules_type_check CHECK (access_type IN ('jit', 'command', 'jit_command')),
        CONSTRAINT access_request_rules_duration_check CHECK (access_max_duration BETWEEN 60 AND 172800),
        CONSTRAINT access_request_rules_target_check CHECK (cardinality(attributes) + cardinality(connection_names) > 0),
        CONSTRAINT access_request_rules_reviewers_check CHECK (cardinality(reviewers_groups) > 0)
      );
      CREATE INDEX access_request_rules_page_index ON access_request_rules (org_id, created_at DESC, id DESC);
      CREATE INDEX access_request_rules_connections_index ON access_request_rules USING gin (connection_names);
      CREATE INDEX access_request_rules_attributes_index ON access_request_rules USING gin (attributes);
    `);
    await db.query(`
      CREATE TABLE sessions (
        id                     uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id                 uuid        NOT NULL,
        gateway_id             uuid,
        status                 text        NOT NULL,
        verb                   text        NOT NULL,
        type                   text        NOT NULL,
        connection_id          uuid        NOT NULL,
        connection_name        text        NOT NULL,
        connection_subtype     text        NOT NULL,
        connection_tags        jsonb       NOT NULL DEFAULT '{}',
        resource_name          text        NOT NULL DEFAULT '',
        identity_type          text        NOT NULL,
        user_subject           text        NOT NULL,
        user_email             text        NOT NULL,
        user_name              text        NOT NULL,
        start_date             timestamptz NOT NULL DEFAULT now(),
        end_date               timestamptz,
        exit_code              integer,
        script                 text,
        script_size            bigint      NOT NULL DEFAULT 0,
        event_size             bigint      NOT NULL DEFAULT 0,
        events_received        bigint      NOT NULL DEFAULT 0,
        events_stored          bigint      NOT NULL DEFAULT 0,
        guardrails_checked     integer     NOT NULL DEFAULT 0,
        guardrails_blocked     integer     NOT NULL DEFAULT 0,
        guardrails_info        jsonb       NOT NULL DEFAULT '[]',
        session_batch_id       text,
        correlation_id         text,
        ai_analysis            jsonb,
        integrations_metadata  jsonb       NOT NULL DEFAULT '{}',
        labels                 jsonb       NOT NULL DEFAULT '{}',
        metadata               jsonb       NOT NULL DEFAULT '{}',
        CONSTRAINT sessions_pk PRIMARY KEY (id),
        CONSTRAINT sessions_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT sessions_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT sessions_status_check CHECK (status IN ('open', 'ready', 'done')),
        CONSTRAINT sessions_verb_check CHECK (verb IN ('connect', 'exec')),
        CONSTRAINT sessions_identity_check CHECK (identity_type IN ('user', 'machine')),
        CONSTRAINT sessions_done_has_end_check CHECK ((status = 'done') = (end_date IS NOT NULL))
      );
      CREATE INDEX sessions_page_index ON sessions (org_id, start_date DESC, id DESC);
      CREATE INDEX sessions_unfinished_index ON sessions (org_id, gateway_id) WHERE status <> 'done';

      CREATE TABLE session_chunks (
        org_id      uuid        NOT NULL,
        session_id  uuid        NOT NULL,
        seq         integer     NOT NULL,
        event_count integer     NOT NULL,
        raw_size    integer     NOT NULL,
        payload     bytea       NOT NULL,
        previous    bytea       NOT NULL,
        hash        bytea       NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT session_chunks_pk PRIMARY KEY (session_id, seq),
        CONSTRAINT session_chunks_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id)
      );
      ALTER TABLE session_chunks ALTER COLUMN payload SET STORAGE EXTERNAL;

      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER session_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_chunks
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      CREATE TABLE reviews (
        id                       uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id                   uuid        NOT NULL,
        session_id               uuid        NOT NULL,
        type                     text        NOT NULL,
        status                   text        NOT NULL,
        access_duration          integer     NOT NULL DEFAULT 0,
        access_request_rule_name text        NOT NULL,
        min_approvals            integer     NOT NULL,
        force_approval_groups    text[]      NOT NULL DEFAULT '{}',
        input_hash               bytea       NOT NULL,
        time_window              jsonb,
        rejection_reason         text,
        revoke_at                timestamptz,
        expires_at               timestamptz NOT NULL,
        created_at               timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT reviews_pk PRIMARY KEY (id),
        CONSTRAINT reviews_org_id_unique UNIQUE (org_id, id),
        CONSTRAINT reviews_session_unique UNIQUE (session_id),
        CONSTRAINT reviews_session_fk FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id),
        CONSTRAINT reviews_type_check CHECK (type IN ('onetime', 'jit')),
        CONSTRAINT reviews_status_check CHECK (status IN
          ('PENDING', 'APPROVED', 'REJECTED', 'REVOKED', 'PROCESSING', 'EXECUTED', 'EXPIRED', 'UNKNOWN'))
      );
      CREATE INDEX reviews_pending_index ON reviews (org_id, expires_at) WHERE status = 'PENDING';

      CREATE TABLE review_groups (
        id            uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id        uuid        NOT NULL,
        review_id     uuid        NOT NULL,
        group_name    text        NOT NULL,
        status        text        NOT NULL DEFAULT 'PENDING',
        forced_review boolean     NOT NULL DEFAULT false,
        review_date   timestamptz,
        reviewed_by   jsonb,
        CONSTRAINT review_groups_pk PRIMARY KEY (id),
        CONSTRAINT review_groups_group_unique UNIQUE (review_id, group_name),
        CONSTRAINT review_groups_review_fk FOREIGN KEY (org_id, review_id) REFERENCES reviews (org_id, id)
      );
    `);
    await db.query(`
      CREATE FUNCTION tell_gateways() RETURNS trigger LANGUAGE plpgsql AS $$
      DECLARE changed jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
      BEGIN
        PERFORM pg_notify('gateway_changes', TG_TABLE_NAME || ':' || (changed ->> TG_ARGV[0]));
        RETURN NULL;
      END $$;
      CREATE TRIGGER organizations_tell AFTER UPDATE ON organizations
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER users_tell AFTER UPDATE OR DELETE ON users
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER user_groups_tell AFTER INSERT OR UPDATE OR DELETE ON user_groups
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('user_id');
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE review_groups, reviews, session_chunks, sessions, access_request_rules, guardrail_connections,
        guardrail_rules, connections, login_states, user_groups, users, organizations;
      DROP FUNCTION tell_gateways, refuse_change;
    `);
  }
}
