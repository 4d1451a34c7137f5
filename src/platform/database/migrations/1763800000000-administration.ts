import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What administration needs: versions for If-Match, attributes, groups and API keys as resources of their own,
 * the audit log, and word to every gateway of each row that one of them may have cached.
 */
export class Administration1763800000000 implements MigrationInterface {
  name = 'Administration1763800000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connections ADD COLUMN version integer NOT NULL DEFAULT 1;
      ALTER TABLE guardrail_rules ADD COLUMN version integer NOT NULL DEFAULT 1;
      ALTER TABLE access_request_rules ADD COLUMN version integer NOT NULL DEFAULT 1;
      CREATE INDEX connections_page_index ON connections (org_id, created_at DESC, id DESC);
      CREATE INDEX connections_attributes_index ON connections USING gin (attributes);
      CREATE INDEX guardrail_rules_page_index ON guardrail_rules (org_id, created_at DESC, id DESC);
      CREATE INDEX users_page_index ON users (org_id, created_at DESC, id DESC);
      CREATE INDEX users_email_index ON users (org_id, lower(email));

      CREATE TABLE attributes (
        org_id      uuid        NOT NULL,
        name        text        NOT NULL,
        description text        NOT NULL DEFAULT '',
        created_at  timestamptz NOT NULL DEFAULT now(),
        updated_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT attributes_pk PRIMARY KEY (org_id, name),
        CONSTRAINT attributes_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      INSERT INTO attributes (org_id, name)
        SELECT org_id, unnest(attributes) FROM connections
        UNION SELECT org_id, unnest(attributes) FROM guardrail_rules
        UNION SELECT org_id, unnest(attributes) FROM access_request_rules;

      CREATE TABLE groups (
        org_id      uuid        NOT NULL,
        name        text        NOT NULL,
        description text        NOT NULL DEFAULT '',
        created_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT groups_pk PRIMARY KEY (org_id, name),
        CONSTRAINT groups_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );

      CREATE TABLE api_keys (
        id         uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id     uuid        NOT NULL,
        name       text        NOT NULL,
        prefix     text        NOT NULL,
        key_hash   bytea       NOT NULL,
        groups     text[]      NOT NULL DEFAULT '{}',
        created_by text        NOT NULL,
        expires_at timestamptz,
        revoked_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT api_keys_pk PRIMARY KEY (id),
        CONSTRAINT api_keys_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT api_keys_hash_unique UNIQUE (key_hash)
      );
      CREATE UNIQUE INDEX api_keys_name_index ON api_keys (org_id, name) WHERE revoked_at IS NULL;
      CREATE INDEX api_keys_page_index ON api_keys (org_id, created_at DESC, id DESC);

      CREATE TABLE audit_log (
        org_id         uuid        NOT NULL,
        seq            bigint      NOT NULL,
        created_at     timestamptz NOT NULL,
        actor_id       text        NOT NULL,
        actor_email    text        NOT NULL,
        actor_type     text        NOT NULL,
        action         text        NOT NULL,
        resource_type  text        NOT NULL,
        resource_id    text        NOT NULL,
        outcome        text        NOT NULL,
        status         integer     NOT NULL,
        client_address text        NOT NULL,
        request_id     text        NOT NULL,
        changes        jsonb       NOT NULL,
        previous       bytea       NOT NULL,
        hash           bytea       NOT NULL,
        CONSTRAINT audit_log_pk PRIMARY KEY (org_id, seq),
        CONSTRAINT audit_log_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT audit_log_outcome_check CHECK (outcome IN ('success', 'denied', 'failed'))
      );
      CREATE INDEX audit_log_actor_index ON audit_log (org_id, actor_id, seq DESC);
      CREATE INDEX audit_log_resource_index ON audit_log (org_id, resource_type, seq DESC);
      CREATE INDEX audit_log_request_index ON audit_log (org_id, request_id);
      CREATE INDEX audit_log_created_index ON audit_log (org_id, created_at DESC);
      CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `);
    const told: [table: string, idColumn: string][] = [
      ['connections', 'id'],
      ['guardrail_rules', 'id'],
      ['guardrail_connections', 'connection_id'],
      ['access_request_rules', 'id'],
      ['api_keys', 'id'],
    ];
    for (const [table, idColumn] of told) {
      await db.query(`
        CREATE TRIGGER ${table}_tell AFTER INSERT OR UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION tell_gateways('${idColumn}')`);
    }
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of ['connections', 'guardrail_rules', 'guardrail_connections', 'access_request_rules']) {
      await db.query(`DROP TRIGGER ${table}_tell ON ${table}`);
    }
    await db.query(`
      DROP TABLE audit_log, api_keys, groups, attributes;
      DROP INDEX connections_page_index, connections_attributes_index, guardrail_rules_page_index, users_page_index,
        users_email_index;
      ALTER TABLE connections DROP COLUMN version;
      ALTER TABLE guardrail_rules DROP COLUMN version;
      ALTER TABLE access_request_rules DROP COLUMN version;
    `);
  }
}
