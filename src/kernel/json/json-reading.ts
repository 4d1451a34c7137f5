import {
  emptyObject,
  type Json,
  type JsonBounds,
  JsonFault,
  type JsonNumber,
  type JsonObject,
} from './json-value';
import { nameKey } from './name-key';
import { numberOf } from './number-text';
import { StringReading } from './string-reading';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;

/** Maximum length of a number. Longer numbers have no use, and comparing their digits takes long. */
const MAX_NUMBER = 4096;
/**
 * Maximum number of names in an object. V8 moves all names of a growing object in one step, which would
 * block the event loop for long.
 */
const MAX_NAMES = 100_000;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Tokens that may come next. */
type Expected = 'value' | 'value or ]' | 'name or }' | 'name' | ': of a name' | ', or the end' | 'nothing';

/** Reads one document in steps. Checks the text while it builds the value, so that the two always agree. */
export class JsonReading {
  private at = 0;
  private expected: Expected = 'value';
  /** The open arrays and objects, outermost first. */
  private readonly open: (Json[] | JsonObject)[] = [];
  /** For each open object: the name whose value comes next. Empty for an array. */
  private readonly names: string[] = [];
  private readonly nameCounts: number[] = [];
  /** For each open object: the keys (`nameKey`) of its names, if they differ from the names. */
  private readonly keys: (Set<string> | undefined)[] = [];
  private values = 0;
  private root: Json = null;
  private string: StringReading | undefined;

  constructor(
    private readonly text: string,
    private readonly bounds: JsonBounds,
  ) {}

  /** Reads about `units` UTF-16 code units. Returns true once all of the text was read. @throws JsonFault */
  advance(units: number): boolean {
    const until = this.at + units;
    while (this.at < until) {
      if (this.string !== undefined) {
        this.continueString(this.string, until);
        continue;
      }
      this.skipSpace();
      if (this.at >= this.text.length) return this.end();
      this.readToken(this.text.charCodeAt(this.at));
    }
    return this.at >= this.text.length && this.end();
  }

  /** The value; complete once `advance` has returned true. */
  get value(): Json {
    return this.root;
  }

  private end(): true {
    if (this.expected !== 'nothing' || this.string !== undefined) throw noJson();
    return true;
  }

  private skipSpace(): void {
    const { text } = this;
    let { at } = this;
    for (;;) {
      const unit = text.charCodeAt(at);
      // JSON has only these four white-space characters. Past the end, `unit` is NaN.
      if (unit !== SPACE && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) break;
      at += 1;
    }
    this.at = at;
  }

  private readToken(unit: number): void {
    switch (this.expected) {
      case 'value or ]':
        if (unit === CLOSE_ARRAY) return this.close();
        return this.readValue(unit);
      case 'value':
        return this.readValue(unit);
      case 'name or }':
        if (unit === CLOSE_OBJECT) return this.close();
        return this.beginString(unit);
      case 'name':
        return this.beginString(unit);
      case ': of a name':
        if (unit !== COLON) throw noJson();
        return this.take('value');
      case ', or the end':
        return this.readSeparator(unit, this.open.at(-1)!);
      case 'nothing':
        throw new JsonFault('syntax', 'has more than one JSON value');
    }
  }

  private readSeparator(unit: number, parent: Json[] | JsonObject): void {
    const isArray = Array.isArray(parent);
    if (unit === COMMA) this.take(isArray ? 'value' : 'name');
    else if (unit === (isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) this.close();
    else throw noJson();
  }

  private readValue(unit: number): void {
    this.values += 1;
    if (this.values > this.bounds.values)
      throw new JsonFault('size', `has more than ${this.bounds.values} values`);
    switch (unit) {
      case QUOTE:
        return this.beginString(unit);
      case OPEN_ARRAY:
        return this.begin([], 'value or ]');
      case OPEN_OBJECT:
        return this.begin(emptyObject(), 'name or }');
      case 0x74:
        return this.literal('true', true);
      case 0x66:
        return this.literal('false', false);
      case 0x6e:
        return this.literal('null', null);
      default:
        this.put(this.number());
    }
  }

  private begin(container: Json[] | JsonObject, next: Expected): void {
    if (this.open.length >= this.bounds.depth)
      throw new JsonFault('depth', `is nested more than ${this.bounds.depth} levels deep`);
    this.open.push(container);
    this.names.push('');
    this.nameCounts.push(0);
    this.keys.push(undefined);
    this.take(next);
  }

  private close(): void {
    this.at += 1;
    const container = this.open.pop()!;
    this.names.pop();
    this.nameCounts.pop();
    this.keys.pop();
    this.put(container);
  }

  private literal(written: string, value: Json): void {
    if (!this.text.startsWith(written, this.at)) throw noJson();
    this.at += written.length;
    this.put(value);
  }

  private number(): number | JsonNumber {
    NUMBER.lastIndex = this.at;
    const written = NUMBER.exec(this.text)?.[0];
    if (written === undefined) throw noJson();
    if (written.length > MAX_NUMBER)
      throw new JsonFault('size', `has a number of more than ${MAX_NUMBER} characters`);
    this.at += written.length;
    return numberOf(written);
  }

  /** Begins a string value, or the name of a value. */
  private beginString(unit: number): void {
    if (unit !== QUOTE) throw noJson();
    this.at += 1;
    this.string = new StringReading(this.text, this.at);
  }

  private continueString(string: StringReading, until: number): void {
    const read = string.advance(until);
    this.at = string.at;
    if (read === undefined) return;
    this.string = undefined;
    if (this.expected === 'name' || this.expected === 'name or }') this.takeName(read);
    else this.put(read);
  }

  private takeName(name: string): void {
    const { nameBytes } = this.bounds;
    if (name.length > nameBytes || (name.length * 3 > nameBytes && Buffer.byteLength(name) > nameBytes))
      throw new JsonFault('size', `has a name of more than ${nameBytes} bytes`);
    const last = this.open.length - 1;
    if (name in (this.open[last] as JsonObject))
      throw new JsonFault('duplicate', 'has an object with the same name twice', name);
    if (this.bounds.oneReading) this.requireOneReading(name, last);
    const count = (this.nameCounts[last] ?? 0) + 1;
    if (count > MAX_NAMES) throw new JsonFault('size', `has an object of more than ${MAX_NAMES} names`);
    this.nameCounts[last] = count;
    this.names[last] = name;
    this.expected = ': of a name';
  }

  private requireOneReading(name: string, last: number): void {
    if (name === '__proto__')
      throw new JsonFault('prototype', 'has a name that some programs take for another object', name);
    const key = nameKey(name);
    const others = this.keys[last];
    const isPlain = key === name;
    if (others?.has(key) === true || (!isPlain && key in (this.open[last] as JsonObject)))
      throw new JsonFault('duplicate', 'has an object with two names that some programs take for one', name);
    if (isPlain) return;
    if (others === undefined) this.keys[last] = new Set([key]);
    else others.add(key);
  }

  private put(value: Json): void {
    const last = this.open.length - 1;
    const parent = this.open[last];
    if (parent === undefined) {
      this.root = value;
      this.expected = 'nothing';
      return;
    }
    if (Array.isArray(parent)) parent.push(value);
    else parent[this.names[last]!] = value;
    this.expected = ', or the end';
  }

  private take(next: Expected): void {
    this.at += 1;
    this.expected = next;
  }
}

function noJson(): JsonFault {
  return new JsonFault('syntax', 'is no valid JSON');
}
