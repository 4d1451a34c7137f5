import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The host keys with which all gateways of one database answer SSH clients: one of each type. */
export class SshHostKeys1767010000000 implements MigrationInterface {
  name = 'SshHostKeys1767010000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE ssh_host_keys (
        id uuid NOT NULL,
        type text NOT NULL,
        secret bytea NOT NULL,
        public_key text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ssh_host_keys_pk PRIMARY KEY (id),
        CONSTRAINT ssh_host_keys_type_unique UNIQUE (type)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE ssh_host_keys');
  }
}
