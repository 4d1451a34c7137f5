import { renderCell } from '../../../kernel/text/tabular-text';
import { type CellPrinting, cellText } from '../binary/cell-text';
import { isTuple, tuplesFrom } from '../wire/binary-copy';
import { type Column, formatOf, inFormats } from '../wire/columns';
import { HEAD_BYTES } from '../wire/message';

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BACKSLASH = 0x5c;
const LETTER_N = 0x4e;
const NULL_LENGTH = 0xff_ff_ff_ff;
const FIRST_ROOM = 512;
const KEPT_ROOM = 1024 * 1024;

/** Data for reading the cells of a row. */
export interface RowShape {
  /** Columns of the row; undefined if they were never described. */
  readonly columns: readonly Column[] | undefined;
  readonly formats: readonly number[];
  /** Data for printing binary cells as text; undefined to use their bytes as text. */
  readonly printing?: CellPrinting | undefined;
  /**
   * Whether each message is COPY data in binary form, with any number of whole tuples (see
   * `BinaryCopyPieces`). Otherwise each message is a DataRow.
   */
  readonly isCopy?: boolean;
}

/** Shape of rows that have only text cells. */
export const PLAIN: RowShape = { columns: undefined, formats: [] };

/** Returns the shape of COPY data in binary form with these columns. */
export function tuplesOf(columns: readonly Column[], printing: CellPrinting): RowShape {
  const formats = [1];
  return { columns: inFormats(columns, formats), formats, printing, isCopy: true };
}

/** Whether the cell at `index` is binary. */
export function isBinaryCell({ columns, formats }: RowShape, index: number): boolean {
  return columns?.[index]?.isBinary ?? formatOf(formats, index) === 1;
}

/**
 * Writes rows in PostgreSQL's text format (see kernel/text/tabular-text). This text is judged by rules and
 * recorded. The class works byte by byte for speed, because a result may have millions of rows.
 */
export class RowText {
  private bytes = Buffer.allocUnsafe(FIRST_ROOM);
  length = 0;

  /** Adds the row between `start` and `end` in `bytes`. Adds nothing if it throws. @throws see `cellText` */
  addRow(bytes: Buffer, start: number, end: number, shape: RowShape): void {
    // Reserves enough for any row: escaping at most doubles a byte, the four length bytes of a NULL become
    // the two bytes of `\N`, and each cell needs a separator.
    this.makeRoom((end - start) * 2 + 1);
    const from = this.length;
    try {
      if (shape.isCopy === true) this.putTuples(bytes, start + HEAD_BYTES, end, shape);
      else this.putRow(bytes, start + HEAD_BYTES, end, shape);
    } catch (error) {
      this.length = from;
      throw error;
    }
  }

  private putTuples(bytes: Buffer, start: number, end: number, shape: RowShape): void {
    let at = tuplesFrom(bytes, start, end);
    while (isTuple(bytes, at, end)) at = this.putRow(bytes, at, end, shape);
  }

  /** Adds one row: the number of cells, then the cells. @returns the offset of the end of the row. */
  private putRow(bytes: Buffer, start: number, end: number, shape: RowShape): number {
    let out = this.bytes;
    let to = this.length;
    let at = start + 2;
    const count = bytes.readUInt16BE(start);
    for (let cell = 0; cell < count; cell += 1) {
      if (cell > 0) out[to++] = TAB;
      const length = bytes.readUInt32BE(at);
      at += 4;
      if (length === NULL_LENGTH) {
        out[to++] = BACKSLASH;
        out[to++] = LETTER_N;
        continue;
      }
      if (at + length > end) throw new RangeError('a row is shorter than its cells');
      if (isBinaryCell(shape, cell)) {
        const value = bytes.subarray(at, at + length);
        const text = cellText(shape.printing, cell, shape.columns?.[cell], value);
        to = this.putReadable(to, text, (end - at) * 2 + 1);
        out = this.bytes;
      } else to = putText(out, to, bytes, at, at + length);
      at += length;
    }
    out[to] = LINE_FEED;
    this.length = to + 1;
    return at;
  }

  /** Adds a text unchanged. */
  addText(text: string): void {
    const size = Buffer.byteLength(text);
    this.makeRoom(size);
    this.length += this.bytes.write(text, this.length, size);
  }

  /** Adds a part of a cell, escaped for the text format. */
  addEscaped(bytes: Buffer): void {
    this.makeRoom(bytes.length * 2);
    this.length = putText(this.bytes, this.length, bytes, 0, bytes.length);
  }

  addBytes(bytes: Buffer, start: number, end: number): void {
    this.makeRoom(end - start);
    this.length += bytes.copy(this.bytes, this.length, start, end);
  }

  /** The gathered bytes, valid until `clear`. */
  view(): Buffer {
    return this.bytes.subarray(0, this.length);
  }

  /** Removes the gathered bytes, and releases the extra memory of a large row. */
  clear(): void {
    this.length = 0;
    if (this.bytes.length > KEPT_ROOM) this.bytes = Buffer.allocUnsafe(FIRST_ROOM);
  }

  /** Starts again with new memory, because the old memory now belongs to the caller. */
  handOver(): void {
    this.length = 0;
    this.bytes = Buffer.allocUnsafe(FIRST_ROOM);
  }

  /**
   * Adds the text of a printed cell. @param room number of bytes that the remaining cells of the row may
   * need.
   */
  private putReadable(to: number, shown: string, room: number): number {
    const text = renderCell(shown);
    const size = Buffer.byteLength(text);
    this.length = to;
    this.makeRoom(size + room);
    return to + this.bytes.write(text, to, size);
  }

  private makeRoom(size: number): void {
    if (this.length + size <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.length + size, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }
}

function putText(out: Buffer, first: number, bytes: Buffer, start: number, end: number): number {
  let to = first;
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte > CARRIAGE_RETURN && byte !== BACKSLASH) {
      out[to++] = byte;
    } else if (byte === BACKSLASH || byte === TAB || byte === LINE_FEED || byte === CARRIAGE_RETURN) {
      out[to++] = BACKSLASH;
      out[to++] = byte === BACKSLASH ? BACKSLASH : letterOf(byte);
    } else {
      out[to++] = byte;
    }
  }
  return to;
}

/** Returns the letter of an escape sequence: t, n or r. */
function letterOf(byte: number): number {
  if (byte === TAB) return 0x74;
  return byte === LINE_FEED ? 0x6e : 0x72;
}
