import { textOf } from '../../../kernel/text/utf8';
import type { Column } from '../wire/columns';
import { Unprintable } from '../wire/cursor';
import { type Printing, UnknownType, printInSteps, printValue } from './print-value';
import { textInBinary, textPlace } from './scalars';
import type { TypeLookup } from './type-catalog';

/** Data for printing the binary cells of a result. */
export interface CellPrinting extends Printing {
  /** Whether a cell that cannot be printed must be refused, because a rule looks at the cells. */
  readonly isStrict: boolean;
}

/** Thrown for a binary cell that rules cannot read or that cannot be masked. */
export class UnreadableCell extends Error {
  constructor(
    readonly cell: number,
    readonly column: Column | undefined,
    /** Reason in a form that completes the sentence "… because". */
    readonly reason: string,
    /** Name of the cell's type; undefined where the name is unknown. */
    readonly type?: string,
    /** The form in which the cell cannot be delivered; `any` means binary and text. */
    readonly form: 'binary' | 'any' = 'binary',
  ) {
    super(reason);
  }
}

/**
 * Returns the text of a binary cell.
 * @throws UnknownType, or UnreadableCell, only where a rule looks at the cells.
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

/** Like `cellText` for a value that may be long: yields between steps (see `inSlices`). */
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

/**
 * Handles a value that could not be printed: throws where a rule looks at it, otherwise returns its bytes as
 * text.
 */
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
 * Returns the offset at which a binary cell contains its text as bytes; undefined for a cell whose text must
 * be printed. Rules see invalid UTF-8, which bytea may contain, as U+FFFD. This matches `cellText`.
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
  form?: UnreadableCell['form'],
): UnreadableCell {
  const type = column && printing?.types.find(column.type)?.name;
  return new UnreadableCell(cell, column, reason, type, form);
}

const WHY_NOT_KNOWN: Readonly<Record<Exclude<TypeLookup, 'known'>, (oid: number) => string>> = {
  unknown: (oid) => `the target's catalog does not show its type (${oid}) to other sessions`,
  late: (oid) => `the target took too long to describe its type (${oid})`,
  failed: (oid) => `the target could not be asked about its type (${oid})`,
};

/** The error for a cell with an unknown type, or with a value of an unknown type inside. */
export function ofUnknownType(
  oid: number,
  why: Exclude<TypeLookup, 'known'>,
  columns: readonly Column[] | undefined,
  form?: UnreadableCell['form'],
): UnreadableCell {
  const cell = columns?.findIndex(({ type }) => type === oid) ?? -1;
  return new UnreadableCell(Math.max(cell, 0), columns?.[cell], WHY_NOT_KNOWN[why](oid), undefined, form);
}

/**
 * Returns the binary form of a masked text, in parts; undefined for types whose binary form differs from
 * their text.
 */
export function changedCell(
  printing: CellPrinting | undefined,
  column: Column | undefined,
  text: readonly Buffer[],
): readonly Buffer[] | undefined {
  const entry = column && printing?.types.find(column.type);
  return entry && textInBinary(entry.send, text);
}
