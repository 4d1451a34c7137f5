import { MappedText, MappedTextBuilder } from './mapped-text';

/**
 * How the body of a string or of a quoted name is written: `doubled` has two quotes for one, `escaped` also has
 * backslashes, `unicode` also has \XXXX and \+XXXXXX, `verbatim` has nothing (dollar quotes, bit strings).
 */
export type BodyForm = 'doubled' | 'escaped' | 'unicode' | 'verbatim';

export interface LiteralBody {
  readonly form: BodyForm;
  readonly quote: "'" | '"';
  /** The parts of the body without quotes, as start, end, start, end…: a string may go on in a further line. */
  readonly parts: readonly number[];
  /** There is one part, and it stands for itself. */
  readonly plain: boolean;
  /** The escape character of the form `unicode`. */
  readonly escape: string;
}

/** What the body stands for, mapped to the source. An escape that PostgreSQL would refuse stays as it is written. */
export function decodeBody(source: string, body: LiteralBody): MappedText {
  const builder = new MappedTextBuilder(source);
  const bytes = new PendingBytes(builder);
  const escapes = escapesOf(body);
  for (let part = 0; part < body.parts.length; part += 2) {
    const start = body.parts[part] ?? 0;
    const end = body.parts[part + 1] ?? start;
    if (escapes === null) builder.copy(start, end);
    else decodePart(source, start, end, escapes, builder, bytes);
  }
  bytes.flush();
  return builder.build();
}

function decodePart(
  source: string,
  start: number,
  end: number,
  escapes: Escapes,
  builder: MappedTextBuilder,
  bytes: PendingBytes,
): void {
  const text = source.slice(start, end);
  let done = 0;
  const copy = (to: number) => {
    if (to === done) return;
    bytes.flush();
    builder.copy(start + done, start + to);
  };
  for (const match of text.matchAll(escapes.pattern)) {
    copy(match.index);
    done = match.index + match[0].length;
    const value = escapes.value(match[0]);
    if (typeof value === 'number') bytes.add(value, start + match.index, start + done);
    else {
      bytes.flush();
      builder.replace(value, start + match.index, start + done);
    }
  }
  copy(text.length);
}

/** Bytes that escapes of a string name one by one; several together are one character in UTF-8. */
class PendingBytes {
  private readonly bytes: number[] = [];
  private start = 0;
  private end = 0;

  constructor(private readonly builder: MappedTextBuilder) {}

  add(byte: number, start: number, end: number): void {
    if (byte < 128 || byte >= 192) this.flush();
    if (this.bytes.length === 0) this.start = start;
    this.bytes.push(byte);
    this.end = end;
  }

  flush(): void {
    if (this.bytes.length === 0) return;
    this.builder.replace(Buffer.from(this.bytes).toString('utf8'), this.start, this.end);
    this.bytes.length = 0;
  }
}

interface Escapes {
  readonly pattern: RegExp;
  /** The character that a match stands for, or one byte of it as a number. */
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

/** Kept, because a text can hold very many of these literals. There is one per ASCII mark at most. */
function unicodeEscape(quote: string, escape: string): RegExp {
  const known = unicodeEscapes.get(quote + escape);
  if (known !== undefined) return known;
  const mark = `\\x${escape.charCodeAt(0).toString(16).padStart(2, '0')}`;
  const pattern = new RegExp(`${quote}{2}|${mark}(?:${mark}|[0-9a-fA-F]{4}|\\+[0-9a-fA-F]{6})`, 'g');
  unicodeEscapes.set(quote + escape, pattern);
  return pattern;
}
