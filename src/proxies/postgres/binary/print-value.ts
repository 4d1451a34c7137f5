import { atOnce } from '../../../kernel/async/time-slice';
import { Cursor, MAX_CHARACTERS, Unprintable, malformedValue } from '../wire/cursor';
import { scalarOf } from './scalars';
import type { PrintStyle } from './style';
import type { TypeEntry, TypeTable } from './type-entry';

/**
 * Types and formats with which a session prints values. Immutable, so that printing a value twice gives the
 * same text.
 */
export interface Printing {
  readonly types: TypeTable;
  readonly style: PrintStyle;
}

/** Thrown for a type that the table does not have yet. */
export class UnknownType extends Error {
  constructor(readonly oid: number) {
    super(`the type ${oid} is unknown`);
  }
}

/**
 * Maximum depth of nested values. Needed because each level may double the quotes of the levels inside it.
 */
const MAX_DEPTH = 24;
const MAX_DIMENSIONS = 6;

/** Bytes of nested values that are printed in one step. */
const STEP = 16 * 1024;
/** Number of nested values that are printed in one step. */
const STEP_COUNT = 64;

/** A computation in steps that returns a text. */
type Steps = Generator<undefined, string>;

/**
 * Prints a binary value as the server would. Source: PostgreSQL, the send and output functions of each type;
 * array_out, record_out, range_out, multirange_out.
 * @throws UnknownType, or Unprintable where the text cannot be determined.
 */
export function printValue(oid: number, bytes: Buffer, printing: Printing, depth = 0): string {
  const entry = entryOf(oid, printing, depth);
  const cursor = new Cursor(bytes);
  return bounded(scalar(entry, cursor, printing) ?? atOnce(container(entry, cursor, printing, depth)));
}

/** Like `printValue` for a value that may be long: yields between steps (see `atOnce`, `inSlices`). */
export function* printInSteps(oid: number, bytes: Buffer, printing: Printing, depth = 0): Steps {
  const entry = entryOf(oid, printing, depth);
  const cursor = new Cursor(bytes);
  return bounded(scalar(entry, cursor, printing) ?? (yield* container(entry, cursor, printing, depth)));
}

function entryOf(oid: number, { types }: Printing, depth: number): TypeEntry {
  if (depth > MAX_DEPTH) throw new Unprintable('it is nested too deeply');
  const entry = types.find(oid);
  if (entry === undefined) throw new UnknownType(oid);
  return entry;
}

function scalar({ send }: TypeEntry, cursor: Cursor, { types, style }: Printing): string | undefined {
  return scalarOf(send)?.(cursor, style, types);
}

function bounded(text: string): string {
  if (text.length > MAX_CHARACTERS) throw new Unprintable('it is too large');
  return text;
}

/**
 * Builds a text from many small pieces. With `+=`, JavaScript would join all pieces in one long step when the
 * text is first read.
 */
class GrowingText {
  private readonly pieces: string[] = [];
  private parts: string[] = [];
  private length = 0;
  private before = 0;

  add(text: string): void {
    this.parts.push(text);
    this.length += text.length;
    if (this.length - this.before < STEP) return;
    if (this.length > MAX_CHARACTERS) throw new Unprintable('it is too large');
    this.before = this.length;
    this.pieces.push(this.parts.join(''));
    this.parts = [];
  }

  whole(): string {
    return this.pieces.join('') + this.parts.join('');
  }
}

