import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Access tokens with which the gateway reaches MCP servers, sealed. */
export class UpstreamTokens1766500000000 implements MigrationInterface {
  name = 'UpstreamTokens1766500000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE upstream_tokens (
        org_id        uuid        NOT NULL,
        id            uuid        NOT NULL,
        connection_id uuid        NOT NULL,
        subject_id    uuid,
        secret        bytea       NOT NULL,
        status        text        NOT NULL,
        status_at     timestamptz NOT NULL,
        lease         uuid,
        lease_until   timestamptz,
        keep_until    timestamptz NOT NULL DEFAULT now() + interval '30 days',
        CONSTRAINT upstream_tokens_pk PRIMARY KEY (id),
        CONSTRAINT upstream_tokens_owner_unique UNIQUE NULLS NOT DISTINCT (org_id, connection_id, subject_id),
        CONSTRAINT upstream_tokens_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE,
        CONSTRAINT upstream_tokens_status_check CHECK (status IN ('none', 'ok', 'needs_reauth')),
        CONSTRAINT upstream_tokens_lease_check CHECK ((lease IS NULL) = (lease_until IS NULL))
      );
      CREATE INDEX upstream_tokens_keep_index ON upstream_tokens (keep_until);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE upstream_tokens');
  }
}
