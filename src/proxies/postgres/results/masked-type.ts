import type { Mask } from '../../../gate/ports/guardrails';
import { unescapeCell } from '../../../kernel/text/tabular-text';
import { UnknownType } from '../binary/print-value';
import { isShownAsText } from '../binary/scalars';
import type { TypeEntry, TypeTable } from '../binary/type-entry';

/**
 * Places where a value of a type may be masked so that it stays a valid value. `anywhere`: each text is one.
 * `nowhere`: no masked text is one, such as of a number. Else: where the mask covers none of the `signs` that
 * divide the value into its parts.
 */
export type MaskPlaces = 'anywhere' | 'nowhere' | DividedValue;

interface DividedValue {
  readonly signs: string;
  /** Places in the fields of a composite value; undefined where all parts are alike. */
  readonly fields?: readonly MaskPlaces[] | undefined;
}

/**
 * PostgreSQL documentation: "Array Input and Output Syntax", "Composite Type Input and Output Syntax",
 * "hstore External Representation", "Text Search Types".
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
 * Places where values of that type may be masked in their text form; while that is unknown, the type that
 * must be learned first.
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

/** The fields of a record whose type has no name come to clients as text, whatever they are. */
function ofRecord(signs: string, { fields }: TypeEntry, types: TypeTable): MaskPlaces {
  return { signs, fields: fields?.map((field) => within(signs, [field], types)) };
}

/** Places within parts of those types: the signs that divide the parts must stay as well. */
function within(signs: string, oids: readonly number[], types: TypeTable): MaskPlaces {
  let all = signs;
  for (const places of oids.map((oid) => placesOf(oid, types))) {
    if (places === 'nowhere' || (places !== 'anywhere' && places.fields?.includes('nowhere') === true))
      return 'nowhere';
    if (places !== 'anywhere') all += places.signs;
  }
  return { signs: all };
}

/** Judges the masks of one cell, which comes in pieces. */
export class MaskedType {
  /** Index of the field of a composite value at the end of the last piece. */
  private field = 0;
  private isQuoted = false;

  constructor(private readonly places: MaskPlaces) {}

  /**
   * Whether the cell stays a value of its type with the masks.
   * @param piece as it stands in the stream, from `from` on
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

  /** Quotes in quotes are doubled, so that each changes back what the other changed. */
  private pass(text: string): void {
    if (typeof this.places === 'string' || this.places.fields === undefined) return;
    for (const sign of text)
      if (sign === '"') this.isQuoted = !this.isQuoted;
      else if (sign === ',' && !this.isQuoted) this.field += 1;
  }
}
