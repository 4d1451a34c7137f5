import { nameKey } from '../../kernel/json/json';
import { isJsonInSteps } from '../../kernel/json/quoted-json';
import { atOnce } from '../../kernel/async/time-slice';
import { type MappedText, MappedTextBuilder } from '../text/mapped-text';

/**
 * A path in a JSON document: field names and array indexes; `*` stands for any name or index. A name also
 * matches spellings that a usual JSON reader treats as the same name.
 */
export type Place = readonly string[];

/**
 * A text, a number or the name of an object's field in a JSON document. `start` and `end` are its range in
 * `JsonLeaves.decoded`, without quotes.
 */
export interface Leaf {
  readonly kind: 'text' | 'number' | 'name';
  /** Number of the array or object that contains the leaf, from 1 in document order; 0 outside of all. */
  readonly parent: number;
  readonly start: number;
  readonly end: number;
}

export interface JsonLeaves {
  /** The document with the escapes of its texts decoded. It is not JSON any more. */
  readonly decoded: MappedText;
  /** The leaves in document order. If a field name occurs twice, the values of both fields are included. */
  readonly leaves: readonly Leaf[];
}

/**
 * Returns the texts, numbers and names of a JSON document, or only those at or below the given paths. Returns
 * undefined if the text is not JSON. Takes linear time.
 */
export function jsonLeaves(text: string, places?: readonly Place[]): JsonLeaves | undefined {
  if (!isJson(text)) return undefined;
  const leaves = atOnce(new LeafScan(text, places, Infinity).run());
  return leaves === 'too large' ? undefined : leaves;
}

/** Maximum nesting that Go's encoding/json reads. Most other readers have a lower limit. */
const MAX_DEPTH = 10_000;
/** Maximum number of leaves. More leaves would cause long pauses of the garbage collector. */
const MAX_LEAVES = 100_000;

/**
 * Does the work of `jsonLeaves` in steps, because a document may be long. `too large` means more than 100 000
 * leaves, or more than 10 000 levels.
 */
export function* jsonLeafSteps(text: string): Generator<undefined, JsonLeaves | 'too large' | undefined> {
  if (yield* isDeeper(text, MAX_DEPTH)) return 'too large';
  // For a text up to this length, `JSON.parse` needs at most 5 ms, even for the deepest nesting.
  if (text.length <= STEP ? !isJson(text) : !(yield* isJsonInSteps(text))) return undefined;
  yield;
  return yield* new LeafScan(text, undefined, MAX_LEAVES).run();
}

/** Maximum number of UTF-16 code units that are checked in one step. */
const STEP = 64 * 1024;

function* isDeeper(text: string, levels: number): Generator<undefined, boolean> {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < text.length; at += 1) {
    if (at % STEP === 0) yield;
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) isInString = !isInString;
    else if (isInString) at += unit === BACKSLASH ? 1 : 0;
    else if (unit === OPEN_ARRAY || unit === OPEN_OBJECT) depth += 1;
    else if (unit === CLOSE_ARRAY || unit === CLOSE_OBJECT) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const LETTERS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Number of tokens that are read in one step. */
const TOKENS = 1_000;

/** Reads the leaves of a text that is known to be JSON. */
class LeafScan {
  private readonly builder: MappedTextBuilder;
  private readonly leaves: Leaf[] = [];
  /** Number of UTF-16 code units by which the text read so far is longer than its decoded form. */
  private saved = 0;
  private at = 0;
  /** Path to the current position: normalized field names (`nameKey`) and array indexes. */
  private readonly path: string[] = [];
  /** For each open array, the index of its current element; for each open object, undefined. */
  private readonly indexes: (number | undefined)[] = [];
  /** For each open array or object, its number in the document (`Leaf.parent`). */
  private readonly parents: number[] = [];
  private containers = 0;
  private isName = false;
  /** Paths whose leaves are returned, with normalized field names (`nameKey`); undefined: all leaves. */
  private readonly places: readonly Place[] | undefined;

  constructor(
    private readonly text: string,
    places: readonly Place[] | undefined,
    private readonly maxLeaves: number,
  ) {
    this.builder = new MappedTextBuilder(text);
    this.places = places?.map((place) => place.map(nameKey));
  }

  *run(): Generator<undefined, JsonLeaves | 'too large'> {
    let tokens = 0;
    while (this.at < this.text.length) {
      this.readToken(this.text.charAt(this.at));
      if (this.leaves.length > this.maxLeaves) return 'too large';
      if ((tokens += 1) % TOKENS === 0) yield;
    }
    return { decoded: this.builder.build(), leaves: this.leaves };
  }

  private readToken(character: string): void {
    switch (character) {
      case '"':
        return this.readString();
      case '{':
      case '[':
        this.path.push('0');
        this.indexes.push(character === '[' ? 0 : undefined);
        this.parents.push((this.containers += 1));
        this.isName = character === '{';
        break;
      case '}':
      case ']':
        this.path.pop();
        this.indexes.pop();
        this.parents.pop();
        break;
      case ',':
        this.next();
        break;
      case ':':
        this.isName = false;
        break;
      default:
        if (/[-\d]/.test(character)) return this.readNumber();
    }
    this.at += 1;
  }

  private next(): void {
    const last = this.indexes.length - 1;
    const index = this.indexes[last];
    this.isName = index === undefined;
    if (index === undefined) return;
    this.indexes[last] = index + 1;
    this.path[last] = String(index + 1);
  }

  private readNumber(): void {
    const start = this.at;
    while (/[-+.\deE]/.test(this.text.charAt(this.at))) this.at += 1;
    this.add('number', start - this.saved, this.at - this.saved);
  }

  private readString(): void {
    const quote = this.at;
    this.at += 1;
    const start = this.at - this.saved;
    const { text } = this;
    let { at } = this;
    for (;;) {
      const unit = text.charCodeAt(at);
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) at += this.readEscape(at);
      else at += 1;
    }
    this.at = at + 1;
    const end = at - this.saved;
    if (!this.isName) return this.add('text', start, end);
    if (this.places !== undefined)
      this.path[this.path.length - 1] = nameKey(JSON.parse(text.slice(quote, at + 1)) as string);
    this.add('name', start, end);
  }

  private readEscape(at: number): number {
    const letter = this.text.charAt(at + 1);
    const length = letter === 'u' ? 6 : 2;
    const unit =
      letter === 'u'
        ? String.fromCharCode(Number.parseInt(this.text.slice(at + 2, at + 6), 16))
        : (LETTERS[letter] ?? letter);
    this.builder.replace(at, at + length, unit);
    this.saved += length - 1;
    return length;
  }

  private add(kind: Leaf['kind'], start: number, end: number): void {
    if (this.places === undefined || this.places.some((place) => this.isUnder(place, kind === 'name')))
      this.leaves.push({ kind, parent: this.parents.at(-1) ?? 0, start, end });
  }

  /** Whether the leaf is at or below a path. A field's name counts as a part of the object around it. */
  private isUnder(place: Place, isName: boolean): boolean {
    const { path } = this;
    if (place.length > path.length - (isName ? 1 : 0)) return false;
    return place.every((part, index) => part === '*' || part === path[index]);
  }
}
