import { NO_CHUNK, chunkHash } from '../../src/sessions/format/chain';
import { type EventPiece, encodePieces } from '../../src/sessions/format/event-codec';
import type { TestDatabase } from './database';
import type { Person, TestGateway } from './gateway';

export interface Message {
  /** Id of the event; empty in streams without ids. */
  readonly id: string;
  /** Type of the event; `message` if the stream names no type. */
  readonly event: string;
  // Tests look into data of every shape.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

/** A reader of a stream of server-sent events. */
export interface Reader {
  readonly response: Response;
  readonly messages: readonly Message[];
  /** Resolves when the answer has ended normally (`ended`) or was aborted (`cut`). */
  readonly over: Promise<'ended' | 'cut'>;
  leave(): void;
}

/** Follows a session as this person, or with this bearer token. */
export async function listen(
  gateway: TestGateway,
  who: Person | { bearer: string },
  id: string,
  lastEventId?: string,
): Promise<Reader> {
  return listenAt(
    gateway,
    who,
    `/sessions/${id}/stream`,
    lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
  );
}

/** Reads the stream at a path as this person, or with this bearer token. */
export async function listenAt(
  gateway: TestGateway,
  who: Person | { bearer: string },
  path: string,
  headers: Record<string, string> = {},
): Promise<Reader> {
  const bearer = typeof who === 'string' ? await gateway.token(who) : who.bearer;
  const controller = new AbortController();
  const response = await fetch(`${gateway.api}${path}`, {
    headers: { authorization: `Bearer ${bearer}`, ...headers },
    signal: controller.signal,
  });
  const messages: Message[] = [];
  return { response, messages, over: collect(response, messages), leave: () => controller.abort() };
}

async function collect(response: Response, messages: Message[]): Promise<'ended' | 'cut'> {
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const bytes of response.body ?? []) {
      rest += decoder.decode(bytes as Uint8Array, { stream: true });
      const blocks = rest.split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) messages.push(...messageOf(block));
    }
    return 'ended';
  } catch {
    return 'cut';
  }
}

function messageOf(block: string): Message[] {
  const lines = block.split('\n').map((line) => /^(\w+): (.*)$/.exec(line)?.slice(1) ?? []);
  const {
    id = '',
    event = 'message',
    data,
  } = Object.fromEntries(lines) as Record<string, string | undefined>;
  return data === undefined ? [] : [{ id, event, data: JSON.parse(data) }];
}

/** Returns the events in the messages: `['o', 'text']`. Joins the pieces of large events. */
export function toldBy(messages: readonly Message[]): [string, string][] {
  const events: [string, string][] = [];
  let open: Buffer[] = [];
  for (const { event, data } of messages) {
    if (event !== 'message') continue;
    open.push(Buffer.from(data[2], 'base64'));
    if (data[3] === true) continue;
    events.push([data[1], Buffer.concat(open).toString()]);
    open = [];
  }
  return events;
}

/** Appends a chunk to a recording, as the recorder does. */
export async function storeChunk(
  database: TestDatabase,
  sessionId: string,
  pieces: readonly EventPiece[],
): Promise<void> {
  const [session] = await database.query<{ org_id: string; chunk_count: number; chain_hash: Buffer }>(
    'SELECT org_id, chunk_count, chain_hash FROM sessions WHERE id = $1',
    [sessionId],
  );
  const seq = (session?.chunk_count ?? 0) + 1;
  const previous = session?.chain_hash ?? NO_CHUNK;
  const payload = await encodePieces(pieces);
  const hash = chunkHash(previous, sessionId, seq, payload);
  const rawSize = pieces.reduce((sum, { content }) => sum + content.length, 0);
  const ended = pieces.filter(({ ends }) => ends).length;
  await database.query(
    `WITH chunk AS (INSERT INTO session_chunks (org_id, session_id, seq, event_count, raw_size, payload, previous, hash)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8))
     UPDATE sessions SET chunk_count = $3, chain_hash = $8, events_stored = events_stored + $4,
       events_received = events_received + $4, event_size = event_size + $5 WHERE id = $2`,
    [session?.org_id, sessionId, seq, ended, rawSize, payload, previous, hash],
  );
}
