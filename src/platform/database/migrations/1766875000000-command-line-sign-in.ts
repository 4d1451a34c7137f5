import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * People allow the command line to use the REST API: an authorization without a connection. Where there is no browser, they allow it at another
 * device (RFC 8628).
 */
export class CommandLineSignIn1766875000000 implements MigrationInterface {
  name = 'CommandLineSignIn1766875000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE authorization_requests ALTER COLUMN connection DROP NOT NULL;
      ALTER TABLE authorizations ALTER COLUMN connection DROP NOT NULL, ALTER COLUMN connection_id DROP NOT NULL,
        ADD CONSTRAINT authorizations_connection_check CHECK ((connection IS NULL) = (connection_id IS NULL));

      CREATE TABLE authorization_devices (
        org_id           uuid        NOT NULL,
        id               uuid        NOT NULL,
        device_hash      bytea       NOT NULL,
        user_code_hash   bytea       NOT NULL,
        client_id        text        NOT NULL,
        address          text        NOT NULL,
        user_agent       text        NOT NULL,
        created_at       timestamptz NOT NULL,
        expires_at       timestamptz NOT NULL,
        interval_seconds integer     NOT NULL,
        polled_at        timestamptz,
        decision         text,
        user_id          uuid,
        CONSTRAINT authorization_devices_pk PRIMARY KEY (id),
        CONSTRAINT authorization_devices_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT authorization_devices_device_unique UNIQUE (device_hash),
        CONSTRAINT authorization_devices_user_code_unique UNIQUE (user_code_hash),
        CONSTRAINT authorization_devices_decision_check CHECK (decision IN ('allowed', 'refused')),
        CONSTRAINT authorization_devices_user_check CHECK ((decision IS NULL) = (user_id IS NULL))
      );
      CREATE INDEX authorization_devices_expires_index ON authorization_devices (expires_at);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE authorization_devices;
      DELETE FROM authorization_requests WHERE connection IS NULL;
      DELETE FROM authorizations WHERE connection IS NULL;
      ALTER TABLE authorizations DROP CONSTRAINT authorizations_connection_check,
        ALTER COLUMN connection SET NOT NULL, ALTER COLUMN connection_id SET NOT NULL;
      ALTER TABLE authorization_requests ALTER COLUMN connection SET NOT NULL;
    `);
  }
}
