import { isUtf8 } from 'node:buffer';
import { atOnce } from '../../kernel/time-slice';
import { decimalOf } from '../../kernel/json/number-text';
import { jsonLeaves } from './json-leaves';

/** Texts in texts are read up to this depth. */
const MAX_LAYERS = 6;
/** Limits of what is read from one text, so that a text of many layers costs no more than a longer text. */
const MAX_TEXTS = 20_000;
const GROWTH = 8;
const FREE_UNITS = 64 * 1024;

export interface HiddenTexts {
  readonly texts: readonly string[];
  /** False when something was left unread: too many layers, or too much in them. */
  readonly complete: boolean;
}

const NOTHING: HiddenTexts = { texts: [], complete: true };
/** A text without any of these holds no other. */
const TRACES = /[\\%]|(?:[\w+/-]\s*){6}|^\s*["[{]/;

/**
 * The texts that a text holds in other spellings, which its receiver may undo: the texts, names and numbers of JSON, base64 of either alphabet (also
 * inside a text, as in `data:` URLs), backslash escapes, and percent escapes; and what those hold in turn.
 */
export function hiddenTexts(text: string): HiddenTexts {
  return atOnce(hiddenSteps(text));
}

/** Like `hiddenTexts`, in steps, for texts that may be long. */
export function* hiddenSteps(text: string): Generator<undefined, HiddenTexts> {
  if (!TRACES.test(text)) return NOTHING;
  const found = new Set<string>();
  let units = 0;
  let layer = [text];
  for (let depth = 0; layer.length > 0; depth += 1) {
    const next: string[] = [];
    for (const outer of layer)
      for (const inner of innerTexts(outer)) {
        yield;
        if (inner === undefined || inner === text || found.has(inner)) continue;
        units += inner.length;
        if (depth === MAX_LAYERS || found.size >= MAX_TEXTS || units > GROWTH * text.length + FREE_UNITS)
          return { texts: [...found], complete: false };
        found.add(inner);
        next.push(inner);
      }
    layer = next;
  }
  return { texts: [...found], complete: true };
}

/** Undefined is a step without a text. */
function* innerTexts(text: string): Generator<string | undefined> {
  yield* jsonTexts(text);
  if (text.includes('\\')) yield* changed(text, withoutEscapes(text));
  if (/%[\da-fA-F]{2}/.test(text)) yield* changed(text, withoutPercents(text));
  const url = /^\s*data:[^,]*,/i.exec(text);
  if (url !== null) yield text.slice(url[0].length);
  yield* base64Texts(text);
}

function* changed(text: string, other: string): Generator<string> {
  if (other !== text) yield other;
}

function* jsonTexts(text: string): Generator<string> {
  if (!/^\s*["[{]/.test(text)) return;
  const json = jsonLeaves(text);
  if (json === undefined) return;
  for (const { kind, start, end } of json.leaves) {
    const leaf = json.decoded.text.slice(start, end);
    if (leaf !== '') yield kind === 'number' ? plainNumber(leaf) : leaf;
  }
}

/** At most so many digits are written for an exponent. */
const MAX_DIGITS = 64;

/** The number without an exponent, as far as that is short: `4.111e3` is 4111. */
export function plainNumber(written: string): string {
  if (!/e/i.test(written)) return written;
  const { isNegative, digits, exponent } = decimalOf(written);
  const sign = isNegative ? '-' : '';
  if (Math.abs(exponent) > MAX_DIGITS || digits.length > MAX_DIGITS) return written;
  if (exponent >= 0) return sign + digits + '0'.repeat(exponent);
  const padded = digits.padStart(1 - exponent, '0');
  return `${sign}${padded.slice(0, exponent)}.${padded.slice(exponent)}`;
}

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

function withoutEscapes(text: string): string {
  return text.replaceAll(
    ESCAPE,
    (whole: string, point?: string, unit?: string, byte?: string, letter?: string) => {
      if (letter !== undefined) return LETTERS[letter] ?? whole;
      const code = Number.parseInt(point ?? unit ?? byte ?? '', 16);
      return code > 0x10_ffff ? whole : String.fromCodePoint(code);
    },
  );
}

function withoutPercents(text: string): string {
  return text.replaceAll(/(?:%[\da-fA-F]{2})+/g, (run) =>
    utf8OrLatin1(Buffer.from(run.replaceAll('%', ''), 'hex')),
  );
}

function utf8OrLatin1(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

/** Runs of this many characters inside a text are read as base64; a whole text may be shorter. */
const AFTER_RUN = /[^\w+/=-]/g;
const SEARCHED_AT_ONCE = 64 * 1024;
// Not `{8,}`: V8 keeps a place on its stack for each repetition of a counted one, which megabytes overflow.
const RUN = /[\w+/-]{8}[\w+/-]*={0,2}/g;
/** A shorter text is a word, even if its bytes are letters. */
const SHORTEST_WHOLE = 8;
const WHOLE = /^[\w+/\s-]{6}[\w+/\s-]*={0,2}\s*$/;

function* base64Texts(text: string): Generator<string | undefined> {
  if (WHOLE.test(text)) yield* textOfBase64(text.replaceAll(/\s+/g, ''));
  for (let from = 0; from < text.length;) {
    const end = runEnd(text, from + SEARCHED_AT_ONCE);
    for (const [run] of text.slice(from, end).matchAll(RUN))
      if (run.length < text.length) yield* textOfBase64(run);
    from = end;
    yield undefined;
  }
}

/** The first place from there on where no run of base64 is cut. */
function runEnd(text: string, from: number): number {
  AFTER_RUN.lastIndex = from;
  return AFTER_RUN.exec(text)?.index ?? text.length;
}

/** Most words are base64 of no text: of them there is nothing. */
function* textOfBase64(run: string): Generator<string> {
  const bytes = Buffer.from(run, 'base64');
  if (isUtf16(bytes)) yield bytes.toString('utf16le');
  const text = bytes.toString();
  if (text !== '' && isMostlyText(text)) yield text;
}

function isMostlyText(text: string): boolean {
  const most = text.length / 5;
  let odd = 0;
  for (let at = 0; at < text.length && odd <= most; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === 0xfffd || unit === 0x7f || (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d))
      odd += 1;
  }
  return odd <= most;
}

/** The text that a text is as a whole in base64, if it can be written back in the same form. */
export function wholeBase64(
  text: string,
): { readonly text: string; readonly encoding: 'base64' | 'base64url' } | undefined {
  if (text.length < SHORTEST_WHOLE || !/^[\w+/-]+={0,2}$/.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  const encoding = (['base64', 'base64url'] as const).find((each) => bytes.toString(each) === text);
  if (encoding === undefined || !isUtf8(bytes)) return undefined;
  const decoded = bytes.toString();
  return isMostlyText(decoded) ? { text: decoded, encoding } : undefined;
}

/** Text in Latin letters has a zero in every second byte, or nearly so. */
function isUtf16(bytes: Buffer): boolean {
  let zeros = 0;
  for (let at = 1; at < bytes.length; at += 2) if (bytes[at] === 0) zeros += 1;
  return bytes.length >= 4 && bytes.length % 2 === 0 && zeros * 4 > bytes.length;
}
