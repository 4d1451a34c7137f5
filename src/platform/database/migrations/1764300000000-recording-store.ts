import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Recordings by month: chunks and the words of inputs lie in partitions by the month in which their session began,
 * which its id tells (UUIDv7, RFC 9562). So a recording is read from one partition by its primary key however many
 * there are, and an old month goes with one command. What was recorded under ids that tell no time lies in the
 * default partition.
 *
 * A session's row holds the end of its chain of chunks, so that a chunk more or less shows, and at its end the seal.
 */
export class RecordingStore1764300000000 implements MigrationInterface {
  name = 'RecordingStore1764300000000';

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE sessions
        ADD COLUMN chunk_count integer NOT NULL DEFAULT 0,
        ADD COLUMN chain_hash  bytea   NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
        ADD COLUMN journaled   bigint  NOT NULL DEFAULT 0,
        ADD COLUMN seal        bytea;
      UPDATE sessions AS session SET chunk_count = last.seq, chain_hash = last.hash
        FROM (SELECT DISTINCT ON (session_id) session_id, seq, hash FROM session_chunks
              ORDER BY session_id, seq DESC) AS last
        WHERE session.id = last.session_id;
    `);
    await this.partitionChunks(db);
    await this.indexWords(db);
    await db.query(`
      -- Session ids begin with their time: the least id of a month is where its partition begins.
      CREATE FUNCTION first_session_id(moment timestamptz) RETURNS uuid IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
        SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
      $$;

      -- Creates the partitions of the month in which the moment lies, unless they are there.
      CREATE FUNCTION ensure_recording_month(moment timestamptz) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        month timestamptz := date_trunc('month', moment, 'UTC');
        name  text        := to_char(month AT TIME ZONE 'UTC', 'YYYY_MM');
        least uuid        := first_session_id(month);
        bound uuid        := first_session_id((month AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC');
      BEGIN
        PERFORM pg_advisory_xact_lock(hashtext('ensure_recording_month'));
        IF to_regclass('session_chunks_' || name) IS NULL THEN
          EXECUTE format('CREATE TABLE %I PARTITION OF session_chunks FOR VALUES FROM (%L) TO (%L)',
            'session_chunks_' || name, least, bound);
          EXECUTE format('CREATE TRIGGER session_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %I
            FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal()', 'session_chunks_' || name);
        END IF;
        IF to_regclass('session_texts_' || name) IS NULL THEN
          EXECUTE format('CREATE TABLE %I PARTITION OF session_texts FOR VALUES FROM (%L) TO (%L)',
            'session_texts_' || name, least, bound);
        END IF;
      END $$;
      SELECT ensure_recording_month(now() + month * interval '1 month') FROM generate_series(0, 2) AS month;
    `);
  }

  /** Without a foreign key: a month could not be dropped without locking every session. Chunks are written with their session's row. */
  private async partitionChunks(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE session_chunks RENAME TO session_chunks_default;
      ALTER TABLE session_chunks_default DROP CONSTRAINT session_chunks_session_fk;
      ALTER TABLE session_chunks_default RENAME CONSTRAINT session_chunks_pk TO session_chunks_default_pk;
      DROP TRIGGER session_chunks_append_only ON session_chunks_default;

      CREATE TABLE session_chunks (
        LIKE session_chunks_default INCLUDING DEFAULTS INCLUDING STORAGE,
        CONSTRAINT session_chunks_pk PRIMARY KEY (session_id, seq)
      ) PARTITION BY RANGE (session_id);
      ALTER TABLE session_chunks ATTACH PARTITION session_chunks_default DEFAULT;

      -- Retention is the one that may remove, and it says so.
      CREATE FUNCTION refuse_removal() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND current_setting('access_gateway.purging', true) = 'on' THEN RETURN NULL; END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER session_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_chunks
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
      CREATE TRIGGER session_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_chunks_default
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
      CREATE TRIGGER sessions_stay BEFORE DELETE OR TRUNCATE ON sessions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_removal();
    `);
  }

  /** Recorded inputs by their words. Signs part words, so that a name is found however it is quoted or qualified. */
  private async indexWords(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION session_words(input text) RETURNS tsvector IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
        SELECT to_tsvector('pg_catalog.simple', regexp_replace(input, '[^[:alnum:]]+', ' ', 'g'))
      $$;

      -- What is looked for, parted as what was recorded: several words are a phrase, the last one may go on.
      CREATE FUNCTION session_phrase(words text, goes_on boolean) RETURNS tsquery IMMUTABLE PARALLEL SAFE LANGUAGE sql AS $$
        SELECT (phrase::text || CASE WHEN goes_on AND numnode(phrase) > 0 THEN ':*' ELSE '' END)::tsquery
        FROM phraseto_tsquery('pg_catalog.simple', regexp_replace(words, '[^[:alnum:]]+', ' ', 'g')) AS phrase
      $$;

      CREATE TABLE session_texts (
        org_id        uuid        NOT NULL,
        session_id    uuid        NOT NULL,
        seq           integer     NOT NULL,
        part          integer     NOT NULL,
        session_start timestamptz NOT NULL,
        words         tsvector    NOT NULL,
        CONSTRAINT session_texts_pk PRIMARY KEY (session_id, seq, part)
      ) PARTITION BY RANGE (session_id);
      CREATE TABLE session_texts_default PARTITION OF session_texts DEFAULT;
      CREATE INDEX session_texts_words_index ON session_texts USING gin (words);
      CREATE INDEX session_texts_list_index ON session_texts (org_id, session_start, session_id);
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TABLE session_texts;
      CREATE TABLE session_chunks_whole (LIKE session_chunks INCLUDING DEFAULTS INCLUDING STORAGE,
        CONSTRAINT session_chunks_whole_pk PRIMARY KEY (session_id, seq));
      INSERT INTO session_chunks_whole SELECT * FROM session_chunks;
      DROP TABLE session_chunks;
      ALTER TABLE session_chunks_whole RENAME TO session_chunks;
      ALTER TABLE session_chunks RENAME CONSTRAINT session_chunks_whole_pk TO session_chunks_pk;
      ALTER TABLE session_chunks ADD CONSTRAINT session_chunks_session_fk
        FOREIGN KEY (org_id, session_id) REFERENCES sessions (org_id, id);
      CREATE TRIGGER session_chunks_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON session_chunks
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      DROP TRIGGER sessions_stay ON sessions;
      DROP FUNCTION ensure_recording_month, first_session_id, session_words, session_phrase, refuse_removal;
      ALTER TABLE sessions DROP COLUMN chunk_count, DROP COLUMN chain_hash, DROP COLUMN journaled, DROP COLUMN seal;
    `);
  }
}
