import { randomBytes } from 'node:crypto';
import { TextDecoder } from 'node:util';
import { parseJson } from '../../../kernel/json/json';
import { AppError } from '../../../kernel/app-error';
import { BODY_BOUNDS } from './bounds';
import { LongJsonString } from './long-text';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LETTER_U = 0x75;
const UNICODE_DIGITS = 4;

/** Size of a string in bytes from which the rest of the string is read by `LongJsonString`. */
const LONG_TEXT_BYTES = 16 * 1024;

/**
 * Reads a JSON document while its bytes arrive, and refuses it as soon as it exceeds a limit, before any
 * object is built. The reader itself only counts values and separates long strings. At the end, `JSON.parse`
 * checks whether the document is valid JSON.
 *
 * Long strings do not pass through `JSON.parse`: they are replaced by a random placeholder, and put back
 * afterwards.
 */
export class JsonReader {
  private readonly mark = `#${randomBytes(16).toString('hex')}#`;
  private readonly structure: Buffer[] = [];
  private structureBytes = 0;
  private readonly texts: LongJsonString[] = [];
  private long: LongJsonString | undefined;

  private values = 1;
  private depth = 0;
  /** For each open object or array, the number of fields or elements that have begun. */
  private readonly counts = new Uint32Array(BODY_BOUNDS.depth + 1);
  private readonly isObject = new Uint8Array(BODY_BOUNDS.depth + 1);
  private isName = false;

  private inString = false;
  /** Number of hexadecimal digits that an escape sequence in a string still lacks. */
  private escape = 0;
  private afterBackslash = false;
  private stringBytes = 0;

  /** @throws AppError `malformed` beyond the limits; TypeError and SyntaxError for invalid JSON. */
  push(chunk: Buffer): void {
    // Start of the bytes of this chunk that are not stored yet, as structure or as part of a long string.
    let from = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] as number;
      if (!this.inString) {
        this.countStructure(byte);
        continue;
      }
      if ((this.afterBackslash || this.escape > 0) && this.isEscaped(byte)) continue;
      if (this.long !== undefined && byte !== QUOTE && byte !== BACKSLASH) {
        at = plainUntil(chunk, at) - 1;
        continue;
      }
      if (byte === QUOTE) {
        this.inString = false;
        if (this.long !== undefined) from = this.endLong(chunk, from, at);
      } else if (this.long === undefined && this.stringBytes > LONG_TEXT_BYTES && (byte & 0xc0) !== 0x80) {
        from = this.beginLong(chunk, from, at);
        if (byte === BACKSLASH) this.afterBackslash = true;
      } else if (byte === BACKSLASH) {
        this.afterBackslash = true;
      }
      this.stringBytes += 1;
    }
    const rest = chunk.subarray(from);
    if (this.long === undefined) this.keep(rest);
    else this.long.push(rest);
  }

  /** Returns the document. @throws TypeError and SyntaxError for invalid JSON. */
  end(): unknown {
    if (this.long !== undefined) throw new SyntaxError('a string is not closed');
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(this.structure));
    return this.texts.length === 0 ? parseJson(text) : parseJson(text, (value) => this.restored(value));
  }

  /** Whether the next byte of a string belongs to an escape sequence; false for the backslash itself. */
  private isEscaped(byte: number): boolean {
    if (this.afterBackslash) {
      this.afterBackslash = false;
      if (byte === LETTER_U) this.escape = UNICODE_DIGITS;
    } else if (this.escape > 0 && byte !== QUOTE && byte !== BACKSLASH) {
      this.escape -= 1;
    } else {
      this.escape = 0;
      return false;
    }
    this.stringBytes += 1;
    return true;
  }

  private countStructure(byte: number): void {
    switch (byte) {
      case QUOTE:
        this.inString = true;
        this.stringBytes = 0;
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.open(byte === OPEN_OBJECT);
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        if (this.depth > 0) this.depth -= 1;
        this.isName = false;
        break;
      case COMMA:
        this.next();
        break;
      case COLON:
        this.isName = false;
        break;
      default:
    }
  }

  private open(isObject: boolean): void {
    this.depth += 1;
    if (this.depth > BODY_BOUNDS.depth) throw beyond(`is nested more than ${BODY_BOUNDS.depth} levels deep`);
    this.counts[this.depth] = 1;
    this.isObject[this.depth] = isObject ? 1 : 0;
    this.isName = isObject;
    this.countValue();
  }

  private next(): void {
    const count = (this.counts[this.depth] ?? 0) + 1;
    this.counts[this.depth] = count;
    this.isName = this.isObject[this.depth] === 1;
    if (this.isName && count > BODY_BOUNDS.fields)
      throw beyond(`has an object of more than ${BODY_BOUNDS.fields} fields`);
    if (count > BODY_BOUNDS.elements)
      throw beyond(`has an array of more than ${BODY_BOUNDS.elements} elements`);
    this.countValue();
  }

  private countValue(): void {
    this.values += 1;
    if (this.values > BODY_BOUNDS.values) throw beyond(`has more than ${BODY_BOUNDS.values} values`);
  }

  /** Stores the rest of the string as a long string, from this byte on, which begins a character. */
  private beginLong(chunk: Buffer, from: number, at: number): number {
    if (this.isName) throw beyond(`has a field name of more than ${LONG_TEXT_BYTES} bytes`);
    this.keep(chunk.subarray(from, at));
    this.keep(Buffer.from(`${this.mark}${this.texts.length}`));
    this.long = new LongJsonString();
    this.texts.push(this.long);
    return at;
  }

  private endLong(chunk: Buffer, from: number, at: number): number {
    this.long?.push(chunk.subarray(from, at));
    this.long = undefined;
    return at;
  }

  private keep(bytes: Buffer): void {
    this.structureBytes += bytes.length;
    if (this.structureBytes > BODY_BOUNDS.structureBytes)
      throw beyond('has more than 1 MiB besides its longest texts');
    if (bytes.length > 0) this.structure.push(bytes);
  }

  private restored(value: unknown): unknown {
    if (typeof value !== 'string') return value;
    const at = value.lastIndexOf(this.mark);
    if (at === -1) return value;
    return value.slice(0, at) + (this.texts[Number(value.slice(at + this.mark.length))]?.end() ?? '');
  }
}

/**
 * Returns the index of the next byte that ends a string or begins an escape sequence; the length of the chunk
 * if there is none.
 */
function plainUntil(chunk: Buffer, from: number): number {
  let at = from;
  while (at < chunk.length && chunk[at] !== QUOTE && chunk[at] !== BACKSLASH) at += 1;
  return at;
}

function beyond(what: string): AppError {
  return new AppError('malformed', `the request body ${what}`);
}
