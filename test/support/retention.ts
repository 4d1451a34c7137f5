import { Client } from 'pg';
import { v7 as uuid7 } from 'uuid';
import { encodePieces } from '../../src/sessions/format/event-codec';
import type { TestDatabase } from './database';
import { eventually } from './eventually';
import { type Answer, type TestGateway } from './gateway';

/** Runs the work while another connection holds the lock of the purge, as another gateway would. */
export async function purgedElsewhere<T>(gateway: TestGateway, work: () => Promise<T>): Promise<T> {
  const other = new Client({ connectionString: gateway.database.url });
  await other.connect();
  try {
    // Waits until an earlier purge has released the lock.
    await other.query('SELECT pg_advisory_lock(18248, 0)');
    return await work();
  } finally {
    await other.end();
  }
}

/** Returns the answer of GET /retention. */
export async function retentionOf(gateway: TestGateway): Promise<Answer['body']> {
  return (await gateway.call('auditor', 'GET', '/retention')).body;
}

/** Starts a purge, waits for its end, and returns its data. */
export async function purge(gateway: TestGateway): Promise<Answer['body']> {
  const answer = await eventually('a purge begins', async () => {
    const started = await gateway.call('admin', 'POST', '/retention/runs');
    return started.status === 202 && started;
  });
  return eventually(
    'a purge is over',
    async () => {
      const { runs, running } = await retentionOf(gateway);
      const run = runs.find(({ id }: { id: string }) => id === answer.body.id);
      return !running && run?.finished_at !== null && run;
    },
    240_000,
  );
}

interface Recorded {
  readonly connectionId: string;
  readonly start: Date;
  readonly count?: number;
  /** Ids of the sessions. Default: new ids with the time `start`. Given ids need not contain a time. */
  readonly ids?: readonly string[];
  /** Default: `done`. A session with status `done` ended at its start. */
  readonly status?: 'open' | 'done';
  readonly retentionDays?: number | null;
  readonly held?: boolean;
  /** Number of chunks of each recording. Default: 1. */
  readonly chunks?: number;
}

/**
 * Writes sessions with recordings directly into the store. Each recording contains `canary`. The search index
 * contains `canary` and the session's id. Returns the ids.
 */
export async function storeRecordings(database: TestDatabase, recorded: Recorded): Promise<string[]> {
  const { connectionId, start, count = 1, status = 'done', retentionDays = null, held = false } = recorded;
  const ids = recorded.ids ?? Array.from({ length: count }, () => uuid7({ msecs: start.getTime() }));
  const event = { time: 1, type: 'i' as const, content: Buffer.from('SELECT canary'), ends: true };
  const payload = await encodePieces([event]);
  const chunks = recorded.chunks ?? 1;
  await database.query(
    `INSERT INTO sessions (id, org_id, status, verb, type, connection_id, connection_name, connection_subtype,
       identity_type, user_subject, user_email, user_name, start_date, end_date, script, event_size,
       events_received, events_stored, chunk_count, retention_days, held_at, held_by)
     SELECT it, organizations.id, $3, 'exec', 'database', $2, 'orders', 'postgres', 'user', 'alice',
       'alice@example.com', 'Alice', $4::timestamptz, CASE $3 WHEN 'done' THEN $4::timestamptz END, 'SELECT canary',
       13 * $7::int, $7, $7, $7, $5::int, CASE WHEN $6 THEN now() END, CASE WHEN $6 THEN 'admin' END
     FROM unnest($1::uuid[]) AS it, organizations`,
    [ids, connectionId, status, start, retentionDays, held, chunks],
  );
  await database.query(
    `INSERT INTO session_chunks (org_id, session_id, seq, event_count, raw_size, payload, previous, hash)
     SELECT organizations.id, it, seq, 1, 13, $3, decode(repeat('00', 32), 'hex'), decode(repeat('01', 32), 'hex')
     FROM unnest($1::uuid[]) AS it, generate_series(1, $2::int) AS seq, organizations`,
    [ids, chunks, payload],
  );
  await database.query(
    `INSERT INTO session_texts (org_id, session_id, seq, part, session_start, words)
     SELECT organizations.id, it, 1, 0, $2::timestamptz, session_words('SELECT canary ' || it)
     FROM unnest($1::uuid[]) AS it, organizations`,
    [ids, start],
  );
  return [...ids];
}

export type Remains = 'whole' | 'gone' | 'torn';

/** Returns for each recording what is left in the database: all, nothing, or only a part (`torn`). */
export async function remainsOf(database: TestDatabase, ids: readonly string[]): Promise<Remains[]> {
  const rows = await database.query<{ id: string; remains: Remains }>(
    `SELECT id, CASE
       WHEN purged AND NOT script AND chunks = 0 AND words = 0 AND NOT noted THEN 'gone'
       WHEN NOT purged AND script AND chunks = chunk_count AND words > 0 AND NOT noted THEN 'whole'
       ELSE 'torn' END AS remains
     FROM (
       SELECT id, chunk_count, recording_purged_at IS NOT NULL AS purged, script IS NOT NULL AS script,
         (SELECT count(*) FROM session_chunks WHERE session_id = id) AS chunks,
         (SELECT count(*) FROM session_texts WHERE session_id = id) AS words,
         EXISTS (SELECT FROM session_removals WHERE session_id = id) AS noted
       FROM sessions WHERE id = ANY ($1::uuid[])
     ) AS session`,
    [ids],
  );
  const found = new Map(rows.map(({ id, remains }) => [id, remains]));
  return ids.map((id) => found.get(id) ?? 'torn');
}

export function daysAgo(days: number): Date {
  return new Date(Date.now() - days * 24 * 60 * 60 * 1000);
}
