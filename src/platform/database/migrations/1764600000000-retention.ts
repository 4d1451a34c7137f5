import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recordings go when their retention ends; rows of sessions stay.
 *
 * A recording goes in two steps. First its session is marked, its words and its script go, and it is noted in
 * `session_removals`: from then on nobody reads it. Then its chunks go, with their whole month or row by row. Whoever
 * dies in between leaves a note, and the next run goes on from there.
 */
export class Retention1764600000000 implements MigrationInterface {
  name = 'Retention1764600000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      -- The database's own word: what is held or runs is not removed. Not validated: no row has the new column yet.
      ALTER TABLE sessions
        ADD COLUMN recording_purged_at timestamptz,
        ADD CONSTRAINT sessions_purged_check CHECK (
          recording_purged_at IS NULL OR (status = 'done' AND held_at IS NULL AND script IS NULL)
        ) NOT VALID;

      -- What may be due, connection by connection, and what keeps a month from being dropped.
      CREATE INDEX sessions_retention_index ON sessions (org_id, connection_id, end_date, id)
        WHERE status = 'done' AND recording_purged_at IS NULL;
      CREATE INDEX sessions_recorded_index ON sessions (id) WHERE recording_purged_at IS NULL;

      -- Rows of sessions stay, whatever the setting that lets chunks go.
      DROP TRIGGER sessions_stay ON sessions;
      CREATE TRIGGER sessions_stay BEFORE DELETE OR TRUNCATE ON sessions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

      CREATE TABLE session_removals (
        org_id     uuid NOT NULL,
        session_id uuid NOT NULL,
        CONSTRAINT session_removals_pk PRIMARY KEY (session_id)
      );

      CREATE TABLE retention_runs (
        id             uuid        NOT NULL DEFAULT gen_random_uuid(),
        org_id         uuid        NOT NULL,
        started_by     text,
        started_at     timestamptz NOT NULL DEFAULT now(),
        updated_at     timestamptz NOT NULL DEFAULT now(),
        finished_at    timestamptz,
        outcome        text        NOT NULL DEFAULT 'running',
        due            bigint      NOT NULL DEFAULT 0,
        held_back      bigint      NOT NULL DEFAULT 0,
        purged         bigint      NOT NULL DEFAULT 0,
        bytes          bigint      NOT NULL DEFAULT 0,
        removed        bigint      NOT NULL DEFAULT 0,
        months_dropped integer     NOT NULL DEFAULT 0,
        error          text,
        CONSTRAINT retention_runs_pk PRIMARY KEY (id),
        CONSTRAINT retention_runs_org_fk FOREIGN KEY (org_id) REFERENCES organizations (id),
        CONSTRAINT retention_runs_outcome_check CHECK (
          outcome IN ('running', 'finished', 'stopped', 'failed', 'interrupted')
          AND (outcome = 'running') = (finished_at IS NULL))
      );
      CREATE INDEX retention_runs_list_index ON retention_runs (org_id, started_at DESC);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE retention_runs, session_removals;
      DROP TRIGGER sessions_stay ON sessions;
      CREATE TRIGGER sessions_stay BEFORE DELETE OR TRUNCATE ON sessions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
      ALTER TABLE sessions DROP COLUMN recording_purged_at;
    `);
  }
}
