import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The authorization server of the MCP endpoints: its clients, what people allowed them, and the tokens that came of it. */
export class Authorization1766420000000 implements MigrationInterface {
  name = 'Authorization1766420000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE login_states ADD COLUMN purpose text NOT NULL DEFAULT 'token';

      CREATE TABLE authorization_clients (
        org_id        uuid        NOT NULL,
        id            text        NOT NULL,
        name          text        NOT NULL,
        redirect_uris text[]      NOT NULL,
        created_at    timestamptz NOT NULL,
        used_at       timestamptz,
        CONSTRAINT authorization_clients_pk PRIMARY KEY (id),
        CONSTRAINT authorization_clients_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE INDEX authorization_clients_unused_index ON authorization_clients (org_id, created_at) WHERE used_at IS NULL;

      CREATE TABLE authorization_requests (
        org_id         uuid        NOT NULL,
        id             uuid        NOT NULL,
        browser_hash   bytea       NOT NULL,
        client_id      text        NOT NULL,
        client_name    text,
        redirect_uri   text        NOT NULL,
        client_state   text,
        code_challenge text        NOT NULL,
        connection     text        NOT NULL,
        connection_id  uuid,
        user_id        uuid,
        expires_at     timestamptz NOT NULL,
        CONSTRAINT authorization_requests_pk PRIMARY KEY (id),
        CONSTRAINT authorization_requests_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id)
      );
      CREATE INDEX authorization_requests_expires_index ON authorization_requests (expires_at);

      CREATE TABLE authorizations (
        org_id        uuid        NOT NULL,
        id            uuid        NOT NULL,
        user_id       uuid        NOT NULL,
        connection_id uuid        NOT NULL,
        connection    text        NOT NULL,
        client_id     text        NOT NULL,
        client_name   text        NOT NULL,
        redirect_uri  text        NOT NULL,
        created_at    timestamptz NOT NULL,
        expires_at    timestamptz NOT NULL,
        CONSTRAINT authorizations_pk PRIMARY KEY (id),
        CONSTRAINT authorizations_user_fk FOREIGN KEY (org_id, user_id)
          REFERENCES users (org_id, id) ON DELETE CASCADE,
        CONSTRAINT authorizations_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX authorizations_user_index ON authorizations (org_id, user_id);
      CREATE INDEX authorizations_connection_index ON authorizations (org_id, connection_id);
      CREATE INDEX authorizations_expires_index ON authorizations (expires_at);
      CREATE TRIGGER authorizations_tell AFTER UPDATE OR DELETE ON authorizations
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER authorizations_tell_truncate AFTER TRUNCATE ON authorizations
        FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();

      CREATE TABLE authorization_tokens (
        token_hash       bytea       NOT NULL,
        authorization_id uuid        NOT NULL,
        kind             text        NOT NULL,
        code_challenge   text,
        expires_at       timestamptz NOT NULL,
        used_at          timestamptz,
        CONSTRAINT authorization_tokens_pk PRIMARY KEY (token_hash),
        CONSTRAINT authorization_tokens_authorization_fk FOREIGN KEY (authorization_id)
          REFERENCES authorizations (id) ON DELETE CASCADE,
        CONSTRAINT authorization_tokens_kind_check CHECK (kind IN ('code', 'access', 'refresh')),
        CONSTRAINT authorization_tokens_challenge_check CHECK ((kind = 'code') = (code_challenge IS NOT NULL))
      );
      CREATE INDEX authorization_tokens_authorization_index ON authorization_tokens (authorization_id);
      CREATE INDEX authorization_tokens_expires_index ON authorization_tokens (expires_at) WHERE kind = 'access';
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE authorization_tokens;
      DROP TABLE authorizations;
      DROP TABLE authorization_requests;
      DROP TABLE authorization_clients;
      DELETE FROM login_states WHERE purpose <> 'token';
      ALTER TABLE login_states DROP COLUMN purpose;
    `);
  }
}
