import { isUtf8 } from 'node:buffer';

/**
 * A step in the reading of a text that may be long: others may have a turn.
 * What is found is returned, or given between steps.
 */
type Steps<T> = Generator<undefined, T>;

/** UTF-16 code units, or bytes, that are read in one step. */
const STEP = 64 * 1024;
const REPLACEMENTS = 1_000;

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

/** The text without backslash escapes. */
export function* escapedText(text: string): Steps<string> {
  if (!text.includes('\\')) return text;
  return yield* replaced(text, ESCAPE, ([whole, point, unit, byte, letter]) => {
    if (letter !== undefined) return LETTERS[letter] ?? whole;
    const code = Number.parseInt(point ?? unit ?? byte ?? '', 16);
    return code > 0x10_ffff ? whole : String.fromCodePoint(code);
  });
}

/** The text without percent escapes. */
export function* percentText(text: string): Steps<string> {
  if (!text.includes('%')) return text;
  return yield* replaced(text, /(?:%[\da-fA-F]{2})+/g, ([run]) =>
    utf8OrLatin1(Buffer.from(run.replaceAll('%', ''), 'hex')),
  );
}

function* replaced(text: string, what: RegExp, by: (match: RegExpExecArray) => string): Steps<string> {
  const parts: string[] = [];
  let next: string[] = [];
  let from = 0;
  for (const match of text.matchAll(what)) {
    next.push(text.slice(from, match.index), by(match));
    from = match.index + match[0].length;
    if (next.length < 2 * REPLACEMENTS) continue;
    // One long chain of texts would be put together at once.
    parts.push(next.join(''));
    next = [];
    yield;
  }
  return [...parts, ...next, text.slice(from)].join('');
}

function utf8OrLatin1(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Runs of this many characters inside a text are read as base64; a whole text may be shorter. */
const AFTER_RUN = /[^\w+/=-]/g;
// Not `{8,}`: V8 keeps a place on its stack for each repetition of a counted one, which megabytes overflow.
const RUN = /[\w+/-]{8}[\w+/-]*={0,2}/g;
const DIGITS_OF_WHOLE = /^[\w+/\s-]*$/;
const SHORTEST = 6;

/** The texts of which a text, or a run in it, is the base64. Undefined is a step without a text. */
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
 * Whether the text is digits of base64, white space, up to two `=` and white space. Not one expression: it
 * would try the white space before what is no digit from each of its places, which takes quadratic time.
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
    // A text after `replaceAll` is a chain of its pieces, which the join would put together at once.
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

/** The first place from there on where no run of base64 is cut. */
function runEnd(text: string, from: number): number {
  AFTER_RUN.lastIndex = from;
  return AFTER_RUN.exec(text)?.index ?? text.length;
}

/** Most words are base64 of no text: of them there is nothing. */
function* textOfBase64(run: string): Generator<string | undefined> {
  const bytes = Buffer.from(run, 'base64');
  yield undefined;
  if (yield* isUtf16(bytes)) yield bytes.toString('utf16le');
  const text = yield* decoded(bytes);
  if (text !== undefined && text !== '') yield text;
}

/** Undefined for what is mostly no text. */
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
    // Each byte becomes one unit at most.
    if (odd > bytes.length / MOST) return undefined;
    parts.push(part);
    yield;
  }
  return odd <= length / MOST ? parts.join('') : undefined;
}

/** One unit in so many may be none of a text. */
const MOST = 5;

export function isMostlyText(text: string): boolean {
  return oddUnits(text, text.length / MOST) <= text.length / MOST;
}

/** Number of units that are not part of a text. Stops above `most`. */
function oddUnits(text: string, most: number): number {
  let odd = 0;
  for (let at = 0; at < text.length && odd <= most; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd || unit === 0x7f || (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d))
      odd += 1;
  }
  return odd;
}

/** Text in Latin letters has a zero in every second byte, or nearly so. */
function* isUtf16(bytes: Buffer): Steps<boolean> {
  if (bytes.length < 4 || bytes.length % 2 > 0) return false;
  let zeros = 0;
  for (let at = 1; at < bytes.length; at += 2) {
    if (bytes[at] === 0) zeros += 1;
    if ((at - 1) % STEP === 0 && at > 1) yield;
  }
  return zeros * 4 > bytes.length;
}
