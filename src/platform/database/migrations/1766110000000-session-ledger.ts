import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The ledger of sessions: entries that are numbered without gaps in each organization, linked by hash and signed. An
 * entry says what the row of a session said when it was written, so a row that was edited, or is gone, shows.
 *
 * Sessions must not wait for each other when they end. So a trigger only notes them in a queue that nothing locks, and
 * one gateway at a time writes their entries. Sessions that are there already are noted here: they are adopted as they
 * are found.
 */
export class SessionLedger1766110000000 implements MigrationInterface {
  name = 'SessionLedger1766110000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- What was said in a session is in the ledger as digests. With the salt, which goes with the recording, nobody
      -- can find out afterwards what it was by trying.
      ALTER TABLE sessions ADD COLUMN content_salt bytea;
      ALTER TABLE sessions ALTER COLUMN content_salt SET DEFAULT uuid_send(gen_random_uuid());

      CREATE TABLE session_ledger (
        org_id      uuid        NOT NULL,
        seq         bigint      NOT NULL,
        session_id  uuid        NOT NULL,
        kind        text        NOT NULL,
        said        text        NOT NULL,
        recorded_at timestamptz NOT NULL,
        previous    bytea       NOT NULL,
        hash        bytea       NOT NULL,
        key_id      text        NOT NULL,
        signature   bytea       NOT NULL,
        CONSTRAINT session_ledger_pk PRIMARY KEY (org_id, seq),
        CONSTRAINT session_ledger_kind_check CHECK (
          kind IN ('opened', 'closed', 'adopted', 'grown', 'metadata', 'hold', 'removed', 'missing'))
      );
      CREATE INDEX session_ledger_session_index ON session_ledger (session_id, seq);
      CREATE TRIGGER session_ledger_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_ledger
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      CREATE TABLE session_ledger_queue (
        id         bigint  GENERATED ALWAYS AS IDENTITY,
        org_id     uuid    NOT NULL,
        session_id uuid    NOT NULL,
        is_adopted boolean NOT NULL DEFAULT false,
        CONSTRAINT session_ledger_queue_pk PRIMARY KEY (id)
      );
      CREATE INDEX session_ledger_queue_session_index ON session_ledger_queue (session_id);
      INSERT INTO session_ledger_queue (org_id, session_id, is_adopted)
        SELECT org_id, id, true FROM sessions ORDER BY start_date, id;

      CREATE FUNCTION queue_for_ledger() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        INSERT INTO session_ledger_queue (org_id, session_id) VALUES (NEW.org_id, NEW.id);
        RETURN NULL;
      END $$;
      CREATE TRIGGER sessions_ledger_begun AFTER INSERT ON sessions
        FOR EACH ROW EXECUTE FUNCTION queue_for_ledger();
      -- It is over, or a journal brought more of it afterwards.
      CREATE TRIGGER sessions_ledger_over AFTER UPDATE OF status, chunk_count ON sessions
        FOR EACH ROW WHEN (NEW.status = 'done' AND (OLD.status <> 'done' OR NEW.chunk_count <> OLD.chunk_count))
        EXECUTE FUNCTION queue_for_ledger();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER sessions_ledger_begun ON sessions;
      DROP TRIGGER sessions_ledger_over ON sessions;
      DROP FUNCTION queue_for_ledger;
      DROP TABLE session_ledger, session_ledger_queue;
      ALTER TABLE sessions DROP COLUMN content_salt;
    `);
  }
}
