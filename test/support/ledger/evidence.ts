import type { Client } from 'pg';
import { type ChainHead, type RecordedEvent, type StoredChunk, readChunks } from './chunks';
import type { Ledger } from './ledger';
import type { LedgerWorld } from './ledger-world';
import type { SessionEvidence } from './session-findings';
import type { WireEvidence, WireLedger } from './wire-ledger';

const READERS = 4;

type WireRow = Omit<WireEvidence, 'events' | 'faults'> & { readonly id: string };

/** Answer of GET /sessions/{id} with all expansions. */
interface SessionView {
  readonly status: string;
  readonly end_date: string | null;
  readonly exit_code: number | null;
  readonly script: { readonly data: string } | null;
  readonly event_stream: [number, string, string][];
  readonly metrics: { events_received: number; events_stored: number; events_buffered: number };
}

/**
 * Passes every session of a batch to the ledger (`ledger.ts`): the session as the API shows it, and its
 * stored chunks. Returns the numbers of sessions and events.
 */
export async function inspectAll(
  world: LedgerWorld,
  ledger: Ledger,
  batch: string,
): Promise<{ sessions: number; events: number }> {
  const token = await world.token();
  const counts = { sessions: 0, events: 0 };
  const ids = await world.database.connected(async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'SELECT id FROM sessions WHERE session_batch_id = $1 ORDER BY start_date',
      [batch],
    );
    return rows.map(({ id }) => id);
  });
  const read = async (client: Client): Promise<void> => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const session = await evidenceOf(world, client, id, token);
      ledger.inspect(session);
      counts.sessions += 1;
      counts.events += session.events.length;
    }
  };
  await Promise.all(Array.from({ length: READERS }, () => world.database.connected(read)));
  return counts;
}

/**
 * Passes every session of a PostgreSQL client to the ledger. It reads only the rows and chunks, not the API.
 * Returns the numbers of sessions and events.
 */
export async function inspectWire(
  world: LedgerWorld,
  ledger: WireLedger,
): Promise<{ sessions: number; events: number }> {
  const counts = { sessions: 0, events: 0 };
  await world.database.connected(async (client) => {
    const { rows } = await client.query<WireRow>(
      `SELECT id, labels ->> 'application_name' AS visit, status, end_date AS "endDate",
         events_received::int AS received
       FROM sessions WHERE labels ->> 'application_name' LIKE 'wire-%' ORDER BY start_date`,
    );
    for (const { id, ...row } of rows) {
      const stored = await storedEvents(client, id);
      ledger.inspect({ ...row, ...stored });
      counts.sessions += 1;
      counts.events += stored.events.length;
    }
  });
  return counts;
}

async function evidenceOf(
  world: LedgerWorld,
  client: Client,
  id: string,
  token: string,
): Promise<SessionEvidence> {
  const { events, faults } = await storedEvents(client, id);
  const look = (query: string) => viewOf(world, `/sessions/${id}?expand=${query}`, token);
  // The API aborts its answer if it cannot read the recording. The session is then read without its events.
  const whole = await look('event_stream,session_input').catch((error: Error) => {
    faults.push(`the API cannot tell it: ${error.message}`);
    return undefined;
  });
  if (whole !== undefined && !isSame(events, shownEvents(whole)))
    faults.push('the API tells other events than its chunks hold');
  const view = whole ?? (await look('session_input'));
  return {
    id,
    status: view.status,
    endDate: view.end_date,
    exitCode: view.exit_code,
    script: view.script?.data ?? null,
    received: view.metrics.events_received,
    stored: view.metrics.events_stored,
    buffered: view.metrics.events_buffered,
    events,
    faults,
  };
}

async function viewOf(world: LedgerWorld, path: string, token: string): Promise<SessionView> {
  const response = await world.gateway().get(path, token);
  if (!response.ok) throw new Error(`${path} was answered with ${response.status}: ${await response.text()}`);
  return (await response.json()) as SessionView;
}

function shownEvents({ event_stream }: SessionView): RecordedEvent[] {
  return event_stream.map(([, type, content]) => ({
    type,
    content: Buffer.from(content, 'base64').toString(),
  }));
}

/** Returns the events in the stored chunks of a session, and the faults of the chunks. */
export async function storedEvents(client: Client, id: string) {
  // Converts the row to JSON, so that the query also works if the table does not have these columns.
  const head = await client.query<ChainHead>(
    `SELECT to_jsonb(s) -> 'chunk_count' AS chunk_count, decode(substr(to_jsonb(s) ->> 'chain_hash', 3), 'hex') AS chain_hash
     FROM sessions AS s WHERE id = $1`,
    [id],
  );
  const chunks = await client.query<StoredChunk>(
    'SELECT seq, event_count, payload, hash FROM session_chunks WHERE session_id = $1 ORDER BY seq',
    [id],
  );
  const { chunk_count, chain_hash = null } = head.rows[0] ?? {};
  return readChunks(id, chunks.rows, {
    chain_hash,
    ...(typeof chunk_count === 'number' ? { chunk_count } : {}),
  });
}

function isSame(stored: readonly RecordedEvent[], shown: readonly RecordedEvent[]): boolean {
  return (
    stored.length === shown.length &&
    stored.every(({ type, content }, at) => shown[at]?.type === type && shown[at]?.content === content)
  );
}
