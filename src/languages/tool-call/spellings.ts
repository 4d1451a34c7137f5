import { isUtf8 } from 'node:buffer';

/**
 * A generator that reads a text in steps, because the text may be long. Other work can run between two
 * steps. The generator returns the result.
 */
type Steps<T> = Generator<undefined, T>;

/** UTF-16 code units, or bytes, that are read in one step. */
const STEP = 64 * 1024;
const REPLACEMENTS = 1_000;
const [PERCENT, ZERO, A] = [0x25, 0x30, 0x61];

const ESCAPE = /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([^]))/g;
const LETTERS: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '"': '"',
  "'": "'",
  '/': '/',
  '\\': '\\',
};

/** A part of a text, and the text that replaces it. */
interface Replaced {
  readonly start: number;
  readonly end: number;
  readonly by: string;
}

/** Decodes the backslash escapes of a text. */
export function* escapedText(text: string): Steps<string> {
  return text.includes('\\') ? yield* replaced(text, backslashEscapes(text)) : text;
}

function* backslashEscapes(text: string): Generator<Replaced> {
  for (const match of text.matchAll(ESCAPE)) {
    const { index: start } = match;
    yield { start, end: start + match[0].length, by: unescaped(match) };
  }
}

function unescaped([whole, point, unit, byte, letter]: RegExpExecArray): string {
  if (letter !== undefined) return LETTERS[letter] ?? whole;
  const code = Number.parseInt(point ?? unit ?? byte ?? '', 16);
  return code > 0x10_ffff ? whole : String.fromCodePoint(code);
}

/** Decodes the percent escapes of a text. */
export function* percentText(text: string): Steps<string> {
  return text.includes('%') ? yield* replaced(text, percentEscapes(text)) : text;
}

/**
 * Yields each sequence of percent escapes, and undefined after a step that found none. Without a regular
 * expression, because V8 needs stack for each repetition of a group: 16 MB of escapes overflow it.
 */
function* percentEscapes(text: string): Generator<Replaced | undefined> {
  let steppedAt = 0;
  let bytes = Buffer.alloc(STEP);
  for (let at = text.indexOf('%'); at !== -1; at = text.indexOf('%', at)) {
    const start = at;
    let length = 0;
    for (let byte = byteAt(text, at); byte !== undefined; byte = byteAt(text, at)) {
      if (length === bytes.length) bytes = Buffer.concat([bytes], 2 * length);
      bytes[length++] = byte;
      at += 3;
      if (at - steppedAt <= STEP) continue;
      yield undefined;
      steppedAt = at;
    }
    if (at > start) yield { start, end: at, by: utf8OrLatin1(bytes.subarray(0, length)) };
    else at += 1;
    if (at - steppedAt <= STEP) continue;
    yield undefined;
    steppedAt = at;
  }
}

/** Returns the byte of the percent escape at a position; undefined if there is none. */
function byteAt(text: string, at: number): number | undefined {
  if (text.charCodeAt(at) !== PERCENT) return undefined;
  const high = digitOf(text.charCodeAt(at + 1));
  const low = digitOf(text.charCodeAt(at + 2));
  return high === undefined || low === undefined ? undefined : 16 * high + low;
}

/** Returns the value of a hexadecimal digit; undefined for other characters, and behind the end (NaN). */
function digitOf(code: number): number | undefined {
  if (code >= ZERO && code <= ZERO + 9) return code - ZERO;
  const lower = code | 0x20;
  return lower >= A && lower <= A + 5 ? lower - A + 10 : undefined;
}

function* replaced(text: string, found: Iterable<Replaced | undefined>): Steps<string> {
  const parts: string[] = [];
  let next: string[] = [];
  let from = 0;
  for (const one of found) {
    if (one === undefined) {
      yield;
      continue;
    }
    next.push(text.slice(from, one.start), one.by);
    from = one.end;
    if (next.length < 2 * REPLACEMENTS) continue;
    // The characters are joined in each step, because joining all of them at the end would take too long.
    parts.push(next.join(''));
    next = [];
    yield;
  }
  return [...parts, ...next, text.slice(from)].join('');
}

