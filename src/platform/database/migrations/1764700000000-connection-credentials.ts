import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Credentials that the gateway issues for clients of a target's own protocol, the sessions that begin with them, and
 * whether the results of such clients are recorded row by row.
 */
export class ConnectionCredentials1764700000000 implements MigrationInterface {
  name = 'ConnectionCredentials1764700000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE connections ADD COLUMN record_results boolean NOT NULL DEFAULT false;

      CREATE TABLE connection_credentials (
        id            uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id        uuid        NOT NULL,
        connection_id uuid        NOT NULL,
        identity_type text        NOT NULL,
        user_id       uuid        NOT NULL,
        iterations    integer     NOT NULL,
        salt          bytea       NOT NULL,
        stored_key    bytea       NOT NULL,
        server_key    bytea       NOT NULL,
        created_at    timestamptz NOT NULL DEFAULT now(),
        expire_at     timestamptz NOT NULL,
        revoked_at    timestamptz,
        CONSTRAINT connection_credentials_pk PRIMARY KEY (id),
        CONSTRAINT connection_credentials_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE,
        CONSTRAINT connection_credentials_identity_check CHECK (identity_type IN ('user', 'machine')),
        CONSTRAINT connection_credentials_span_check CHECK (
          expire_at > created_at AND expire_at <= created_at + interval '48 hours'),
        CONSTRAINT connection_credentials_revoked_check CHECK (revoked_at >= created_at),
        CONSTRAINT connection_credentials_verifier_check CHECK (
          iterations >= 4096 AND octet_length(salt) >= 16
          AND octet_length(stored_key) = 32 AND octet_length(server_key) = 32)
      );
      CREATE INDEX connection_credentials_page_index ON connection_credentials
        (org_id, identity_type, user_id, created_at DESC, id DESC);
      CREATE INDEX connection_credentials_connection_index ON connection_credentials (org_id, connection_id);

      -- What was issued stays as it is, but for its end, which comes once.
      CREATE FUNCTION keep_issued() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'a credential that was issued cannot be changed, only revoked, once'
          USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER connection_credentials_stay BEFORE UPDATE ON connection_credentials
        FOR EACH ROW WHEN (
          OLD.revoked_at IS NOT NULL OR to_jsonb(OLD) - 'revoked_at' <> to_jsonb(NEW) - 'revoked_at')
        EXECUTE FUNCTION keep_issued();
    `);
    await db.query(`
      -- No foreign key: sessions outlive the credential they came with.
      ALTER TABLE sessions ADD COLUMN credential_id uuid;
      CREATE INDEX sessions_credential_index ON sessions (org_id, credential_id, start_date)
        WHERE credential_id IS NOT NULL;

      -- Whoever revokes a credential locks it first, and then ends the sessions that it sees. One that begins just now
      -- was committed before, and is seen; or waits here, and is refused.
      CREATE FUNCTION require_credential() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM FROM connection_credentials
          WHERE org_id = NEW.org_id AND id = NEW.credential_id AND connection_id = NEW.connection_id
            AND revoked_at IS NULL AND expire_at > clock_timestamp()
          FOR SHARE;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'the credential has ended'
            USING ERRCODE = 'check_violation', TABLE = 'sessions', CONSTRAINT = 'sessions_credential_check';
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER sessions_credential BEFORE INSERT ON sessions
        FOR EACH ROW WHEN (NEW.credential_id IS NOT NULL) EXECUTE FUNCTION require_credential();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_credential ON sessions;
      ALTER TABLE sessions DROP COLUMN credential_id;
      DROP TABLE connection_credentials;
      DROP FUNCTION keep_issued, require_credential;
      ALTER TABLE connections DROP COLUMN record_results;
    `);
  }
}
