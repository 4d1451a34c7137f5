/**
 * States of a row of `session_archives`:
 * - `waiting`: the recording is in PostgreSQL; parts of it may be in the
 *   bucket, as `session_archive_segments` records
 * - `clearing`: the recording is read from the bucket; the rest of its chunks in PostgreSQL is being deleted
 * - `archived`: the recording is only in the bucket
 * - `refused`: the recording differs from what was recorded; it stays in PostgreSQL to be examined
 * - `removing`: its retention ended; its objects are removed as soon as their locks end
 *
 * `claim` names the claim of the gateway that works on the row. No other gateway takes it before `next_at`.
 */
export const ARCHIVE_STATES = ['waiting', 'clearing', 'archived', 'refused', 'removing'] as const;

/**
 * Period that is searched again for sessions, because late commits and gateways with slow clocks may still
 * add some.
 */
const OVERLAP = `interval '2 minutes'`;

/**
 * $1 minimum age of a session in minutes. Returns the id up to which sessions were added to
 * `session_archives` (`notedUpTo`), the id up to which they may be added (`bound`), and the id before which
 * no more sessions can appear (`settled`).
 */
export const LOCK_PROGRESS = `
  SELECT noted_up_to AS "notedUpTo", first_session_id(now() - make_interval(mins => $1)) AS bound,
    first_session_id(now() - make_interval(mins => $1) - ${OVERLAP}) AS settled
  FROM archive_progress FOR NO KEY UPDATE`;

/**
 * Adds at most $3 sessions with ids after $1 and before $2, in the order of their ids. An id begins with the
 * start time of its session, so the cost does not grow with the number of sessions.
 */
export const NOTE_SESSIONS = `
  INSERT INTO session_archives (session_id, org_id)
  SELECT session.id, session.org_id FROM sessions AS session
  WHERE session.id > $1 AND session.id < $2 AND session.recording_purged_at IS NULL
    AND NOT EXISTS (SELECT FROM session_archives AS archive WHERE archive.session_id = session.id)
  ORDER BY session.id LIMIT $3
  ON CONFLICT DO NOTHING RETURNING session_id AS id`;

/** $1 id up to which all sessions were added to `session_archives`. */
export const NOTE_PROGRESS = `UPDATE archive_progress SET noted_up_to = greatest(noted_up_to, $1::uuid)`;

/**
 * End of the retention of a session, by the rule in src/sessions/retention/purge-statements.ts; null if the
 * retention never ends.
 */
const DUE = `
  session.end_date + make_interval(hours => 24 * (
    CASE WHEN connection.id IS NULL THEN session.retention_days ELSE connection.retention_days END))`;
const WITH_CONNECTION = `
  LEFT JOIN connections AS connection ON connection.org_id = session.org_id AND connection.id = session.connection_id`;
/**
 * End of a lock for a recording whose retention never ends. The lock is extended before it ends. If a
 * retention is set later, the lock delays the removal by at most this time.
 */
const NO_END = `now() + interval '365 days'`;
/** End of the lock of an object; null when the retention of its recording ends within an hour. */
const LOCK_UNTIL = `CASE WHEN due.at IS NULL THEN ${NO_END} WHEN due.at > now() + interval '1 hour' THEN due.at END`;

/**
 * $1 minimum minutes since the session's end, $2 claim, $3 seconds until another gateway may claim the
 * recordings, $4 maximum number. Claims recordings that may move now.
 */
export const CLAIM_MOVES = `
  WITH picked AS MATERIALIZED (
    SELECT archive.session_id FROM session_archives AS archive
    JOIN sessions AS session ON session.org_id = archive.org_id AND session.id = archive.session_id
    WHERE archive.state = 'waiting' AND archive.next_at <= now() AND session.status = 'done'
      AND session.recording_purged_at IS NULL AND session.end_date <= now() - make_interval(mins => $1)
    ORDER BY archive.next_at LIMIT $4 FOR NO KEY UPDATE OF archive SKIP LOCKED
  ), claimed AS (
    UPDATE session_archives AS archive SET claim = $2, next_at = now() + make_interval(secs => $3), attempts = attempts + 1
    FROM picked WHERE archive.session_id = picked.session_id
    RETURNING archive.session_id, archive.attempts, archive.generation
  )
  SELECT session.org_id AS "orgId", session.id, claimed.attempts, claimed.generation, session.chunk_count AS "chunkCount",
    session.chain_hash AS "chainHash", session.events_stored::float8 AS "eventsStored", session.event_size::float8 AS "eventSize",
    session.seal, session.held_at IS NOT NULL AS "isHeld", ${LOCK_UNTIL} AS "lockUntil"
  FROM claimed JOIN sessions AS session ON session.id = claimed.session_id ${WITH_CONNECTION}
  CROSS JOIN LATERAL (SELECT ${DUE} AS at) AS due`;