function utf8OrLatin1(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Matches the first character after a sequence of base64 digits. */
const AFTER_RUN = /[^\w+/=-]/g;
// Matches a sequence of at least 8 base64 digits inside a text. Does not use `{8,}`, because V8 needs stack
// for each repetition of a counted quantifier, and a text of megabytes overflows the stack.
const RUN = /[\w+/-]{8}[\w+/-]*={0,2}/g;
const DIGITS_OF_WHOLE = /^[\w+/\s-]*$/;
const SHORTEST = 6;

/**
 * Decodes the whole text if it is base64, and each sequence of base64 digits in it. Yields each decoded text,
 * and undefined after a step that found none.
 */
export function* base64Texts(text: string): Generator<string | undefined> {
  if (yield* isWhole(text)) yield* textOfBase64(yield* withoutSpace(text));
  for (let from = 0; from < text.length;) {
    const end = runEnd(text, from + STEP);
    for (const [run] of text.slice(from, end).matchAll(RUN))
      if (run.length < text.length) yield* textOfBase64(run);
    from = end;
    yield undefined;
  }
}

/**
 * Whether the text consists of base64 digits and white space, then up to two `=`, then white space. A single
 * regular expression would take quadratic time, because it would try each white space from each offset.
 */
function* isWhole(text: string): Steps<boolean> {
  const end = text.trimEnd();
  const body = end.slice(0, end.length - (end.endsWith('==') ? 2 : end.endsWith('=') ? 1 : 0));
  if ((body === end ? text : body).length < SHORTEST) return false;
  for (let at = 0; at < body.length; at += STEP) {
    if (!DIGITS_OF_WHOLE.test(body.slice(at, at + STEP))) return false;
    yield;
  }
  return true;
}

function* withoutSpace(text: string): Steps<string> {
  const parts: string[] = [];
  for (let at = 0; at < text.length; at += STEP) {
    // Does not use `replaceAll`, because it returns a chain of string parts. The final `join` would then copy
    // the parts of all chains in one turn of the event loop.
    parts.push(
      text
        .slice(at, at + STEP)
        .split(/\s+/)
        .join(''),
    );
    yield;
  }
  return parts.join('');
}

/** Returns the first offset at or after `from` that is not inside a sequence of base64 digits. */
function runEnd(text: string, from: number): number {
  AFTER_RUN.lastIndex = from;
  return AFTER_RUN.exec(text)?.index ?? text.length;
}

/** Decodes a sequence of base64 digits. Yields no text if the bytes are not text, as for most plain words. */
function* textOfBase64(run: string): Generator<string | undefined> {
  const bytes = Buffer.from(run, 'base64');
  yield undefined;
  if (yield* isUtf16(bytes)) yield bytes.toString('utf16le');
  const text = yield* decoded(bytes);
  if (text !== undefined && text !== '') yield text;
}

/** Decodes UTF-8 bytes. Returns undefined if more than one in `MOST` code units is unusual in text. */
function* decoded(bytes: Buffer): Steps<string | undefined> {
  if (bytes.length <= STEP) {
    const text = bytes.toString();
    return isMostlyText(text) ? text : undefined;
  }
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const parts: string[] = [];
  let odd = 0;
  let length = 0;
  for (let at = 0; at < bytes.length; at += STEP) {
    const part = decoder.decode(bytes.subarray(at, at + STEP), { stream: at + STEP < bytes.length });
    odd += oddUnits(part, part.length);
    length += part.length;
    // Can stop early, because the text is not longer than `bytes`: each byte becomes at most one unit.
    if (odd > bytes.length / MOST) return undefined;
    parts.push(part);
    yield;
  }
  return odd <= length / MOST ? parts.join('') : undefined;
}

/** At most one in this many code units of a text may be unusual in text, such as a control character. */
const MOST = 5;

export function isMostlyText(text: string): boolean {
  return oddUnits(text, text.length / MOST) <= text.length / MOST;
}

/** Counts the code units that are unusual in text, such as control characters. Stops above `most`. */
function oddUnits(text: string, most: number): number {
  let odd = 0;
  for (let at = 0; at < text.length && odd <= most; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd || unit === 0x7f || (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d))
      odd += 1;
  }
  return odd;
}

/** Whether bytes are probably UTF-16: Latin text has a zero in nearly every second byte. */
function* isUtf16(bytes: Buffer): Steps<boolean> {
  if (bytes.length < 4 || bytes.length % 2 > 0) return false;
  let zeros = 0;
  for (let at = 1; at < bytes.length; at += 2) {
    if (bytes[at] === 0) zeros += 1;
    if ((at - 1) % STEP === 0 && at > 1) yield;
  }
  return zeros * 4 > bytes.length;
}
