import { PIECE_HEAD_BYTES, LOWER_CASE, writeContent, writeHead } from './event-codec';
import { bufferOf, giveBack } from './spare-buffers';

/** Maximum bytes of content in a chunk, which a reader holds in memory at once. */
export const CHUNK_BYTES = 256 * 1024;
/**
 * Size in bytes, with headers, at which a chunk accepts no more events. It limits chunks of small events,
 * whose headers are larger than their content.
 */
const PIECES_BYTES = 288 * 1024;
const SMALLEST_BYTES = 256;
const NOTHING: Buffer = Buffer.alloc(0);

/** An event, or a piece of a large event, that is added to a chunk under construction. */
export interface DraftPiece {
  /** Number of the event. */
  readonly number: number;
  readonly time: number;
  /** Letter from `letterOf`; in upper case if the event continues in the next chunk. */
  readonly letter: number;
  readonly content: string | Buffer;
  /** Size of the content in bytes. */
  readonly length: number;
}

/**
 * A chunk under construction. Events are written in their stored form into one buffer as they arrive, because
 * an object for each of many small events would cost too much memory.
 */
export class Draft {
  private buffer: Buffer;
  private used = 0;
  private isSealed = false;
  /** Number of the last event, of which the draft may contain only a piece. */
  last: number;
  /** Whether the last event continues in the next chunk. */
  isOpenEnded = false;
  /** Total bytes of content, without headers. */
  rawSize = 0;
  /** Number of events that end in this chunk. */
  eventCount = 0;
  /** Time of its first event (`performance.now()`). */
  readonly begunAt = performance.now();

  /**
   * @param first Number of the first piece's event. Later events follow without gaps.
   * @param mark Number of the journal batch that was open when the first piece arrived; see `oldestMark`.
   * @param size Expected bytes of the stored pieces.
   */
  constructor(
    private first: number,
    readonly mark: number,
    size: number,
  ) {
    this.last = first - 1;
    this.buffer = bufferOf(Math.max(size, SMALLEST_BYTES));
  }

  /** The events in stored form. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.used);
  }

  /** Returns how many bytes of event `number` still fit; 0 when the draft accepts no more. */
  roomFor(number: number): number {
    const isClosed = this.isSealed || this.isOpenEnded || this.used >= PIECES_BYTES;
    return isClosed || number !== this.last + 1 ? 0 : CHUNK_BYTES - this.rawSize;
  }

  /** Closes the draft because it is being stored. Later events go into another draft. */
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

  /** Removes the events up to and including `number`. */
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

  /** Releases the buffer. The draft and all `bytes` that it returned must not be used any more. */
  release(): void {
    giveBack(this.buffer);
    this.buffer = NOTHING;
    this.used = 0;
  }

  /** Makes room for `length` more bytes. Returns their offset. */
  private reserve(length: number): number {
    const needed = this.used + length;
    if (needed > this.buffer.length) {
      const larger = bufferOf(Math.max(needed, this.buffer.length * 2));
      this.buffer.copy(larger, 0, 0, this.used);
      giveBack(this.buffer);
      this.buffer = larger;
    }
    return this.used;
  }
}
