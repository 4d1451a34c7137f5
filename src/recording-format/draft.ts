import { PIECE_HEAD_BYTES, LOWER_CASE, writeContent, writeHead } from './event-codec';

/** Bytes of contents in a chunk, at most: what a reader holds at once. */
export const CHUNK_BYTES = 256 * 1024;
/** Small events have more heads than contents: a chunk that has so much of both takes no more. */
const PIECES_BYTES = 288 * 1024;
const SMALLEST_BYTES = 256;

/** An event, or a piece of one, on its way into a draft. */
export interface DraftPiece {
  /** Number of the event. */
  readonly number: number;
  readonly time: number;
  /** As `letterOf` gives it; in upper case where the event goes on in the next draft. */
  readonly letter: number;
  readonly content: string | Buffer;
  /** Bytes of the content. */
  readonly length: number;
}

/**
 * A chunk in the making. Events are written into one buffer as they come, in the form in which they are stored: an
 * object for each of many small ones, kept until it is stored, would cost more than all the rest.
 */
export class Draft {
  private buffer: Buffer;
  private used = 0;
  private isSealed = false;
  /** Number of the event that the last piece belongs to. */
  last: number;
  /** The last event goes on in the next draft. */
  isOpenEnded = false;
  /** Bytes of contents. */
  rawSize = 0;
  /** How many events end here. */
  eventCount = 0;

  /**
   * @param first Number of the event that the first piece belongs to; the others follow without a gap.
   * @param mark What its owner is told again when it asks for the oldest that waits.
   * @param size Bytes of pieces that are expected.
   */
  constructor(
    private first: number,
    readonly mark: number,
    size: number,
  ) {
    this.last = first - 1;
    this.buffer = Buffer.allocUnsafe(Math.max(size, SMALLEST_BYTES));
  }

  /** Its pieces. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  /** For how many bytes of content of a new event there is room; 0 when none may come. */
  roomFor(number: number): number {
    const isClosed = this.isSealed || this.isOpenEnded || this.used >= PIECES_BYTES;
    return isClosed || number !== this.last + 1 ? 0 : CHUNK_BYTES - this.rawSize;
  }

  /** It is on its way: what comes next goes into another one. */
  seal(): void {
    this.isSealed = true;
  }

  add({ number, time, letter, content, length }: DraftPiece): void {
    const start = this.reserve(PIECE_HEAD_BYTES + length) + PIECE_HEAD_BYTES;
    writeHead(this.buffer, this.used, time, letter, length);
    writeContent(this.buffer, start, content, length);
    this.used = start + length;
    this.rawSize += length;
    this.last = number;
    this.isOpenEnded = (letter & LOWER_CASE) === 0;
    if (!this.isOpenEnded) this.eventCount += 1;
  }

  /** Forgets the events up to that number, some of which are here. */
  dropThrough(number: number): void {
    let at = 0;
    while (this.first <= number) {
      const length = this.buffer.readUInt32LE(at + 9);
      const ends = ((this.buffer[at + 8] ?? 0) & LOWER_CASE) !== 0;
      this.rawSize -= length;
      at += PIECE_HEAD_BYTES + length;
      if (!ends) continue;
      this.eventCount -= 1;
      this.first += 1;
    }
    this.buffer = this.buffer.subarray(at);
    this.used -= at;
  }

  /** Where there are so many bytes free. */
  private reserve(length: number): number {
    const needed = this.used + length;
    if (needed > this.buffer.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
      this.buffer.copy(larger, 0, 0, this.used);
      this.buffer = larger;
    }
    return this.used;
  }
}
