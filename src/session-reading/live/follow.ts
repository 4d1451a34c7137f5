import { setTimeout as delay } from 'node:timers/promises';
import { databaseOutage } from '../../database/outage';
import { type EventPiece, decodePieces } from '../../recording-format/event-codec';
import type { Session, SessionChunk } from '../../recording/session.entity';
import { END_ID, type Position, idOf } from './position';

/** A session in the store, as it is now. */
export type SessionState = Pick<Session, 'status' | 'exitCode' | 'endDate' | 'chunkCount'>;

/** What is followed. Each question is asked of the store anew. */
export interface Followed {
  state(): Promise<SessionState>;
  /** The chunks from that number on that are stored by now. */
  chunks(from: number): AsyncIterable<Pick<SessionChunk, 'seq' | 'payload'>>;
  /** Resolves as long as the reader may read; to be asked before each chunk. */
  confirm(): Promise<void>;
}

/** All in milliseconds. */
export const PACE = {
  /** Between two looks for something new. */
  look: 250,
  /** Proxies close what is silent for long, mostly after 30 s or more. */
  heartbeat: 15_000,
  /** How soon a reader who lost the stream asks again. */
  retry: 1_000,
  /** How long the database may be away before the stream gives up. */
  patience: 60_000,
};

/**
 * A recording as messages of an event stream (HTML, "Server-sent events"): what is stored, then what comes, then its
 * end. The next piece is read when the last one was taken, so memory stays flat however slow the reader is. Ends
 * without an end message once the signal is aborted.
 */
export async function* follow(
  followed: Followed,
  from: Position,
  signal: AbortSignal,
  pace = PACE,
): AsyncGenerator<string> {
  let saidAt = performance.now();
  let reachedAt = saidAt;
  let next = from;
  yield `retry: ${pace.retry}\n\n`;
  while (!signal.aborted) {
    try {
      // In this order: what is done gets no more chunks, so all are seen before the end is told.
      const state = await followed.state();
      reachedAt = performance.now();
      if (state.chunkCount >= next.seq) {
        for await (const { piece, at, after } of piecesFrom(followed, next)) {
          if (signal.aborted) return;
          next = after;
          yield messageOf(piece, at);
          saidAt = reachedAt = performance.now();
        }
      }
      if (state.status === 'done') {
        await followed.confirm();
        if (!signal.aborted) yield endOf(state);
        return;
      }
    } catch (error) {
      // A reader that is cut off would ask again, and be refused, until the database is back.
      const isAway = databaseOutage(error) !== undefined;
      if (!isAway || performance.now() - reachedAt > pace.patience) throw error;
    }
    if (performance.now() - saidAt >= pace.heartbeat) {
      yield ': the session goes on\n\n';
      saidAt = performance.now();
    }
    await delay(pace.look, undefined, { signal }).catch(() => undefined);
  }
}

interface Placed {
  readonly piece: EventPiece;
  readonly at: Position;
  /** Where to go on after it. */
  readonly after: Position;
}

async function* piecesFrom(followed: Followed, from: Position): AsyncGenerator<Placed> {
  for await (const { seq, payload } of followed.chunks(from.seq)) {
    await followed.confirm();
    const pieces = await decodePieces(payload);
    const first = seq === from.seq ? from.index : 0;
    for (const [place, piece] of pieces.slice(first).entries()) {
      const index = first + place;
      const isLast = index === pieces.length - 1;
      yield {
        piece,
        at: { seq, index },
        after: isLast ? { seq: seq + 1, index: 0 } : { seq, index: index + 1 },
      };
    }
  }
}

/** The triple of `event_stream`; with a fourth element, true, where the event goes on in the next message. */
function messageOf({ time, type, content, ends }: EventPiece, at: Position): string {
  const triple = [time, type, content.toString('base64'), ...(ends ? [] : [true])];
  return `id: ${idOf(at)}\ndata: ${JSON.stringify(triple)}\n\n`;
}

function endOf({ status, exitCode, endDate }: SessionState): string {
  const end = { status, exit_code: exitCode, end_date: endDate };
  return `id: ${END_ID}\nevent: end\ndata: ${JSON.stringify(end)}\n\n`;
}
