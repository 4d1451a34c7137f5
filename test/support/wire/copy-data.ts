import type { Draw } from './draw';
import { int16, int32 } from './messages';
import { drawText } from './values';

export const COPY_FORMATS = ['text', 'csv', 'binary'] as const;
export type CopyFormat = (typeof COPY_FORMATS)[number];

/** Draws rows for a table with an integer and a text column. The server refuses some of them. */
export function drawCopyData(draw: Draw, format: CopyFormat): Buffer {
  const rows = draw.times(draw.pick([0, 1, 3, 20, 400]), (row) => ({ a: row, b: drawCell(draw) }));
  if (draw.once(15)) rows.push({ a: rows.length, b: 'a megabyte '.repeat(100_000) });
  const whole = encode(format, rows);
  if (!draw.once(6)) return whole;
  return draw.pick([
    () => whole.subarray(0, draw.below(whole.length + 1)),
    () => Buffer.concat([whole, fault(format)]),
    () => Buffer.concat([fault(format), whole]),
  ])();
}

interface Row {
  readonly a: number;
  readonly b: string | null;
}

function drawCell(draw: Draw): string | null {
  if (draw.once(8)) return null;
  return draw.once(60) ? drawText(draw).repeat(3_000) : drawText(draw);
}

function encode(format: CopyFormat, rows: readonly Row[]): Buffer {
  switch (format) {
    case 'text':
      return Buffer.from(rows.map(({ a, b }) => `${a}\t${b === null ? '\\N' : escaped(b)}\n`).join(''));
    case 'csv':
      return Buffer.from(rows.map(({ a, b }) => `${a},${b === null ? '' : quoted(b)}\n`).join(''));
    case 'binary':
      return Buffer.concat([SIGNATURE, int32(0), int32(0), ...rows.map(binaryRow), int16(-1)]);
  }
}

const SIGNATURE = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');

function binaryRow({ a, b }: Row): Buffer {
  const bytes = b === null ? [int32(-1)] : [int32(Buffer.byteLength(b)), Buffer.from(b)];
  return Buffer.concat([int16(2), int32(4), int32(a), ...bytes]);
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const escaped = (text: string): string =>
  text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '');

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** Data that the server refuses: a row with a wrong number of columns. */
function fault(format: CopyFormat): Buffer {
  return format === 'binary' ? Buffer.from([0, 3, 0, 0]) : Buffer.from('no number\n');
}
