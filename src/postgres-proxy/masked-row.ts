import type { Mask } from '../gate/ports/guardrails';
import { renderCell, unescapeCell } from '../kernel/tabular-text';
import { UnreadableCell, cellText, changedCell, unreadableCell } from './binary/cell-text';
import { columnsOf, renamed } from './wire/columns';
import { textOf } from '../kernel/utf8';
import { HEAD_BYTES, int32 } from './wire/message';
import { type RowShape, isBinaryCell } from './wire/row-text';
import { COPY_DATA, DATA_ROW } from './wire/types';

const MUST_BE_MASKED = 'it has to be masked, and a masked value has no such form';

/** A row or a piece of COPY data: the message, and where its text begins in the stream. */
export interface HeldRow {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** UTF-16 code units of the stream. */
  readonly from: number;
  /** How its cells are to be read; `names` for a RowDescription, `text` or `binary` for COPY data. */
  readonly shape: RowShape | 'names' | 'text' | 'binary';
}

/** The message with the masks applied; or the value in it that has to be masked, in a form that cannot be changed. */
export function masked(row: HeldRow, masks: readonly Mask[]): Buffer | UnreadableCell {
  if (row.shape === 'binary') return new UnreadableCell(0, undefined, MUST_BE_MASKED);
  if (row.shape === 'text') return framed(COPY_DATA, [Buffer.from(applied(bodyText(row), row.from, masks))]);
  if (row.shape === 'names') return maskedNames(row, masks);
  return maskedCells(row, row.shape, masks);
}

function maskedNames({ bytes, start, end, from: first }: HeldRow, masks: readonly Mask[]): Buffer {
  let from = first;
  const names = columnsOf(bytes, start + HEAD_BYTES, end).map(({ name }) => {
    const text = renderCell(name);
    const changed = unescapeCell(applied(text, from, masks));
    from += text.length + 1;
    return changed;
  });
  return renamed(bytes, start + HEAD_BYTES, end, names);
}

function maskedCells(row: HeldRow, shape: RowShape, masks: readonly Mask[]): Buffer | UnreadableCell {
  const { bytes, start } = row;
  let at = start + HEAD_BYTES;
  const count = bytes.readUInt16BE(at);
  const parts: Buffer[] = [bytes.subarray(at, at + 2)];
  at += 2;
  let from = row.from;
  for (let cell = 0; cell < count; cell += 1) {
    const length = bytes.readInt32BE(at);
    const end = at + 4 + Math.max(length, 0);
    const isBinary = isBinaryCell(shape, cell);
    const value = bytes.subarray(at + 4, end);
    const column = shape.columns?.[cell];
    const text = renderCell(
      length === -1 ? null : isBinary ? cellText(shape.printing, cell, column, value) : textOf(value),
    );
    if (masks.some((mask) => mask.start < from + text.length && mask.end > from)) {
      const shown = unescapeCell(applied(text, from, masks));
      const changed = isBinary ? changedCell(shape.printing, column, shown) : Buffer.from(shown);
      if (changed === undefined) return unreadableCell(shape.printing, cell, column, MUST_BE_MASKED);
      parts.push(int32(changed.length), changed);
    } else parts.push(bytes.subarray(at, end));
    // One more for the tab, or the line feed.
    from += text.length + 1;
    at = end;
  }
  return framed(DATA_ROW, parts);
}

/** The piece of the stream that begins at `from`; a mask that begins before it has left its replacement there. */
function applied(text: string, from: number, masks: readonly Mask[]): string {
  let result = '';
  let at = 0;
  for (const { start, end, replacement } of masks) {
    if (end <= from || start >= from + text.length) continue;
    result += text.slice(at, Math.max(start - from, 0));
    if (start >= from) result += replacement;
    at = Math.min(end - from, text.length);
  }
  return result + text.slice(at);
}

function bodyText({ bytes, start, end }: HeldRow): string {
  return textOf(bytes.subarray(start + HEAD_BYTES, end));
}

function framed(type: number, parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 4);
  return Buffer.concat([Buffer.of(type), int32(length), ...parts]);
}
