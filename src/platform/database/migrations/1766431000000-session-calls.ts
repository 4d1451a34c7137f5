import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An overview of what clients asked of MCP servers, call by call. */
export class SessionCalls1766431000000 implements MigrationInterface {
  name = 'SessionCalls1766431000000';

  async up(db: QueryRunner): Promise<void> {
    // No foreign key: calls are stored in batches of many sessions, which must not wait for a lock of any of them.
    await db.query(`
      CREATE TABLE session_calls (
        org_id       uuid        NOT NULL,
        session_id   uuid        NOT NULL,
        at           timestamptz NOT NULL,
        id           uuid        NOT NULL,
        method       text        NOT NULL,
        name         text,
        verdict      text        NOT NULL,
        review_id    uuid,
        duration_ms  bigint      NOT NULL,
        result_bytes bigint      NOT NULL,
        CONSTRAINT session_calls_pk PRIMARY KEY (session_id, at, id),
        CONSTRAINT session_calls_verdict_check CHECK (verdict IN ('forwarded', 'refused', 'pending', 'blocked', 'unknown'))
      )`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE session_calls');
  }
}
