import { setTimeout as delay } from 'node:timers/promises';
import { databaseOutage } from '../../../platform/database/faults/outage';
import { isUnavailable } from '../../../kernel/app-error';
import { type EventPiece, decodePieces } from '../../format/event-codec';
import type { ChunkFacts } from '../../format/verification';
import type { SessionRow } from '../../recording/session.entity';
import { END_ID, type Position, idOf } from './position';

/** The current state of a session in the store. */
export type SessionState = Pick<SessionRow, 'status' | 'exitCode' | 'endDate' | 'chunkCount'>;

/** The session that a live stream follows. Each call reads the stored state again. */
export interface Followed {
  state(): Promise<SessionState>;
  /** Reads the stored chunks, beginning with number `from`. */
  chunks(from: number): AsyncIterable<Pick<ChunkFacts, 'seq' | 'payload'>>;
  /** Checks before each chunk that the reader may still read. If not, the signal of the stream is aborted. */
  confirm(): Promise<void>;
}

/** Times in milliseconds. */
export const INTERVALS = {
  /** Pause between two polls of the session. */
  look: 250,
  /** Delay after which a client that lost the stream reconnects. */
  retry: 1_000,
  /** Maximum time for which the database or object storage may be unreachable before the stream fails. */
  patience: 60_000,
};

/**
 * Yields a recording as messages of an event stream (HTML, "Server-sent events"): stored events, then new
 * events, then the end. Reads a piece of the recording only after the reader took the previous one, so a slow
 * reader needs no more memory. Returns without an end message once the signal is aborted.
 */
export async function* follow(
  followed: Followed,
  from: Position,
  signal: AbortSignal,
  pace = INTERVALS,
): AsyncGenerator<string> {
  let reachedAt = performance.now();
  let next = from;
  yield `retry: ${pace.retry}\n\n`;
  while (!signal.aborted) {
    try {
      // Reads the state first. All chunks are stored before a session is `done`, so none is missed.
      const state = await followed.state();
      reachedAt = performance.now();
      if (state.chunkCount >= next.seq) {
        for await (const { piece, at, after } of piecesFrom(followed, next)) {
          if (signal.aborted) return;
          next = after;
          yield messageOf(piece, at);
          reachedAt = performance.now();
        }
      }
      if (state.status === 'done') {
        await followed.confirm();
        if (!signal.aborted) yield endOf(state);
        return;
      }
    } catch (error) {
      // Keeps the stream open, because a client that reconnected would be refused until the database, or the
      // object storage that has the recording, is back.
      const isAway = databaseOutage(error) !== undefined || isUnavailable(error);
      if (!isAway || performance.now() - reachedAt > pace.patience) throw error;
    }
    await delay(pace.look, undefined, { signal }).catch(() => undefined);
  }
}

interface Placed {
  readonly piece: EventPiece;
  readonly at: Position;
  /** Position of the next piece of the recording. */
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

/**
 * Returns the message for a piece of an event: a triple as in `event_stream`. A fourth element, `true`, means
 * that the event continues in the next message.
 */
function messageOf({ time, type, content, ends }: EventPiece, at: Position): string {
  const triple = [time, type, content.toString('base64'), ...(ends ? [] : [true])];
  return `id: ${idOf(at)}\ndata: ${JSON.stringify(triple)}\n\n`;
}

function endOf({ status, exitCode, endDate }: SessionState): string {
  const end = { status, exit_code: exitCode, end_date: endDate };
  return `id: ${END_ID}\nevent: end\ndata: ${JSON.stringify(end)}\n\n`;
}
