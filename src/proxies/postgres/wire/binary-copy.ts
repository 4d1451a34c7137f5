import type { Message } from './client-messages';
import { HEAD_BYTES, int32 } from './message';
import { COPY_DATA } from './types';

/** The first bytes of COPY data in binary form. Source: PostgreSQL documentation, COPY, "Binary Format". */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FLAGS_END = SIGNATURE.length + 4;
const HEADER_BYTES = FLAGS_END + 4;
/** Mask of the flags that a reader must understand. PostgreSQL has defined none yet. */
const CRITICAL_FLAGS = 0xff_ff_00_00;
const TRAILER = 0xff_ff;
const NULL_LENGTH = -1;

/** Thrown if COPY data in binary form are invalid, or have a wrong number of columns. */
export class MalformedCopy extends Error {}

/** Returns the offset of the first tuple between `at` and `end`, after the header if there is one. */
export function tuplesFrom(bytes: Buffer, at: number, end: number): number {
  if (
    end - at < HEADER_BYTES ||
    bytes.compare(SIGNATURE, 0, SIGNATURE.length, at, at + SIGNATURE.length) !== 0
  )
    return at;
  return at + HEADER_BYTES + bytes.readInt32BE(at + FLAGS_END);
}

/** Whether a tuple begins at `at`; false for the trailer or the end of the data. */
export function isTuple(bytes: Buffer, at: number, end: number): boolean {
  return at + 2 <= end && bytes.readUInt16BE(at) !== TRAILER;
}

/**
 * Regroups COPY data in binary form, because its messages may end anywhere. The new messages contain only
 * whole tuples, and possibly the header or the trailer. A message that already contains only whole tuples
 * stays unchanged.
 */
export class BinaryCopyPieces {
  /** Bytes of the incomplete tuple, and their number. */
  private begun: Buffer[] = [];
  private begunBytes = 0;
  /** The current field, the number of its missing bytes, and its bytes so far. */
  private field: 'header' | 'extension' | 'count' | 'length' | 'value' = 'header';
  private missing = HEADER_BYTES;
  private readonly read = Buffer.alloc(HEADER_BYTES);
  /** Whether the trailer was read. */
  private isOver = false;
  /** Number of cells that the current tuple still lacks. */
  private cells = 0;

  constructor(
    private readonly columns: number,
    /** Maximum size of a tuple in bytes. */
    private readonly maxBytes: number,
  ) {}

  /** Whether the data so far end with a whole tuple. */
  get isWhole(): boolean {
    return this.begunBytes === 0;
  }

  /**
   * Adds a COPY data message.
   * @returns a message with all tuples that are complete; undefined if there are none
   * @throws MalformedCopy
   */
  add(message: Message): Message | undefined {
    const { bytes, end } = message;
    const start = message.start + HEAD_BYTES;
    const whole = this.scan(bytes, start, end);
    if (whole === end && this.begunBytes === 0) return message;
    if (whole === undefined) {
      this.keepPart(bytes, start, end);
      return undefined;
    }
    const parts = [...this.begun, bytes.subarray(start, whole)];
    const size = this.begunBytes + whole - start;
    this.begun = [];
    this.begunBytes = 0;
    this.keepPart(bytes, whole, end);
    const framed = Buffer.concat([Buffer.of(COPY_DATA), int32(size + 4), ...parts]);
    return { bytes: framed, start: 0, end: framed.length };
  }

  private keepPart(bytes: Buffer, start: number, end: number): void {
    if (start === end) return;
    this.begun.push(Buffer.from(bytes.subarray(start, end)));
    this.begunBytes += end - start;
    if (this.begunBytes > this.maxBytes)
      throw new MalformedCopy(`a row is larger than ${this.maxBytes} bytes`);
  }

  /**
   * Continues reading after the last field.
   * @returns the end of the last complete tuple, header or trailer in these bytes; undefined if none ends
   * here
   */
  private scan(bytes: Buffer, start: number, end: number): number | undefined {
    let whole: number | undefined;
    let at = start;
    while (at < end) {
      if (this.isOver) throw new MalformedCopy('there are data after the trailer');
      const taken = Math.min(this.missing, end - at);
      // Only the length of a value or an extension matters, so their bytes are not copied.
      if (this.field !== 'value' && this.field !== 'extension')
        bytes.copy(this.read, SIZES[this.field] - this.missing, at, at + taken);
      at += taken;
      this.missing -= taken;
      while (this.missing === 0 && !this.isOver) if (this.finishField()) whole = at;
    }
    return whole;
  }

  /** Handles a complete field. @returns whether it ends a tuple, the header or the trailer. */
  private finishField(): boolean {
    switch (this.field) {
      case 'header':
        return this.next('extension', this.extensionBytes());
      case 'extension':
        this.next('count', 2);
        return true;
      case 'count':
        return this.countRead();
      case 'length': {
        const length = this.read.readInt32BE(0);
        if (length < NULL_LENGTH) throw new MalformedCopy('a value has a length below 0');
        return this.next('value', Math.max(length, 0));
      }
      case 'value':
        this.cells -= 1;
        return this.beginsCell();
    }
  }

  private extensionBytes(): number {
    const { read } = this;
    const isSigned = read.subarray(0, SIGNATURE.length).equals(SIGNATURE);
    const length = read.readInt32BE(FLAGS_END);
    if (!isSigned || (read.readUInt32BE(SIGNATURE.length) & CRITICAL_FLAGS) !== 0 || length < 0)
      throw new MalformedCopy('the header has unknown critical flags');
    return length;
  }

  private countRead(): boolean {
    const count = this.read.readUInt16BE(0);
    if (count === TRAILER) {
      this.isOver = true;
      return true;
    }
    if (count !== this.columns) throw new MalformedCopy('a row has not as many values as there are columns');
    this.cells = count;
    return this.beginsCell();
  }

  private beginsCell(): boolean {
    if (this.cells > 0) return this.next('length', 4);
    this.next('count', 2);
    return true;
  }

  private next(field: BinaryCopyPieces['field'], bytes: number): false {
    this.field = field;
    this.missing = bytes;
    return false;
  }
}

const SIZES = { header: HEADER_BYTES, count: 2, length: 4 } as const;