/**
 * $1 session, $2 claim, $3 seconds for which the claim is renewed, $4 end of the lock of the next object.
 * Stores the earliest end of a lock as the lock end of the recording.
 */
export const KEEP_CLAIM = `
  UPDATE session_archives SET next_at = now() + make_interval(secs => $3),
    locked_until = least(locked_until, coalesce($4::timestamptz, now()))
  WHERE session_id = $1 AND claim = $2 AND state = 'waiting' RETURNING session_id`;

/**
 * $1 session, $2 claim. Records the hold before the request to the bucket, so that a hold that is no longer
 * wanted is later released.
 */
export const NOTE_CLAIMED_HOLD = `
  UPDATE session_archives SET is_held = true WHERE session_id = $1 AND claim = $2 AND state = 'waiting' RETURNING session_id`;

/** $1 session, $2 claim, $3 seconds until the next attempt, $4 what went wrong. Postpones the move. */
export const POSTPONE_MOVE = `
  UPDATE session_archives SET claim = NULL, next_at = now() + make_interval(secs => $3), fault = $4
  WHERE session_id = $1 AND claim = $2 AND state = 'waiting'`;

/** $1 ids of sessions, $2 claim. Releases recordings that were claimed but not moved. */
export const RELEASE_MOVES = `
  UPDATE session_archives SET claim = NULL, next_at = now(), attempts = greatest(attempts - 1, 0)
  WHERE session_id = ANY ($1::uuid[]) AND claim = $2 AND state = 'waiting'`;

/** $1 session, $2 claim, $3 what is wrong with the recording. Refuses to move the recording. */
export const REFUSE_MOVE = `
  UPDATE session_archives SET state = 'refused', claim = NULL, fault = $3
  WHERE session_id = $1 AND claim = $2 AND state = 'waiting' RETURNING session_id`;

/** $1 session, $2 claim. Begins the move anew under new keys. Objects in the bucket stay there. */
export const BEGIN_ANEW = `
  WITH anew AS (
    UPDATE session_archives SET generation = generation + 1
    WHERE session_id = $1 AND claim = $2 AND state = 'waiting' RETURNING session_id
  )
  DELETE FROM session_archive_segments WHERE session_id = (SELECT session_id FROM anew)`;

/** $1 session, $2 claim, then the fields of the segment. Stores nothing if the claim is lost. */
export const STORE_SEGMENT = `
  INSERT INTO session_archive_segments (session_id, org_id, first_seq, last_seq, object_key, version_id, size, sha256, index_seqs, index_offsets)
  SELECT session_id, org_id, $3, $4, $5, $6, $7, $8, $9::int[], $10::int[] FROM session_archives
  WHERE session_id = $1 AND claim = $2 AND state = 'waiting'
  RETURNING session_id`;

/** $1 organization, $2 session. Finds where the chunks of the recording are stored. */
export const FIND_WHEREABOUTS = `
  SELECT session.recording_purged_at AS "recordingPurgedAt", session.chunk_count AS "chunkCount", archive.last_seq AS "archivedUpTo"
  FROM sessions AS session LEFT JOIN session_archives AS archive
    ON archive.session_id = session.id AND archive.state IN ('clearing', 'archived')
  WHERE session.org_id = $1 AND session.id = $2`;

/** $1 session. Finds the segments with chunks after number $2 and up to number $3. */
export const FIND_SEGMENTS = `
  SELECT first_seq AS "firstSeq", last_seq AS "lastSeq", object_key AS key, version_id AS "versionId", size, sha256,
    index_seqs AS "indexSeqs", index_offsets AS "indexOffsets"
  FROM session_archive_segments WHERE session_id = $1 AND last_seq > $2 AND first_seq <= $3 ORDER BY first_seq`;

