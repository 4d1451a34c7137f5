import { Cursor, Unprintable, malformed } from './cursor';
import { scalarOf } from './scalars';
import type { PrintStyle } from './style';
import type { TypeEntry, TypeTable } from './type-entry';

/** What is needed to print the values of a session. It stays as it is: a value printed twice is the same text. */
export interface Printing {
  readonly types: TypeTable;
  readonly style: PrintStyle;
}

/** A type that the table does not have yet. */
export class UnknownType extends Error {
  constructor(readonly oid: number) {
    super(`the type ${oid} is not known`);
  }
}

/** Values within values. Each level may double the quotes of the one below. */
const MAX_DEPTH = 24;
const MAX_CHARACTERS = 16 * 1024 * 1024;
const MAX_DIMENSIONS = 6;

/**
 * A value as the server prints it, from its binary form.
 * Source: PostgreSQL, the send and output functions of each type; array_out, record_out, range_out, multirange_out.
 * @throws UnknownType, or Unprintable where it cannot be printed for sure.
 */
export function printValue(oid: number, bytes: Buffer, printing: Printing, depth = 0): string {
  if (depth > MAX_DEPTH) throw new Unprintable('it is nested too deep');
  const entry = printing.types.find(oid);
  if (entry === undefined) throw new UnknownType(oid);
  const cursor = new Cursor(bytes);
  const { types, style } = printing;
  const text = scalarOf(entry.send)?.(cursor, style, types) ?? container(entry, cursor, printing, depth);
  if (text.length > MAX_CHARACTERS) throw new Unprintable('it is too large');
  return text;
}

function container(entry: TypeEntry, cursor: Cursor, printing: Printing, depth: number): string {
  switch (entry.send) {
    case 'array_send':
      return array(cursor, printing, depth);
    case 'int2vectorsend':
    case 'oidvectorsend':
      return elementsOf(cursor, printing, depth).values.join(' ');
    case 'record_send':
      return record(cursor, printing, depth);
    case 'range_send':
      return range(entry, cursor, printing, depth);
    case 'multirange_send':
      return multirange(entry, cursor, printing, depth);
    default:
      throw new Unprintable('the gateway does not know the binary form of that type');
  }
}

interface Elements {
  readonly values: readonly (string | null)[];
  readonly sizes: readonly number[];
  readonly lowerBounds: readonly number[];
  readonly delimiter: string;
}

function elementsOf(cursor: Cursor, printing: Printing, depth: number): Elements {
  const dimensions = cursor.int32();
  // Whether there are NULLs, which the values tell.
  cursor.int32();
  const type = cursor.uint32();
  const entry = printing.types.find(type);
  if (entry === undefined) throw new UnknownType(type);
  if (dimensions < 0 || dimensions > MAX_DIMENSIONS) throw malformed();
  const sizes: number[] = [];
  const lowerBounds: number[] = [];
  for (let index = 0; index < dimensions; index += 1) {
    sizes.push(cursor.int32());
    lowerBounds.push(cursor.int32());
  }
  const values: (string | null)[] = [];
  while (!cursor.isAtEnd) {
    const value = cursor.value();
    values.push(value === null ? null : printValue(type, value, printing, depth + 1));
  }
  const count = dimensions === 0 ? 0 : sizes.reduce((product, size) => product * size, 1);
  if (count !== values.length) throw malformed();
  return { values, sizes, lowerBounds, delimiter: entry.delimiter };
}

function array(cursor: Cursor, printing: Printing, depth: number): string {
  const { values, sizes, lowerBounds, delimiter } = elementsOf(cursor, printing, depth);
  if (values.length === 0) return '{}';
  const special = delimiter === ';' ? /["\\{};\s]/ : /["\\{},\s]/;
  let level = values.map((value) => (value === null ? 'NULL' : element(value, special)));
  for (const size of sizes.toReversed()) {
    const rows: string[] = [];
    for (let at = 0; at < level.length; at += size)
      rows.push(`{${level.slice(at, at + size).join(delimiter)}}`);
    level = rows;
  }
  if (lowerBounds.every((bound) => bound === 1)) return level[0] ?? '{}';
  const bounds = lowerBounds.map((bound, index) => `[${bound}:${bound + (sizes[index] ?? 0) - 1}]`);
  return `${bounds.join('')}=${level[0]}`;
}

/** White space of ASCII alone: what PostgreSQL takes for it in arrays, records and ranges. */
const isSpecial = (value: string, pattern: RegExp): boolean =>
  pattern.test(value.replaceAll(/[^\0-\x7F]/g, 'x'));

function element(value: string, special: RegExp): string {
  if (value !== '' && !/^null$/i.test(value) && !isSpecial(value, special)) return value;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Quotes and backslashes are doubled. */
function doubled(value: string, special: RegExp): string {
  return value !== '' && !isSpecial(value, special) ? value : `"${value.replaceAll(/["\\]/g, '$&$&')}"`;
}

function record(cursor: Cursor, printing: Printing, depth: number): string {
  const fields: string[] = [];
  for (let count = cursor.int32(); count > 0; count -= 1) {
    const type = cursor.uint32();
    const value = cursor.value();
    fields.push(value === null ? '' : doubled(printValue(type, value, printing, depth + 1), /["\\(),\s]/));
  }
  return `(${fields.join(',')})`;
}

const EMPTY = 0x01;
const LOWER_INCLUSIVE = 0x02;
const UPPER_INCLUSIVE = 0x04;
const NO_LOWER = 0x08 | 0x20;
const NO_UPPER = 0x10 | 0x40;

function range(entry: TypeEntry, cursor: Cursor, printing: Printing, depth: number): string {
  const flags = cursor.uint8();
  if ((flags & EMPTY) !== 0) return 'empty';
  const bound = (isAbsent: boolean): string => {
    if (isAbsent) return '';
    const value = cursor.value();
    if (value === null || entry.of === undefined) throw malformed();
    return doubled(printValue(entry.of, value, printing, depth + 1), /["\\()[\],\s]/);
  };
  const lower = bound((flags & NO_LOWER) !== 0);
  const upper = bound((flags & NO_UPPER) !== 0);
  const [open, close] = [flags & LOWER_INCLUSIVE ? '[' : '(', flags & UPPER_INCLUSIVE ? ']' : ')'];
  return `${open}${lower},${upper}${close}`;
}

function multirange(entry: TypeEntry, cursor: Cursor, printing: Printing, depth: number): string {
  const ranges: string[] = [];
  for (let count = cursor.int32(); count > 0; count -= 1) {
    const value = cursor.value();
    if (value === null || entry.of === undefined) throw malformed();
    ranges.push(printValue(entry.of, value, printing, depth + 1));
  }
  return `{${ranges.join(',')}}`;
}
