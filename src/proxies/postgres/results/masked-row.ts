import type { Mask } from '../../../gate/ports/guardrails';
import { quotedJson } from '../../../kernel/json/quoted-json';
import { renderCell, unescapeCell } from '../../../kernel/text/tabular-text';
import { UnreadableCell, changedCell, unreadableCell } from '../binary/cell-text';
import { UnknownType } from '../binary/print-value';
import type { MaskColumns } from '../../../gate/mask-columns';
import { cellsOf, stepsOf, stringOf } from './row-cells';
import { MaskedType, maskPlacesOf } from './masked-type';
import { type Column, columnsOf, withColumnNames } from '../wire/columns';
import { HEAD_BYTES, int32 } from '../wire/message';
import type { RowShape } from '../pipeline/row-text';
import { COPY_DATA, DATA_ROW } from '../wire/types';

/** A computation that yields between its steps and then returns a result. */
type Masking<T> = Generator<undefined, T>;

const NULL = renderCell(null);
/** Maximum size in bytes of a cell that is handled at once. A longer cell is handled in steps. */
const PLAIN_MOST = 1024;
const SPACE = 0x20;
const DELETE = 0x7f;
const BACKSLASH = 0x5c;
const NO_VALUE = 'it has to be masked, and would be no value of that type; cast it to text in the statement';
const NO_BINARY = 'it has to be masked, and a masked value has no such form';

const NO_JSON = 'it has to be masked, and would be no JSON with the mask';
/** Object ids of json and jsonb, which are the same on every server. */
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);

/** A message with rows, column names or COPY data, and the position of its text in the stream. */
export interface HeldRow {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Position in the stream where the text begins, in UTF-16 code units. */
  readonly from: number;
  /** Shape of the cells; `names` for a RowDescription, `text` for COPY data in text form. */
  readonly shape: RowShape | 'names' | 'text';
}

/**
 * Applies masks to a message. Returns the new message in parts, or a cell that must be masked but cannot be.
 * Yields between steps, because a row may have up to 16 MiB (see `atOnce`, `inSlices`). Throws UnknownType
 * for a type that the gateway must first learn from the target.
 * @param masks masks of the whole stream
 */
export function* masking(row: HeldRow, masks: MaskColumns): Masking<readonly Buffer[] | UnreadableCell> {
  if (row.shape === 'names') return [maskedNames(row, masks)];
  return yield* row.shape === 'text' ? maskedCopy(row, masks) : maskedCells(row, row.shape, masks);
}

function* maskedCopy({ bytes, start, end, from }: HeldRow, masks: MaskColumns): Masking<readonly Buffer[]> {
  const parts: Buffer[] = [];
  let at = from;
  for (const step of stepsOf(bytes.subarray(start + HEAD_BYTES, end))) {
    const text = stringOf(step);
    parts.push(Buffer.from(applied(text, at, masks.between(at, at + text.length))));
    at += text.length;
    yield;
  }
  return framed(COPY_DATA, parts);
}

function maskedNames({ bytes, start, end, from: first }: HeldRow, masks: MaskColumns): Buffer {
  let from = first;
  const names = columnsOf(bytes, start + HEAD_BYTES, end).map(({ name }) => {
    const text = renderCell(name);
    const changed = unescapeCell(applied(text, from, masks.between(from, from + text.length)));
    from += text.length + 1;
    return changed;
  });
  return withColumnNames(bytes, start + HEAD_BYTES, end, names);
}

function* maskedCells(
  row: HeldRow,
  shape: RowShape,
  masks: MaskColumns,
): Masking<readonly Buffer[] | UnreadableCell> {
  const { bytes, start, end } = row;
  const parts: Buffer[] = [];
  let from = row.from;
  let done = start + HEAD_BYTES;
  for (const cell of yield* cellsOf(bytes, start, end, shape)) {
    const { text, isBinary, column } = cell;
    const plain = isBinary ? undefined : plainLength(text);
    if (plain !== undefined && masks.nextStart(from) >= from + plain) {
      from += plain + 1;
      continue;
    }
    // Copies the bytes between cells: the number of cells and, for COPY data, the header.
    if (cell.at > done) parts.push(bytes.subarray(done, cell.at));
    done = cell.at + cell.field.length;
    const type = typeOf(column, shape);
    const judged = type instanceof MaskedType ? type : undefined;
    const { units, shown, isValue } = yield* maskedText(text, from, masks, judged);
    // Adds one unit for the tab or line feed after the cell.
    from += units + 1;
    if (shown === undefined) {
      parts.push(cell.field);
      continue;
    }
    if (type instanceof UnknownType) throw type;
    if (!isValue) return unreadableCell(shape.printing, cell.index, column, NO_VALUE, 'any');
    const kept = isJson(column) ? yield* jsonOf(shown) : shown;
    if (kept === undefined) return unreadableCell(shape.printing, cell.index, column, NO_JSON, 'any');
    const changed = isBinary ? changedCell(shape.printing, column, kept) : kept;
    if (changed === undefined) return unreadableCell(shape.printing, cell.index, column, NO_BINARY);
    parts.push(int32(lengthOf(changed)), ...changed);
  }
  parts.push(bytes.subarray(done, end));
  return framed(shape.isCopy === true ? COPY_DATA : DATA_ROW, parts);
}

