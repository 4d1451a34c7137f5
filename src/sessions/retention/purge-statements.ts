/**
 * SQL: retention in a session's row, in days; 0: forever. The index of kept recordings has this expression.
 */
const OWN_DAYS = 'coalesce(session.retention_days, 0)';
const KEPT = `session.status = 'done' AND session.recording_purged_at IS NULL`;

/**
 * SQL condition for due recordings of a connection whose rows have the retention `days`. The current
 * retention of the connection applies, or `days` if the connection was deleted; null: forever. The time comes
 * from the clock of the database, which all gateways share. Retention is counted in hours, because a day can
 * have 23 hours in some time zones. The scan of the index ends with the last due recording, so kept
 * recordings cost nothing, even those of deleted connections.
 */
const isDue = (org: string, connection: string, days: string): string => `
  session.org_id = ${org} AND session.connection_id = ${connection} AND ${OWN_DAYS} = ${days} AND ${KEPT}
  AND session.end_date <= now() - make_interval(hours => 24 * (
    SELECT CASE WHEN count(*) = 0 THEN nullif(${days}, 0) ELSE min(retention_days) END FROM connections
    WHERE org_id = ${org} AND id = ${connection}))`;

/**
 * $1 organization. Counts due recordings without and with a hold, for each pair of a connection and a
 * retention in its rows. The pair with the oldest recording comes first. Each pair is read from the index
 * once.
 */
export const FIND_DUE = `
  WITH RECURSIVE kept (id, days) AS (
    (SELECT session.connection_id, ${OWN_DAYS} FROM sessions AS session WHERE session.org_id = $1 AND ${KEPT}
      ORDER BY session.connection_id, ${OWN_DAYS} LIMIT 1)
    UNION ALL
    SELECT next.id, next.days FROM kept CROSS JOIN LATERAL (
      SELECT session.connection_id AS id, ${OWN_DAYS} AS days FROM sessions AS session
      WHERE session.org_id = $1 AND ${KEPT} AND (session.connection_id, ${OWN_DAYS}) > (kept.id, kept.days)
      ORDER BY session.connection_id, ${OWN_DAYS} LIMIT 1) AS next
  )
  SELECT kept.id, kept.days, found.due::int, found.held::int
  FROM kept CROSS JOIN LATERAL (
    SELECT count(*) FILTER (WHERE session.held_at IS NULL) AS due,
      count(*) FILTER (WHERE session.held_at IS NOT NULL) AS held, min(session.end_date) AS oldest
    FROM sessions AS session WHERE ${isDue('$1', 'kept.id', 'kept.days')}
  ) AS found
  WHERE found.due + found.held > 0
  ORDER BY found.oldest`;

/**
 * $1 organization, $2 connection, $3 retention of the rows, $4 maximum rows. Locks due recordings. A
 * concurrent hold either is committed before the lock, so the row shows it, or waits for the lock. Rows that
 * another transaction has locked are left for a later batch.
 */
export const LOCK_DUE = `
  SELECT session.id FROM sessions AS session WHERE ${isDue('$1', '$2', '$3::int')} AND session.held_at IS NULL
  ORDER BY session.end_date, session.id LIMIT $4 FOR NO KEY UPDATE SKIP LOCKED`;

/**
 * $1 run, $2 ids of locked sessions. Removes the texts of the sessions: script, indexed words, MCP calls,
 * matches of rules and texts of an analysis. Keeps persons, times, sizes, verdicts, the end of the chain and
 * the seal. It is a separate statement, so that it sees everything that was stored before the rows were
 * locked.
 */
