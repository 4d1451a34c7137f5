import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The keys that sign certificates for sign-ins at SSH servers: one for all gateways of one database, and two
 * while it is being replaced. The lowest generation signs.
 */
export class SshUserCa1767020000000 implements MigrationInterface {
  name = 'SshUserCa1767020000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE ssh_user_ca_keys (
        id uuid NOT NULL,
        generation integer NOT NULL,
        type text NOT NULL,
        secret bytea NOT NULL,
        public_key text NOT NULL,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ssh_user_ca_keys_pk PRIMARY KEY (id),
        CONSTRAINT ssh_user_ca_keys_generation_unique UNIQUE (generation)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE ssh_user_ca_keys');
  }
}