/** $1 session. Reads the chunks after number $2, at most $3. */
export const READ_CHUNKS = `
  SELECT seq, event_count AS "eventCount", raw_size AS "rawSize", payload, previous, hash
  FROM session_chunks WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`;

/**
 * $1 organization, $2 session. Locks the row of the session, so that its recording cannot grow or be purged.
 */
export const LOCK_SESSION = `
  SELECT chunk_count AS "chunkCount", chain_hash AS "chainHash"
  FROM sessions WHERE org_id = $1 AND id = $2 AND recording_purged_at IS NULL FOR NO KEY UPDATE`;

/**
 * $1 session, $2 claim, $3 last chunk of the recording. Makes readers use the bucket for the recording.
 * Returns nothing if the claim is lost.
 */
export const SWITCH_TO_BUCKET = `
  WITH switched AS (
    UPDATE session_archives SET state = 'clearing', claim = NULL, next_at = now(), fault = NULL, attempts = 0, last_seq = $3,
      archived_at = now()
    WHERE session_id = $1 AND claim = $2 AND state = 'waiting' RETURNING session_id
  )
  SELECT session_id FROM switched`;

/**
 * $1 session. Deletes chunks up to number $2, at most $3. Deletes the last chunks first, so that a reader
 * that began in PostgreSQL finds no gap: it reads the chunks that are left, and continues in the bucket.
 */
export const DROP_CHUNKS = `
  WITH part AS MATERIALIZED (
    SELECT session_id, seq FROM session_chunks WHERE session_id = $1 AND seq <= $2 ORDER BY seq DESC LIMIT $3
  ), dropped AS (
    DELETE FROM session_chunks AS chunk USING part
    WHERE chunk.session_id = $1 AND chunk.session_id = part.session_id AND chunk.seq = part.seq RETURNING chunk.seq
  )
  SELECT count(*)::int AS dropped FROM dropped`;

/**
 * $1 session. Locks the recording, so that only one gateway deletes its chunks. A second gateway could not
 * see which chunks the first one deletes, and would treat all as deleted.
 */
export const LOCK_CLEARING = `
  SELECT session_id FROM session_archives WHERE session_id = $1 AND state = 'clearing' FOR NO KEY UPDATE SKIP LOCKED`;

/** $1 session. Marks the recording as archived, after its chunks in PostgreSQL were deleted. */
export const SETTLE_MOVE = `UPDATE session_archives SET state = 'archived' WHERE session_id = $1 AND state = 'clearing'`;

/** $1 maximum number. Finds long recordings with chunks left to delete, including those of dead gateways. */
export const FIND_CLEARING = `
  SELECT session_id AS id, last_seq AS "lastSeq" FROM session_archives WHERE state = 'clearing' AND next_at <= now() ORDER BY next_at LIMIT $1`;

/** Condition for recordings in the bucket that no gateway works on. */
const UNCLAIMED = `archive.state IN ('clearing', 'archived') AND archive.next_at <= now()`;

/**
 * $1 claim, $2 seconds until another gateway may claim the recordings, $3 maximum number. Claims recordings
 * whose legal hold differs from the hold in the bucket. Few recordings are held, so both subqueries are fast.
 */
export const CLAIM_HOLDS = `
  UPDATE session_archives AS archive SET claim = $1, next_at = now() + make_interval(secs => $2)
  FROM (
    SELECT session.id, true AS is_held FROM sessions AS session
    JOIN session_archives AS archive ON archive.session_id = session.id
    WHERE session.held_at IS NOT NULL AND NOT archive.is_held AND ${UNCLAIMED}
    UNION ALL
    SELECT session.id, false FROM session_archives AS archive
    JOIN sessions AS session ON session.org_id = archive.org_id AND session.id = archive.session_id
    WHERE archive.is_held AND session.held_at IS NULL AND ${UNCLAIMED}
    LIMIT $3
  ) AS wanted
  WHERE archive.session_id = wanted.id AND ${UNCLAIMED} RETURNING wanted.id, wanted.is_held AS "isHeld"`;