function container(entry: TypeEntry, cursor: Cursor, printing: Printing, depth: number): Steps {
  switch (entry.send) {
    case 'array_send':
      return array(cursor, printing, depth);
    case 'int2vectorsend':
    case 'oidvectorsend':
      return vector(cursor, printing, depth);
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

/** The header of an array. */
interface Head {
  readonly type: number;
  readonly sizes: readonly number[];
  readonly lowerBounds: readonly number[];
  readonly delimiter: string;
  /** Number of elements. */
  readonly count: number;
}

function headOf(cursor: Cursor, printing: Printing): Head {
  const dimensions = cursor.int32();
  // Skips the flag for NULLs, because the lengths show which values are NULL.
  cursor.int32();
  const type = cursor.uint32();
  const entry = printing.types.find(type);
  if (entry === undefined) throw new UnknownType(type);
  if (dimensions < 0 || dimensions > MAX_DIMENSIONS) throw malformedValue();
  const sizes: number[] = [];
  const lowerBounds: number[] = [];
  for (let index = 0; index < dimensions; index += 1) {
    sizes.push(cursor.int32());
    lowerBounds.push(cursor.int32());
  }
  if (sizes.some((size) => size < 0)) throw malformedValue();
  const count = dimensions === 0 ? 0 : sizes.reduce((product, size) => product * size, 1);
  return { type, sizes, lowerBounds, delimiter: entry.delimiter, count };
}

/** Prints each element and passes its text to `show`. Passes null for an element that is NULL. */
function* elements(
  { type, count }: Head,
  cursor: Cursor,
  printing: Printing,
  depth: number,
  show: (value: string | null, index: number) => void,
): Generator<undefined, void> {
  let index = 0;
  for (; !cursor.isAtEnd; index += 1) {
    if (index === count) throw malformedValue();
    const value = cursor.value();
    if (value === null) show(null, index);
    else if (value.length <= STEP) show(printValue(type, value, printing, depth + 1), index);
    else show(yield* printInSteps(type, value, printing, depth + 1), index);
    if (index % STEP_COUNT === 0) yield;
  }
  if (index !== count) throw malformedValue();
}

function* vector(cursor: Cursor, printing: Printing, depth: number): Steps {
  const text = new GrowingText();
  yield* elements(headOf(cursor, printing), cursor, printing, depth, (value, index) =>
    text.add(`${index > 0 ? ' ' : ''}${value ?? ''}`),
  );
  return text.whole();
}

function* array(cursor: Cursor, printing: Printing, depth: number): Steps {
  const head = headOf(cursor, printing);
  const { sizes, lowerBounds, delimiter } = head;
  const special = delimiter === ';' ? /["\\{};\s]/ : /["\\{},\s]/;
  // For each dimension, from the outermost to the innermost: the number of elements inside one pair of its
  // braces.
  const blocks = sizes.map((_, level) => sizes.slice(level).reduce((product, size) => product * size, 1));
  const braces = (index: number): number => blocks.filter((block) => index % block === 0).length;
  const text = new GrowingText();
  yield* elements(head, cursor, printing, depth, (value, index) => {
    const shown = value === null ? 'NULL' : element(value, special);
    text.add(
      `${index > 0 ? delimiter : ''}${'{'.repeat(braces(index))}${shown}${'}'.repeat(braces(index + 1))}`,
    );
  });
  if (head.count === 0) return '{}';
  if (lowerBounds.every((bound) => bound === 1)) return text.whole();
  const bounds = lowerBounds.map((bound, index) => `[${bound}:${bound + (sizes[index] ?? 0) - 1}]`);
  return `${bounds.join('')}=${text.whole()}`;
}

/**
 * Whether a value must be quoted. Only ASCII counts as white space, as in PostgreSQL's arrays, records and
 * ranges.
 */
const isSpecial = (value: string, pattern: RegExp): boolean =>
  pattern.test(value.replaceAll(/[^\0-\x7F]/g, 'x'));

function element(value: string, special: RegExp): string {
  if (value !== '' && !/^null$/i.test(value) && !isSpecial(value, special)) return value;
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

/** Quotes a value and doubles quotes and backslashes, where necessary. */
function doubled(value: string, special: RegExp): string {
  return value !== '' && !isSpecial(value, special) ? value : `"${value.replaceAll(/["\\]/g, '$&$&')}"`;
}

function* record(cursor: Cursor, printing: Printing, depth: number): Steps {
  const fields: string[] = [];
  for (let count = cursor.int32(); count > 0; count -= 1) {
    const type = cursor.uint32();
    const value = cursor.value();
    const text = value === null ? '' : yield* printInSteps(type, value, printing, depth + 1);
    fields.push(value === null ? '' : doubled(text, /["\\(),\s]/));
  }
  return `(${fields.join(',')})`;
}

const EMPTY = 0x01;
const LOWER_INCLUSIVE = 0x02;
const UPPER_INCLUSIVE = 0x04;
const NO_LOWER = 0x08 | 0x20;
const NO_UPPER = 0x10 | 0x40;

function* range(entry: TypeEntry, cursor: Cursor, printing: Printing, depth: number): Steps {
  const flags = cursor.uint8();
  if ((flags & EMPTY) !== 0) return 'empty';
  const bound = function* (isAbsent: boolean): Steps {
    if (isAbsent) return '';
    const value = cursor.value();
    if (value === null || entry.of === undefined) throw malformedValue();
    return doubled(yield* printInSteps(entry.of, value, printing, depth + 1), /["\\()[\],\s]/);
  };
  const lower = yield* bound((flags & NO_LOWER) !== 0);
  const upper = yield* bound((flags & NO_UPPER) !== 0);
  const [open, close] = [flags & LOWER_INCLUSIVE ? '[' : '(', flags & UPPER_INCLUSIVE ? ']' : ')'];
  return `${open}${lower},${upper}${close}`;
}

function* multirange(entry: TypeEntry, cursor: Cursor, printing: Printing, depth: number): Steps {
  const text = new GrowingText();
  for (let left = cursor.int32(); left > 0; left -= 1) {
    const value = cursor.value();
    if (value === null || entry.of === undefined) throw malformedValue();
    const shown = printValue(entry.of, value, printing, depth + 1);
    text.add(left > 1 ? `${shown},` : shown);
    if (left % STEP_COUNT === 0) yield;
  }
  return `{${text.whole()}}`;
}
