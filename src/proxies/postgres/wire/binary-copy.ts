import type { Message } from './client-messages';
import { HEAD_BYTES, int32 } from './message';
import { COPY_DATA } from './types';

/** With what data of COPY in binary form begin. Source: PostgreSQL documentation, COPY, "Binary Format". */
const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const FLAGS_END = SIGNATURE.length + 4;
const HEADER_BYTES = FLAGS_END + 4;
/** Flags of which a reader has to know the meaning: there are none by now. */
const CRITICAL_FLAGS = 0xff_ff_00_00;
const TRAILER = 0xff_ff;
const NULL_LENGTH = -1;

/** The data are not in the form that COPY has, or not of as many columns. */
export class MalformedCopy extends Error {}

/** Where the tuples begin in data that lie from `at` to `end`: behind the header, if they begin with one. */
export function tuplesFrom(bytes: Buffer, at: number, end: number): number {
  if (
    end - at < HEADER_BYTES ||
    bytes.compare(SIGNATURE, 0, SIGNATURE.length, at, at + SIGNATURE.length) !== 0
  )
    return at;
  return at + HEADER_BYTES + bytes.readInt32BE(at + FLAGS_END);
}

/** Whether a tuple begins there, and not the trailer. */
export function isTuple(bytes: Buffer, at: number, end: number): boolean {
  return at + 2 <= end && bytes.readUInt16BE(at) !== TRAILER;
}

/**
 * Cuts data of COPY in binary form at the ends of tuples, whatever the messages are that they come in: each piece is a
 * message with whole tuples only, perhaps behind the header or before the trailer. Messages that are whole stay as they are.
 */
export class BinaryCopyPieces {
  /** Of what is not whole yet: the bytes, and how many. */
  private begun: Buffer[] = [];
  private begunBytes = 0;
  /** The field that is being read: bytes that are yet to come of it, and those that came. */
  private field: 'header' | 'extension' | 'count' | 'length' | 'value' = 'header';
  private missing = HEADER_BYTES;
  private readonly read = Buffer.alloc(HEADER_BYTES);
  /** The trailer came. */
  private isOver = false;
  /** Cells of the tuple that are yet to come. */
  private cells = 0;

  constructor(
    private readonly columns: number,
    /** The largest tuple. */
    private readonly maxBytes: number,
  ) {}

  /** Nothing was begun that did not come whole. */
  get isWhole(): boolean {
    return this.begunBytes === 0;
  }

  /** Takes a message of COPY data. @returns what is whole by now, as a message; undefined where nothing is. @throws MalformedCopy */
  add(message: Message): Message | undefined {
    const { bytes, end } = message;
    const start = message.start + HEAD_BYTES;
    const whole = this.scan(bytes, start, end);
    if (whole === end && this.begunBytes === 0) return message;
    if (whole === undefined) {
      this.keep(bytes, start, end);
      return undefined;
    }
    const parts = [...this.begun, bytes.subarray(start, whole)];
    const size = this.begunBytes + whole - start;
    this.begun = [];
    this.begunBytes = 0;
    this.keep(bytes, whole, end);
    const framed = Buffer.concat([Buffer.of(COPY_DATA), int32(size + 4), ...parts]);
    return { bytes: framed, start: 0, end: framed.length };
  }

  private keep(bytes: Buffer, start: number, end: number): void {
    if (start === end) return;
    this.begun.push(Buffer.from(bytes.subarray(start, end)));
    this.begunBytes += end - start;
    if (this.begunBytes > this.maxBytes)
      throw new MalformedCopy(`a row is larger than ${this.maxBytes} bytes`);
  }

  /** Reads on. @returns the end of the last tuple that ends there, of the header or of the trailer; undefined where none does. */
  private scan(bytes: Buffer, start: number, end: number): number | undefined {
    let whole: number | undefined;
    let at = start;
    while (at < end) {
      if (this.isOver) throw new MalformedCopy('data follow the trailer');
      const taken = Math.min(this.missing, end - at);
      // Of a value or an extension only the length matters.
      if (this.field !== 'value' && this.field !== 'extension')
        bytes.copy(this.read, SIZES[this.field] - this.missing, at, at + taken);
      at += taken;
      this.missing -= taken;
      while (this.missing === 0 && !this.isOver) if (this.goOn()) whole = at;
    }
    return whole;
  }

  /** A field is there as a whole. @returns whether a tuple, the header or the trailer ends with it. */
  private goOn(): boolean {
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
      throw new MalformedCopy('the header is none that is known');
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