function isJson(column: Column | undefined): boolean {
  return column !== undefined && JSON_TYPES.has(column.type);
}

/** Returns the check for a masked value; undefined if any text is valid, and for JSON (see `jsonOf`). */
function typeOf(column: Column | undefined, { printing }: RowShape): MaskedType | UnknownType | undefined {
  if (column === undefined || printing === undefined || isJson(column)) return undefined;
  const places = maskPlacesOf(column.type, printing.types);
  if (places === 'anywhere' || places instanceof UnknownType)
    return places === 'anywhere' ? undefined : places;
  return new MaskedType(places);
}

/** Returns a masked document as JSON, in parts; undefined if the masks make it invalid JSON. */
function* jsonOf(shown: readonly Buffer[]): Masking<readonly Buffer[] | undefined> {
  const json = yield* quotedJson(Buffer.concat(shown).toString());
  if (json === undefined) return undefined;
  const parts: Buffer[] = [];
  for (const piece of stepsOf(json)) {
    parts.push(bytesOf(piece));
    yield;
  }
  return parts;
}

/**
 * Returns the length of a cell's text in the stream, in UTF-16 code units, if no decoding is needed: the cell
 * is short and consists of printable ASCII characters without escapes. Otherwise returns undefined.
 */
function plainLength(text: Buffer | string | null): number | undefined {
  if (text === null || typeof text === 'string' || text.length > PLAIN_MOST) return undefined;
  for (const byte of text) if (byte < SPACE || byte >= DELETE || byte === BACKSLASH) return undefined;
  return text.length;
}

interface MaskedText {
  /** Length of the text in the stream, in UTF-16 code units. */
  readonly units: number;
  /** The masked text in parts; undefined if no mask applies. */
  readonly shown: readonly Buffer[] | undefined;
  /** Whether the masked text is still a valid value of its type. */
  readonly isValue: boolean;
}

/** @param type undefined if any text is a valid value */
function* maskedText(
  text: Buffer | string | null,
  from: number,
  masks: MaskColumns,
  type: MaskedType | undefined,
): Masking<MaskedText> {
  const shown: Buffer[] = [];
  let [isMasked, isValue] = [false, true];
  let at = from;
  // Backslash at the end of a piece, which may begin an escape that continues in the next piece.
  let open = '';
  for (const step of text === null ? [NULL] : stepsOf(text)) {
    const piece = text === null ? NULL : renderCell(stringOf(step));
    const here = masks.between(at, at + piece.length);
    isMasked ||= here.length > 0;
    isValue &&= type?.allows(piece, at, here) !== false;
    at += piece.length;
    yield;
    if (here.length === 0 && open === '' && text !== null) {
      shown.push(bytesOf(step));
      continue;
    }
    const changed = open + applied(piece, at - piece.length, here);
    open = endsInEscape(changed) ? '\\' : '';
    shown.push(Buffer.from(unescapeCell(open === '' ? changed : changed.slice(0, -1))));
  }
  if (open !== '') shown.push(Buffer.from(open));
  return { units: at - from, shown: isMasked ? shown : undefined, isValue };
}

/** Whether the text ends with an odd number of backslashes, so that the last backslash begins an escape. */
function endsInEscape(text: string): boolean {
  let first = text.length;
  while (text[first - 1] === '\\') first -= 1;
  return (text.length - first) % 2 === 1;
}

/**
 * Applies masks to the piece of the stream that begins at `from`. If a mask begins before the piece, its
 * replacement is already in an earlier piece.
 */
function applied(text: string, from: number, masks: readonly Mask[]): string {
  if (masks.length === 0) return text;
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, replacement } of masks) {
    parts.push(text.slice(at, Math.max(start - from, 0)));
    if (start >= from) parts.push(replacement);
    at = Math.min(end - from, text.length);
  }
  parts.push(text.slice(at));
  return parts.join('');
}

function bytesOf(text: Buffer | string): Buffer {
  return typeof text === 'string' ? Buffer.from(text) : text;
}

function lengthOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 0);
}

function framed(type: number, parts: readonly Buffer[]): readonly Buffer[] {
  return [Buffer.of(type), int32(lengthOf(parts) + 4), ...parts];
}
