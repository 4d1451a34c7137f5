import { type EventContent, LARGE_BYTES } from '../gate/ports/session-recorder';
import { piecesOf } from '../kernel/pieces';
import { CHUNK_BYTES } from './draft';

/** Of a text, so that its bytes fit into a chunk: UTF-8 has no more than three for a UTF-16 code unit. */
const PIECE_CHARACTERS = 64 * 1024;

export interface LargePiece {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/** Whether it is recorded bit by bit, and not with all else of its turn of the event loop. */
export function isLarge(content: EventContent): boolean {
  return isInPieces(content) || content.length > LARGE_BYTES;
}

/** Bytes that it will take; of a large text about. */
export function roomFor(content: EventContent): number {
  if (isInPieces(content)) return content.reduce((sum, { length }) => sum + length, 0);
  if (typeof content !== 'string' || isLarge(content)) return content.length;
  return Buffer.byteLength(content);
}

/** What it says in pieces that fill a chunk each, but for the last; one at least. */
export function* piecesIn(content: EventContent): Generator<LargePiece> {
  let rest: Buffer = Buffer.alloc(0);
  for (const bytes of bytesIn(content)) {
    // What fills a chunk exactly may be the last.
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

/** In pieces of no more than a chunk. */
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
