import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What tells the keys of `SECRET_KEY` apart: a value that each of them sealed, so that a wrong key is noticed at the
 * start, and the public keys with which evidence is verified. They belong to the whole installation, not to an
 * organization.
 */
export class SecretKeys1766100000000 implements MigrationInterface {
  name = 'SecretKeys1766100000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE key_checks (
        key_id      text        NOT NULL,
        check_value bytea       NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT key_checks_pk PRIMARY KEY (key_id)
      );
      CREATE TABLE evidence_keys (
        key_id      text        NOT NULL,
        public_key  text        NOT NULL,
        endorsed_by text        NOT NULL,
        endorsement bytea       NOT NULL,
        created_at  timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT evidence_keys_pk PRIMARY KEY (key_id)
      );
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE key_checks, evidence_keys');
  }
}
