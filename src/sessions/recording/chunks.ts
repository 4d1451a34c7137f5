import { chunkHash } from './chain';
import { type EventPiece, type SessionEvent, encodePieces } from './event-codec';

/** Bytes of contents in a chunk, at most: what a reader holds at once. */
const CHUNK_BYTES = 256 * 1024;
/** Words are indexed in parts of this many characters: a tsvector tells no places beyond the 16 383rd word. */
const PART_CHARACTERS = 32 * 1024;

/** A chunk as it is stored, linked to the one before. */
export interface Chunk {
  readonly seq: number;
  readonly eventCount: number;
  readonly rawSize: number;
  readonly payload: Buffer;
  readonly previous: Buffer;
  readonly hash: Buffer;
}

/** Where the next chunk goes on. */
export interface ChainPlace {
  readonly sessionId: string;
  readonly chunkCount: number;
  readonly chainHash: Buffer;
}

/** The events as chunks that continue the chain. */
export async function chunksOf(events: readonly SessionEvent[], place: ChainPlace): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let previous = place.chainHash;
  // One at a time: the journal is written by the same few threads, and somebody waits for that.
  for (const pieces of draftsOf(events)) {
    const seq = place.chunkCount + chunks.length + 1;
    const payload = await encodePieces(pieces);
    const hash = chunkHash(previous, place.sessionId, seq, payload);
    chunks.push({
      seq,
      eventCount: pieces.filter((piece) => piece.ends).length,
      rawSize: pieces.reduce((sum, piece) => sum + piece.content.length, 0),
      payload,
      previous,
      hash,
    });
    previous = hash;
  }
  return chunks;
}

/** Fills one chunk after the other; an event that does not fit goes on in the next. */
function* draftsOf(events: readonly SessionEvent[]): Generator<EventPiece[]> {
  let pieces: EventPiece[] = [];
  let room = CHUNK_BYTES;
  for (const event of events) {
    let rest = event.content;
    for (;;) {
      if (room === 0) {
        yield pieces;
        pieces = [];
        room = CHUNK_BYTES;
      }
      const ends = rest.length <= room;
      const piece = ends ? rest : rest.subarray(0, room);
      pieces.push(pieceOf(event, piece, ends));
      room -= piece.length;
      if (ends) break;
      rest = rest.subarray(piece.length);
    }
  }
  if (pieces.length > 0) yield pieces;
}

function pieceOf({ time, type, values }: SessionEvent, content: Buffer, ends: boolean): EventPiece {
  return values ? { time, type, values, content, ends } : { time, type, content, ends };
}

/** A part of a recorded input, for the index of words. `seq` is the first chunk of those it was stored with. */
export interface TextPart {
  readonly seq: number;
  readonly part: number;
  readonly text: string;
}

/** What inputs say, in parts that the index can take; cut between words where there is a gap near the end. */
export function textsOf(events: readonly SessionEvent[], seq: number): TextPart[] {
  const parts: TextPart[] = [];
  for (const { type, content } of events) {
    if (type !== 'i') continue;
    // PostgreSQL's text knows no NUL.
    let rest = content.toString().replaceAll('\0', ' ');
    while (rest !== '') {
      const text = partOf(rest);
      parts.push({ seq, part: parts.length, text });
      rest = rest.slice(text.length);
    }
  }
  return parts;
}

const LONGEST_WORD = 1024;

function partOf(text: string): string {
  if (text.length <= PART_CHARACTERS) return text;
  const gap = text.slice(PART_CHARACTERS - LONGEST_WORD, PART_CHARACTERS).search(/\s\S*$/);
  return text.slice(0, gap === -1 ? PART_CHARACTERS : PART_CHARACTERS - LONGEST_WORD + gap + 1);
}
