import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Public keys by which people sign in over SSH. A key is one person's, and ends with that person's row. */
export class SshPublicKeys1767040000000 implements MigrationInterface {
  name = 'SshPublicKeys1767040000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE ssh_public_keys (
        id           uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id       uuid        NOT NULL,
        user_id      uuid        NOT NULL,
        name         text        NOT NULL,
        public_key   bytea       NOT NULL,
        digest       bytea       NOT NULL,
        created_at   timestamptz NOT NULL DEFAULT now(),
        expires_at   timestamptz,
        last_used_at timestamptz,
        CONSTRAINT ssh_public_keys_pk PRIMARY KEY (id),
        CONSTRAINT ssh_public_keys_digest_unique UNIQUE (digest),
        CONSTRAINT ssh_public_keys_name_unique UNIQUE (org_id, user_id, name),
        CONSTRAINT ssh_public_keys_digest_check CHECK (digest = sha256(public_key)),
        CONSTRAINT ssh_public_keys_user_fk FOREIGN KEY (org_id, user_id)
          REFERENCES users (org_id, id) ON DELETE CASCADE
      );
      -- Not with each use, which changes nothing that a gateway decides by.
      CREATE TRIGGER ssh_public_keys_tell AFTER DELETE ON ssh_public_keys
        FOR EACH ROW EXECUTE FUNCTION tell_gateways('id');
      CREATE TRIGGER ssh_public_keys_tell_truncate AFTER TRUNCATE ON ssh_public_keys
        FOR EACH STATEMENT EXECUTE FUNCTION tell_gateways_of_table();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE ssh_public_keys');
  }
}
