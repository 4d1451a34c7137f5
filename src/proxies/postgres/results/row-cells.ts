import { piecesOf } from '../../../kernel/text/pieces';
import { textOf } from '../../../kernel/text/utf8';
import { cellTextInSteps, textPlaceOf } from '../binary/cell-text';
import { isTuple, tuplesFrom } from '../wire/binary-copy';
import type { Column } from '../wire/columns';
import { HEAD_BYTES } from '../wire/message';
import { type RowShape, isBinaryCell } from '../pipeline/row-text';

/** Maximum length of a text that is handled in one step, in bytes or UTF-16 code units. */
const STEP = 16 * 1024;

/** A cell of a row. */
export interface RowCell {
  /** Index within its row, from 0. */
  readonly index: number;
  /** Offset of `field` in the bytes of the message. */
  readonly at: number;
  readonly column: Column | undefined;
  readonly isBinary: boolean;
  /** The length (int32) and the value, as they are in the message. */
  readonly field: Buffer;
  /**
   * The text that the rules judge: the bytes of the value without a leading version number (as in jsonb), or
   * the printed text of a binary value. Null for NULL.
   */
  readonly text: Buffer | string | null;
}

/**
 * Returns the cells of the row between `start` and `end` in `bytes`, or of all rows in COPY data. Yields
 * between steps (see `atOnce`, `inSlices`), because a binary value may be an array of a million elements.
 * @throws see `cellText`
 */
export function* cellsOf(
  bytes: Buffer,
  start: number,
  end: number,
  shape: RowShape,
): Generator<undefined, RowCell[]> {
  const cells: RowCell[] = [];
  const first = start + HEAD_BYTES;
  if (shape.isCopy !== true) yield* addRow(cells, bytes, first, end, shape);
  else
    for (let at = tuplesFrom(bytes, first, end); isTuple(bytes, at, end);)
      at = yield* addRow(cells, bytes, at, end, shape);
  return cells;
}

/** Adds the cells of the row that begins at `start`. @returns the offset of the row's end. */
function* addRow(
  cells: RowCell[],
  bytes: Buffer,
  start: number,
  end: number,
  shape: RowShape,
): Generator<undefined, number> {
  let at = start + 2;
  const count = bytes.readUInt16BE(start);
  for (let index = 0; index < count; index += 1) {
    const length = bytes.readInt32BE(at);
    const next = at + 4 + Math.max(length, 0);
    if (next > end) throw new RangeError('a row is shorter than its cells');
    const field = bytes.subarray(at, next);
    const isBinary = isBinaryCell(shape, index);
    const column = shape.columns?.[index];
    const value = length === -1 ? null : field.subarray(4);
    const text = isBinary && value !== null ? yield* binaryText(shape, index, column, value) : value;
    cells.push({ index, column, isBinary, at, field, text });
    at = next;
  }
  yield;
  return at;
}

function* binaryText(
  { printing }: RowShape,
  index: number,
  column: Column | undefined,
  value: Buffer,
): Generator<undefined, Buffer | string> {
  const place = textPlaceOf(printing, column, value);
  return place === undefined ? yield* cellTextInSteps(printing, index, column, value) : value.subarray(place);
}

/** Yields a text in pieces. No piece ends inside a character. */
export function* stepsOf(text: Buffer | string): Generator<Buffer | string> {
  if (text.length <= STEP) yield text;
  else if (typeof text === 'string') yield* piecesOf(text, STEP);
  else
    for (let at = 0; at < text.length;) {
      const end = characterEnd(text, Math.min(at + STEP, text.length));
      yield text.subarray(at, end);
      at = end;
    }
}

export function stringOf(text: Buffer | string): string {
  return typeof text === 'string' ? text : textOf(text);
}

/** Returns the last offset up to `end` that is not inside a character. */
function characterEnd(text: Buffer, end: number): number {
  if (end === text.length) return end;
  for (let at = end; at >= end - 3; at -= 1) if (((text[at] as number) & 0xc0) !== 0x80) return at;
  // No UTF-8 character is this long, so the bytes are invalid and may be cut anywhere.
  return end;
}
