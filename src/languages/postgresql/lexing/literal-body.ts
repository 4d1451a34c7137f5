import { MappedText, MappedTextBuilder } from '../../text/mapped-text';

/**
 * The notation of a string or quoted name. `verbatim` has no escapes (dollar quotes, bit strings). In the
 * other notations, a doubled quote stands for one quote. `doubled` has no other escapes, `escaped` has
 * backslash escapes, and `unicode` has \XXXX and \+XXXXXX.
 */
export type BodyForm = 'doubled' | 'escaped' | 'unicode' | 'verbatim';

export interface LiteralBody {
  readonly form: BodyForm;
  readonly quote: "'" | '"';
  /**
   * Offsets of the parts of the body without quotes: start, end, start, end… A string has several parts if it
   * continues on a further line.
   */
  readonly parts: readonly number[];
  /** Whether the body is one part without escapes. */
  readonly plain: boolean;
  /** The escape character of `unicode`. */
  readonly escape: string;
}

/**
 * Returns the text that the body stands for, mapped to the source. Offsets in the source begin at the start
 * of the body. An escape that PostgreSQL would refuse stays unchanged.
 */
export function decodeBody(source: string, body: LiteralBody): MappedText {
  const written = withoutGaps(source, body.parts);
  const escapes = escapesOf(body);
  return escapes === null ? written : decode(written.text, body.parts, escapes).from(written);
}

function withoutGaps(source: string, parts: readonly number[]): MappedText {
  const start = parts[0] ?? 0;
  const builder = new MappedTextBuilder(source.slice(start, parts.at(-1)));
  for (let part = 2; part < parts.length; part += 2) {
    builder.replace((parts[part - 1] ?? start) - start, (parts[part] ?? start) - start, '');
  }
  return builder.build();
}

function decode(text: string, parts: readonly number[], escapes: Escapes): MappedText {
  const builder = new MappedTextBuilder(text);
  const bytes = new PendingBytes(builder);
  // An escape cannot continue in the next part, but the bytes of a character can.
  for (let part = 0, from = 0; part < parts.length; part += 2) {
    const to = from + (parts[part + 1] ?? 0) - (parts[part] ?? 0);
    for (const { 0: written, index } of text.slice(from, to).matchAll(escapes.pattern)) {
      const start = from + index;
      const end = start + written.length;
      const value = escapes.value(written);
      if (typeof value === 'number') bytes.add(value, start, end);
      else {
        bytes.flush();
        builder.replace(start, end, value);
      }
    }
    from = to;
  }
  bytes.flush();
  return builder.build();
}

/** Collects bytes that a string writes as separate escapes, until they form a UTF-8 character. */
class PendingBytes {
  private readonly bytes: number[] = [];
  private start = 0;
  private end = 0;

  constructor(private readonly builder: MappedTextBuilder) {}

  add(byte: number, start: number, end: number): void {
    if (byte < 128 || byte >= 192 || start !== this.end) this.flush();
    if (this.bytes.length === 0) this.start = start;
    this.bytes.push(byte);
    this.end = end;
  }

  flush(): void {
    if (this.bytes.length === 0) return;
    this.builder.replace(this.start, this.end, Buffer.from(this.bytes).toString('utf8'));
    this.bytes.length = 0;
  }
}

interface Escapes {
  readonly pattern: RegExp;
  /** Returns the character that a match stands for, or a number for one byte of a character. */
  readonly value: (written: string) => string | number;
}

function escapesOf({ form, quote, escape }: LiteralBody): Escapes | null {
  switch (form) {
    case 'verbatim':
      return null;
    case 'doubled':
      return { pattern: quote === '"' ? /""/g : /''/g, value: () => quote };
    case 'escaped':
      return { pattern: backslashEscape, value: backslashValue };
    case 'unicode':
      return { pattern: unicodeEscape(quote, escape), value: unicodeValue };
  }
}

const backslashEscape = /''|\\(?:x[0-9a-fA-F]{1,2}|[0-7]{1,3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[^])/g;
const named: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

function backslashValue(written: string): string | number {
  const first = written.charAt(1);
  if (first >= '0' && first <= '7') return Number.parseInt(written.slice(1), 8) & 255;
  if (written.length === 2) return named[first] ?? first;
  const code = Number.parseInt(written.slice(2), 16);
  return first === 'x' ? code : character(code, written);
}

function unicodeValue(written: string): string {
  if (written.length === 2) return written.charAt(1);
  return character(Number.parseInt(written.slice(written.charAt(1) === '+' ? 2 : 1), 16), written);
}

function character(code: number, written: string): string {
  return code > 0x10ffff ? written : String.fromCodePoint(code);
}

const unicodeEscapes = new Map<string, RegExp>();

/**
 * Returns the regular expression for `unicode` escapes. It is cached, because a text can contain very many
 * such strings. There is at most one expression per quote and ASCII escape character.
 */
function unicodeEscape(quote: string, escape: string): RegExp {
  const known = unicodeEscapes.get(quote + escape);
  if (known !== undefined) return known;
  const mark = `\\x${escape.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const pattern = new RegExp(`${quote}{2}|${mark}(?:${mark}|[0-9a-fA-F]{4}|\\+[0-9a-fA-F]{6})`, 'g');
  unicodeEscapes.set(quote + escape, pattern);
  return pattern;
}
