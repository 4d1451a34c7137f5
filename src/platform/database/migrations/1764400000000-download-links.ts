import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Links by which a browser fetches a recording without a credential: single use, five minutes. */
export class DownloadLinks1764400000000 implements MigrationInterface {
  name = 'DownloadLinks1764400000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE download_links (
        org_id        uuid        NOT NULL,
        token_hash    bytea       NOT NULL,
        session_id    uuid        NOT NULL,
        identity_type text        NOT NULL,
        user_id       uuid        NOT NULL,
        options       jsonb       NOT NULL,
        expire_at     timestamptz NOT NULL,
        CONSTRAINT download_links_pk PRIMARY KEY (token_hash),
        CONSTRAINT download_links_identity_check CHECK (identity_type IN ('user', 'machine')),
        CONSTRAINT download_links_session_fk FOREIGN KEY (org_id, session_id)
          REFERENCES sessions (org_id, id) ON DELETE CASCADE
      );
      CREATE INDEX download_links_expiry_index ON download_links (org_id, expire_at);
      CREATE INDEX download_links_session_index ON download_links (org_id, session_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE download_links');
  }
}
