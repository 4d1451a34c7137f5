import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';

export interface RecordedEvent {
  readonly type: string;
  readonly content: string;
}

/** A row of `session_chunks`. */
export interface StoredChunk {
  readonly seq: number;
  readonly event_count: number;
  readonly payload: Buffer;
  readonly hash: Buffer;
}

/** The totals of a recording in the session's row, if the row has them. */
export interface ChainHead {
  readonly chunk_count?: number;
  readonly chain_hash?: Buffer | null;
}

const HEAD_BYTES = 13;

/**
 * Reads the chunks of one session by the published format, not by the gateway's own code, and reports faults
 * in them. A piece is: time (float64 LE) · type (1) · length (uint32 LE) · content. If the type is in upper
 * case, the next piece continues the event. If it is in lower case, the event ends with this piece.
 */
export function readChunks(sessionId: string, chunks: readonly StoredChunk[], head: ChainHead = {}) {
  const faults: string[] = [];
  const events: RecordedEvent[] = [];
  let previous: Buffer = Buffer.alloc(32);
  let begun: Buffer[] = [];
  for (const [index, chunk] of chunks.entries()) {
    const place = `${sessionId}:${chunk.seq}:`;
    if (chunk.seq !== index + 1) faults.push(`chunk ${index + 1} has the number ${chunk.seq}`);
    previous = createHash('sha256').update(previous).update(place).update(chunk.payload).digest();
    if (!previous.equals(chunk.hash)) faults.push(`chunk ${chunk.seq} does not fit its hash`);
    const before = events.length;
    try {
      for (const { type, content } of piecesOf(inflateRawSync(chunk.payload))) {
        begun.push(content);
        if (type !== type.toLowerCase()) continue;
        events.push({ type, content: Buffer.concat(begun).toString() });
        begun = [];
      }
    } catch (error) {
      faults.push(`chunk ${chunk.seq} cannot be read: ${String(error)}`);
    }
    const ended = events.length - before;
    if (ended !== chunk.event_count)
      faults.push(`chunk ${chunk.seq} holds ${ended} events, not ${chunk.event_count}`);
  }
  if (begun.length > 0) faults.push('the last event has no end');
  if (head.chunk_count !== undefined && head.chunk_count !== chunks.length)
    faults.push(`${chunks.length} chunks are there, not ${head.chunk_count}`);
  if (head.chain_hash && chunks.length > 0 && !previous.equals(head.chain_hash))
    faults.push('the head of the chain is another one');
  return { events, faults };
}

function* piecesOf(bytes: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let at = 0; at < bytes.length;) {
    const start = at + HEAD_BYTES;
    const end = start + bytes.readUInt32LE(at + 9);
    if (end > bytes.length) throw new Error('a piece is cut');
    yield { type: bytes.toString('latin1', at + 8, at + 9), content: bytes.subarray(start, end) };
    at = end;
  }
}
