import { textOf } from '../../../kernel/utf8';
import type { Column } from '../wire/columns';
import { Unprintable } from './cursor';
import { type Printing, UnknownType, printInSteps, printValue } from './print-value';
import { textInBinary, textPlace } from './scalars';
import type { Learning } from './type-catalog';

/** How the binary cells of a result are read. */
export interface CellPrinting extends Printing {
  /** A rule looks at them: what cannot be printed must not pass. */
  readonly isStrict: boolean;
}

/** A binary cell that rules cannot look at, or that cannot be masked. */
export class UnreadableCell extends Error {
  constructor(
    readonly cell: number,
    readonly column: Column | undefined,
    /** Follows "because". */
    readonly reason: string,
    /** Name of its type; undefined where that is not known. */
    readonly type?: string,
  ) {
    super(reason);
  }
}

/**
 * A binary cell as the text that rules look at.
 * @throws UnknownType, or UnreadableCell, where a rule looks at it.
 */
export function cellText(
  printing: CellPrinting | undefined,
  cell: number,
  column: Column | undefined,
  value: Buffer,
): string {
  if (printing === undefined) return textOf(value);
  try {
    return printValue(typeOf(column), value, printing);
  } catch (error) {
    return unprinted(error, printing, cell, column, value);
  }
}

/** The same for a value that may be long: yields between its steps (see `inSlices`). */
export function* cellTextInSteps(
  printing: CellPrinting | undefined,
  cell: number,
  column: Column | undefined,
  value: Buffer,
): Generator<undefined, string> {
  if (printing === undefined) return textOf(value);
  try {
    return yield* printInSteps(typeOf(column), value, printing);
  } catch (error) {
    return unprinted(error, printing, cell, column, value);
  }
}

function typeOf(column: Column | undefined): number {
  if (column === undefined) throw new Unprintable('the gateway does not know its type');
  return column.type;
}

/** What is said of a value that could not be printed. */
function unprinted(
  error: unknown,
  printing: CellPrinting,
  cell: number,
  column: Column | undefined,
  value: Buffer,
): string {
  if (!(error instanceof Unprintable || error instanceof UnknownType)) throw error;
  if (!printing.isStrict) return textOf(value);
  if (error instanceof UnknownType) throw error;
  throw unreadableCell(printing, cell, column, error.message);
}

/**
 * From where on the bytes of a binary cell are its text; undefined where that has to be printed. What is no UTF-8 in them
 * (bytea may hold anything) is looked at as U+FFFD, as `cellText` has it.
 */
export function textPlaceOf(
  printing: CellPrinting | undefined,
  column: Column | undefined,
  value: Buffer,
): number | undefined {
  if (printing === undefined) return 0;
  const entry = column && printing.types.find(column.type);
  return entry && textPlace(entry.send, value);
}

export function unreadableCell(
  printing: CellPrinting | undefined,
  cell: number,
  column: Column | undefined,
  reason: string,
): UnreadableCell {
  const type = column && printing?.types.find(column.type)?.name;
  return new UnreadableCell(cell, column, reason, type);
}

const WHY_NOT_KNOWN: Readonly<Record<Exclude<Learning, 'known'>, (oid: number) => string>> = {
  unknown: (oid) => `the catalog of the target does not tell its type (${oid}) to other sessions`,
  late: (oid) => `the target took too long to tell its type (${oid})`,
  failed: (oid) => `the target could not be asked for its type (${oid})`,
};

/** A cell whose type, or that of a value in it, is not known. */
export function ofUnknownType(
  oid: number,
  why: Exclude<Learning, 'known'>,
  columns: readonly Column[] | undefined,
): UnreadableCell {
  const cell = columns?.findIndex(({ type }) => type === oid) ?? -1;
  return new UnreadableCell(Math.max(cell, 0), columns?.[cell], WHY_NOT_KNOWN[why](oid));
}

/** The binary form of a cell whose text was changed, in parts; undefined where its type is not made of text. */
export function changedCell(
  printing: CellPrinting | undefined,
  column: Column | undefined,
  text: readonly Buffer[],
): readonly Buffer[] | undefined {
  const entry = column && printing?.types.find(column.type);
  return entry && textInBinary(entry.send, text);
}
