import { type EventContent, LARGE_BYTES } from '../../gate/ports/session-recorder';
import { piecesOf } from '../../kernel/text/pieces';
import { CHUNK_BYTES } from './draft';

/**
 * Number of characters whose bytes always fit into a chunk, because UTF-8 needs at most three bytes for a
 * UTF-16 code unit.
 */
const PIECE_CHARACTERS = 64 * 1024;

export interface LargePiece {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * Whether an event is recorded in pieces. Other events of one turn of the event loop are recorded together.
 */
export function isLarge(content: EventContent): boolean {
  return isInPieces(content) || content.length > LARGE_BYTES;
}

/** Size of the recorded event in bytes; an estimate for a large text. */
export function roomFor(content: EventContent): number {
  if (isInPieces(content)) return content.reduce((sum, { length }) => sum + length, 0);
  if (typeof content !== 'string' || isLarge(content)) return content.length;
  return Buffer.byteLength(content);
}

/** Yields the content in one or more pieces. Each piece fills a chunk, except the last. */
export function* piecesIn(content: EventContent): Generator<LargePiece> {
  let rest: Buffer = Buffer.alloc(0);
  for (const bytes of bytesIn(content)) {
    // Yields a full piece only when more bytes follow, because otherwise it is the last piece.
    if (rest.length === CHUNK_BYTES) {
      yield { bytes: rest, isLast: false };
      rest = bytes;
      continue;
    }
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    if (joined.length > CHUNK_BYTES) yield { bytes: joined.subarray(0, CHUNK_BYTES), isLast: false };
    rest = joined.length > CHUNK_BYTES ? joined.subarray(CHUNK_BYTES) : joined;
  }
  yield { bytes: rest, isLast: true };
}

/** Yields the bytes in pieces no larger than a chunk. */
function* bytesIn(content: EventContent): Generator<Buffer> {
  if (typeof content === 'string') {
    for (const piece of piecesOf(content, PIECE_CHARACTERS)) yield Buffer.from(piece);
    return;
  }
  for (const bytes of isInPieces(content) ? content : [content])
    for (let at = 0; at < bytes.length; at += CHUNK_BYTES) yield bytes.subarray(at, at + CHUNK_BYTES);
}

function isInPieces(content: EventContent): content is readonly Buffer[] {
  return Array.isArray(content);
}
