import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recordings in object storage. `session_archives` has a row for each session that began since there is a bucket: whether its recording is
 * to move, or has moved. Its objects are `session_archive_segments`, with the places where a reader may begin.
 */
export class RecordingArchive1766940000000 implements MigrationInterface {
  name = 'RecordingArchive1766940000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE session_archives (
        session_id   uuid        NOT NULL,
        org_id       uuid        NOT NULL,
        state        text        NOT NULL DEFAULT 'waiting',
        noted_at     timestamptz NOT NULL DEFAULT now(),
        next_at      timestamptz NOT NULL DEFAULT now(),
        claim        uuid,
        attempts     integer     NOT NULL DEFAULT 0,
        generation   integer     NOT NULL DEFAULT 1,
        last_seq     integer     NOT NULL DEFAULT 0,
        is_held      boolean     NOT NULL DEFAULT false,
        locked_until timestamptz,
        archived_at  timestamptz,
        fault        text,
        CONSTRAINT session_archives_pk PRIMARY KEY (session_id),
        CONSTRAINT session_archives_state_check CHECK (state IN ('waiting', 'clearing', 'archived', 'refused', 'removing'))
      );
      CREATE INDEX session_archives_work_index ON session_archives (state, next_at) WHERE state <> 'archived';
      CREATE INDEX session_archives_held_index ON session_archives (session_id) WHERE is_held;
      CREATE INDEX session_archives_lock_index ON session_archives (locked_until);
      CREATE INDEX sessions_held_index ON sessions (id) WHERE held_at IS NOT NULL;

      CREATE TABLE session_archive_segments (
        session_id    uuid      NOT NULL,
        org_id        uuid      NOT NULL,
        first_seq     integer   NOT NULL,
        last_seq      integer   NOT NULL,
        object_key    text      NOT NULL,
        version_id    text,
        size          integer   NOT NULL,
        sha256        bytea     NOT NULL,
        index_seqs    integer[] NOT NULL,
        index_offsets integer[] NOT NULL,
        CONSTRAINT session_archive_segments_pk PRIMARY KEY (session_id, first_seq)
      );

      CREATE TABLE archive_progress (
        noted_up_to uuid NOT NULL DEFAULT '00000000-0000-0000-0000-000000000000',
        is_only     boolean NOT NULL DEFAULT true,
        CONSTRAINT archive_progress_pk PRIMARY KEY (is_only),
        CONSTRAINT archive_progress_only_check CHECK (is_only)
      );
      INSERT INTO archive_progress DEFAULT VALUES;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    const [moved] = (await db.query(
      `SELECT count(*)::int AS moved FROM session_archives WHERE state IN ('clearing', 'archived') AND last_seq > 0`,
    )) as { moved: number }[];
    if (moved !== undefined && moved.moved > 0)
      throw new Error(
        `${moved.moved} recordings are in object storage alone: this version is needed to read them`,
      );
    await db.query(`
      DROP INDEX sessions_held_index;
      DROP TABLE session_archives, session_archive_segments, archive_progress;
    `);
  }
}