export const MARK = `
  WITH marked AS (
    UPDATE sessions SET recording_purged_at = now(), script = NULL, content_salt = NULL,
      guardrails_info = (
        SELECT coalesce(jsonb_agg(hit || '{"matched_words": [], "matches": []}' ORDER BY place), '[]')
        FROM jsonb_array_elements(guardrails_info) WITH ORDINALITY AS found (hit, place)),
      ai_analysis = ai_analysis || '{"title": "", "explanation": ""}'
    WHERE id = ANY ($2::uuid[]) RETURNING org_id, id, event_size
  ), forgotten AS (
    DELETE FROM session_texts WHERE session_id = ANY ($2::uuid[])
  ), uncalled AS (
    DELETE FROM session_calls WHERE session_id = ANY ($2::uuid[])
  ), unarchived AS (
    -- A gateway that stores objects of one of them has time to end that first.
    UPDATE session_archives SET state = 'removing', next_at = greatest(next_at, now()) WHERE session_id = ANY ($2::uuid[])
  ), noted AS (
    INSERT INTO session_removals (org_id, session_id) SELECT org_id, id FROM marked
  )
  UPDATE retention_runs SET updated_at = now(), purged = purged + found.count, bytes = bytes + found.size
  FROM (SELECT count(*), coalesce(sum(event_size), 0) AS size FROM marked) AS found WHERE id = $1`;

/** Finds months that have partitions and ended more than a day ago, with the bounds of their session ids. */
export const FIND_MONTHS = `
  SELECT name, first_session_id(begins) AS least, first_session_id(ends) AS bound FROM (
    SELECT DISTINCT right(relname, 7) AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE inhparent IN ('session_chunks'::regclass, 'session_texts'::regclass) AND relname ~ '_\\d{4}_\\d\\d$'
  ) AS part,
    LATERAL (SELECT to_date(name, 'YYYY_MM')::timestamp AS month) AS at,
    LATERAL (SELECT month AT TIME ZONE 'UTC' AS begins, (month + interval '1 month') AT TIME ZONE 'UTC' AS ends) AS bounds
  WHERE ends < now() - interval '1 day' ORDER BY name`;

/** $1 least id, $2 bound. Covers the sessions of all organizations, because they share the partition. */
export const IS_NEEDED = `
  SELECT EXISTS (SELECT FROM sessions WHERE recording_purged_at IS NULL AND id >= $1 AND id < $2) AS needed`;

/** $1 run, $2 least id, $3 bound. Counts the sessions of a dropped month as removed by this run. */
export const SETTLE_MONTH = `
  WITH gone AS (DELETE FROM session_removals WHERE session_id >= $2 AND session_id < $3 RETURNING 1)
  UPDATE retention_runs SET updated_at = now(), removed = removed + (SELECT count(*) FROM gone) WHERE id = $1`;

/**
 * $1 least ids and $2 bounds of months that will be dropped as a whole, $3 maximum rows. Finds purged
 * sessions of all other months that still have chunks.
 */
export const FIND_REMOVALS = `
  SELECT removal.session_id AS id FROM session_removals AS removal
  JOIN sessions AS session ON session.org_id = removal.org_id AND session.id = removal.session_id
  WHERE session.recording_purged_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM unnest($1::uuid[], $2::uuid[]) AS month (least, bound)
    WHERE removal.session_id >= least AND removal.session_id < bound)
  ORDER BY removal.session_id LIMIT $3`;

/** $1 ids of sessions, $2 maximum chunks to delete. */
export const REMOVE_CHUNKS = `
  WITH part AS MATERIALIZED (
    SELECT session_id, seq FROM session_chunks WHERE session_id = ANY ($1::uuid[]) ORDER BY session_id, seq LIMIT $2
  )
  DELETE FROM session_chunks AS chunk USING part
  WHERE chunk.session_id = ANY ($1::uuid[]) AND chunk.session_id = part.session_id AND chunk.seq = part.seq`;

/** $1 run, $2 ids of sessions without chunks. Counts the sessions as removed by this run. */
export const SETTLE = `
  WITH gone AS (DELETE FROM session_removals WHERE session_id = ANY ($2::uuid[]) RETURNING 1)
  UPDATE retention_runs SET updated_at = now(), removed = removed + (SELECT count(*) FROM gone) WHERE id = $1`;