/**
 * $1 claim, $2 seconds until another gateway may claim the recordings, $3 maximum number. Claims recordings
 * whose locks end within three days but whose retention ends later.
 */
export const CLAIM_ENDING_LOCKS = `
  UPDATE session_archives AS archive SET claim = $1, next_at = now() + make_interval(secs => $2)
  FROM (
    SELECT session.id, ${LOCK_UNTIL} AS until FROM session_archives AS archive
    JOIN sessions AS session ON session.org_id = archive.org_id AND session.id = archive.session_id ${WITH_CONNECTION}
    CROSS JOIN LATERAL (SELECT ${DUE} AS at) AS due
    WHERE ${UNCLAIMED} AND archive.locked_until < now() + interval '3 days'
      AND (due.at IS NULL OR due.at > greatest(archive.locked_until + interval '1 minute', now() + interval '1 hour'))
    ORDER BY archive.locked_until LIMIT $3
  ) AS wanted
  WHERE archive.session_id = wanted.id AND ${UNCLAIMED} RETURNING wanted.id, wanted.until`;

/**
 * $1 session, $2 claim, $3 seconds for which the claim is renewed. Renews the claim before each object.
 * Returns no row if the claim is lost.
 */
export const KEEP_LOCKS = `
  UPDATE session_archives SET next_at = now() + make_interval(secs => $3)
  WHERE session_id = $1 AND claim = $2 AND state IN ('clearing', 'archived') RETURNING session_id`;

/** $1 session, $2 claim, $3 whether the bucket has the legal hold. Stores this, and releases the claim. */
export const NOTE_HOLD = `
  UPDATE session_archives SET is_held = $3, claim = NULL, next_at = now(), fault = NULL WHERE session_id = $1 AND claim = $2`;

/** $1 session, $2 claim, $3 end of the lock. Stores the end of the lock, and releases the claim. */
export const NOTE_LOCK = `
  UPDATE session_archives SET locked_until = $3, claim = NULL, next_at = now(), fault = NULL WHERE session_id = $1 AND claim = $2`;

/** $1 session, $2 claim, $3 the fault of the bucket. Postpones the work on the locks by 15 minutes. */
export const POSTPONE_LOCKS = `
  UPDATE session_archives SET claim = NULL, next_at = now() + interval '15 minutes', fault = $3 WHERE session_id = $1 AND claim = $2`;

/** $1 ids of sessions, $2 claim. Releases recordings whose locks were not handled. */
export const RELEASE_LOCKS = `
  UPDATE session_archives SET claim = NULL, next_at = now() WHERE session_id = ANY ($1::uuid[]) AND claim = $2`;

/**
 * $1 claim, $2 seconds until another gateway may claim the recordings, $3 maximum number. Claims recordings
 * whose objects must be removed.
 */
export const CLAIM_REMOVALS = `
  UPDATE session_archives SET claim = $1, next_at = now() + make_interval(secs => $2) WHERE session_id IN (
    SELECT session_id FROM session_archives WHERE state = 'removing' AND next_at <= now()
    ORDER BY next_at LIMIT $3 FOR NO KEY UPDATE SKIP LOCKED)
  RETURNING session_id AS id, org_id AS "orgId"`;

/**
 * $1 session, $2 claim, $3 the fault of the bucket. The next attempt is made when the lock has ended, but not
 * within the next hour.
 */
export const POSTPONE_REMOVAL = `
  UPDATE session_archives SET claim = NULL, fault = $3, next_at = greatest(locked_until, now() + interval '1 hour')
  WHERE session_id = $1 AND claim = $2`;

/** $1 ids of sessions, $2 claim. Returns totals of the removed objects for each organization. */
export const SETTLE_REMOVALS = `
  WITH gone AS (
    DELETE FROM session_archives WHERE session_id = ANY ($1::uuid[]) AND claim = $2 AND state = 'removing' RETURNING session_id, org_id
  ), objects AS (
    DELETE FROM session_archive_segments AS segment USING gone WHERE segment.session_id = gone.session_id
    RETURNING segment.session_id, segment.org_id, segment.size
  )
  SELECT org_id AS "orgId", count(*)::int AS objects, sum(size)::float8 AS bytes, array_agg(DISTINCT session_id) AS sessions
  FROM objects GROUP BY org_id`;
