import type { Mask } from '../../../gate/ports/guardrails';
import { unescapeCell } from '../../../kernel/text/tabular-text';
import { UnknownType } from '../binary/print-value';
import { isShownAsText } from '../binary/scalars';
import type { TypeEntry, TypeTable } from '../binary/type-entry';

/**
 * Parts of a value that a mask may cover, so that the masked value is still valid for its type. `anywhere`:
 * all parts, because any text is valid. `nowhere`: no part, because no masked text is valid, as for numbers.
 * `DividedValue`: all parts except the dividing characters in `signs`.
 */
export type MaskPlaces = 'anywhere' | 'nowhere' | DividedValue;

interface DividedValue {
  readonly signs: string;
  /** Mask places in each field of a composite value; undefined if `signs` applies to the whole value. */
  readonly fields?: readonly MaskPlaces[] | undefined;
}

/**
 * Characters that divide values into parts, by send function. Source: PostgreSQL documentation, "Array Input
 * and Output Syntax", "Composite Type Input and Output Syntax", "hstore External Representation", "Text
 * Search Types".
 */
const SIGNS: Readonly<Record<string, string>> = {
  array_send: String.raw`{},;"` + '\\',
  record_send: '(),"\\',
  hstore_send: '"\\',
  xml_send: `<>&"'`,
  tsvectorsend: "'\\",
  tsquerysend: "'\\",
};

/**
 * Returns the places where the text form of a type's values may be masked. If the gateway must first learn a
 * type from the target, returns that type.
 */
export function maskPlacesOf(oid: number, types: TypeTable): MaskPlaces | UnknownType {
  try {
    return placesOf(oid, types);
  } catch (error) {
    if (error instanceof UnknownType) return error;
    throw error;
  }
}

function placesOf(oid: number, types: TypeTable): MaskPlaces {
  const entry = types.find(oid);
  if (entry === undefined) throw new UnknownType(oid);
  const signs = Object.hasOwn(SIGNS, entry.send) ? SIGNS[entry.send] : undefined;
  if (signs === undefined) return isShownAsText(entry.send) ? 'anywhere' : 'nowhere';
  if (entry.send === 'array_send') return within(signs, entry.of === undefined ? [] : [entry.of], types);
  return entry.send === 'record_send' ? ofRecord(signs, entry, types) : { signs };
}

/**
 * Returns the mask places in a record. Without `fields` the record is anonymous, and all its fields are text.
 */
function ofRecord(signs: string, { fields }: TypeEntry, types: TypeTable): MaskPlaces {
  return { signs, fields: fields?.map((field) => within(signs, [field], types)) };
}

/**
 * Returns the mask places in a value that contains parts of these types. Masks must not cover the dividing
 * characters of the parts either.
 */
function within(signs: string, oids: readonly number[], types: TypeTable): MaskPlaces {
  let all = signs;
  for (const places of oids.map((oid) => placesOf(oid, types))) {
    if (places === 'nowhere' || (places !== 'anywhere' && places.fields?.includes('nowhere') === true))
      return 'nowhere';
    if (places !== 'anywhere') all += places.signs;
  }
  return { signs: all };
}

/** Checks whether one cell is still valid with its masks. The text of the cell is passed in pieces. */
export class MaskedType {
  /** Index of the current field of a composite value after the last piece. */
  private field = 0;
  private isQuoted = false;

  constructor(private readonly places: MaskPlaces) {}

  /**
   * Whether the cell is still a valid value of its type with these masks.
   * @param piece part of the cell's text that begins at `from` in the stream
   */
  allows(piece: string, from: number, masks: readonly Mask[]): boolean {
    const { places } = this;
    if (places === 'anywhere') return true;
    if (places === 'nowhere') return masks.length === 0;
    let at = 0;
    const isAllowed = masks.every((mask) => {
      const start = Math.max(mask.start - from, 0);
      this.pass(piece.slice(at, start));
      at = start;
      const covered = unescapeCell(piece.slice(start, mask.end - from));
      const part = places.fields === undefined ? places : (places.fields[this.field] ?? 'nowhere');
      if (typeof part === 'string') return part === 'anywhere';
      return ![...part.signs].some((sign) => covered.includes(sign));
    });
    this.pass(piece.slice(at));
    return isAllowed;
  }

  /** Tracks the current field. A quote inside quotes is doubled, so it switches `isQuoted` twice. */
  private pass(text: string): void {
    if (typeof this.places === 'string' || this.places.fields === undefined) return;
    for (const sign of text)
      if (sign === '"') this.isQuoted = !this.isQuoted;
      else if (sign === ',' && !this.isQuoted) this.field += 1;
  }
}
