import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Sign-ins of people at MCP servers, in the browser. */
export class UpstreamSignIns1766600000000 implements MigrationInterface {
  name = 'UpstreamSignIns1766600000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE upstream_clients (
        org_id     uuid        NOT NULL,
        id         uuid        NOT NULL,
        issuer     text        NOT NULL,
        secret     bytea       NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT upstream_clients_pk PRIMARY KEY (id),
        CONSTRAINT upstream_clients_issuer_unique UNIQUE (org_id, issuer)
      );

      CREATE TABLE upstream_sign_ins (
        org_id        uuid        NOT NULL,
        id            uuid        NOT NULL,
        connection_id uuid        NOT NULL,
        user_id       uuid        NOT NULL,
        scope         text,
        expires_at    timestamptz NOT NULL,
        completed_at  timestamptz,
        CONSTRAINT upstream_sign_ins_pk PRIMARY KEY (id),
        CONSTRAINT upstream_sign_ins_connection_fk FOREIGN KEY (org_id, connection_id)
          REFERENCES connections (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX upstream_sign_ins_owner_index ON upstream_sign_ins (org_id, connection_id, user_id);
      CREATE INDEX upstream_sign_ins_expires_index ON upstream_sign_ins (expires_at);

      CREATE TABLE upstream_sign_in_visits (
        org_id       uuid        NOT NULL,
        id           uuid        NOT NULL,
        sign_in_id   uuid        NOT NULL,
        browser_hash bytea       NOT NULL,
        user_id      uuid,
        state_hash   bytea,
        secret       bytea       NOT NULL,
        expires_at   timestamptz NOT NULL,
        CONSTRAINT upstream_sign_in_visits_pk PRIMARY KEY (id),
        CONSTRAINT upstream_sign_in_visits_state_unique UNIQUE (state_hash)
      );
      CREATE INDEX upstream_sign_in_visits_expires_index ON upstream_sign_in_visits (expires_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE upstream_sign_in_visits, upstream_sign_ins, upstream_clients');
  }
}
