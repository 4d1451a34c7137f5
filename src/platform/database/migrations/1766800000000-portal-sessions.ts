import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who is signed in at the portal, with the sealed tokens of the identity provider. */
export class PortalSessions1766800000000 implements MigrationInterface {
  name = 'PortalSessions1766800000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE portal_sessions (
        org_id      uuid        NOT NULL,
        id          uuid        NOT NULL,
        cookie_hash bytea       NOT NULL,
        user_id     uuid        NOT NULL,
        secret      bytea       NOT NULL,
        created_at  timestamptz NOT NULL,
        used_at     timestamptz NOT NULL,
        renew_at    timestamptz NOT NULL,
        expires_at  timestamptz NOT NULL,
        lease       uuid,
        lease_until timestamptz,
        CONSTRAINT portal_sessions_pk PRIMARY KEY (id),
        CONSTRAINT portal_sessions_cookie_unique UNIQUE (cookie_hash),
        CONSTRAINT portal_sessions_user_fk FOREIGN KEY (org_id, user_id)
          REFERENCES users (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX portal_sessions_user_index ON portal_sessions (org_id, user_id);
      CREATE INDEX portal_sessions_expires_index ON portal_sessions (expires_at);
      -- Not with each use, which changes nothing that a gateway remembers.
      CREATE TRIGGER portal_sessions_tell AFTER UPDATE OF secret OR DELETE ON portal_sessions
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER portal_sessions_tell_truncate AFTER TRUNCATE ON portal_sessions
        FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE portal_sessions;
      DELETE FROM login_states WHERE purpose = 'portal';
    `);
  }
}
