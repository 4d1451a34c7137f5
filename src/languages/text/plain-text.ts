import { MappedText, MappedTextBuilder } from './mapped-text';

/**
 * Removes invisible and control characters, converts the rest to Unicode NFKC, and replaces each run of white
 * space, also at both ends, by one space. Letter case is kept. Takes linear time.
 *
 * Invisible means Unicode's Default_Ignorable_Code_Point, white space means Unicode's White_Space.
 */
export function normalizePlain(source: MappedText): MappedText {
  if (!special.test(source.text) && !doubleSpace.test(source.text)) return source;
  // White space is folded last, because NFKC can create spaces.
  return after(settlePlain(source), fold);
}

/** Like `normalizePlain`, but white space is kept. */
export function settlePlain(source: MappedText): MappedText {
  // Removal comes first. Otherwise a zero-width character could separate a letter from its accent.
  return isStable(source.text) ? source : after(after(source, removeInvisible), compose);
}

/** Whether `settlePlain` never changes this character of the basic plane, whatever is next to it. */
export function isSettled(code: number): boolean {
  return unitClass(code) === stable;
}

// Two expressions, because a combined one takes twice the time.
const special = /[^ -~]/;
const doubleSpace = / {2}/;

function after(source: MappedText, step: (text: string) => MappedText): MappedText {
  return step(source.text).from(source);
}

function isStable(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (unitClass(text.charCodeAt(at)) !== stable) return false;
  return true;
}

// The steps look for what to change unit by unit. Bytes that are no text have much of it, and each match of a
// regular expression costs as much as a hundred units.

function removeInvisible(text: string): MappedText {
  return MappedText.without(text, (at) => invisibleLength(text, at));
}

/** Length of the invisible character at an offset; 0 for a visible one. */
function invisibleLength(text: string, at: number): number {
  const found = unitClass(text.charCodeAt(at));
  if (found < invisible) return 0;
  if (found === invisible) return 1;
  const character = String.fromCodePoint(text.codePointAt(at)!);
  return removed.test(character) ? character.length : 0;
}

const removed = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}]/u;

function fold(text: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = at + 1;
    if (!isWhite(text.charCodeAt(at))) continue;
    while (isWhite(text.charCodeAt(end))) end++;
    builder.replace(at, end, ' ');
  }
  return builder.build();
}

/** Whether a unit is Unicode's White_Space. */
function isWhite(code: number): boolean {
  if (code < 0x1680) return code === 0x20 || (code >= 9 && code <= 13) || code === 0x85 || code === 0xa0;
  return code <= 0x3000 && white.has(code);
}

const white: ReadonlySet<number> = new Set([
  0x1680,
  ...Array.from({ length: 11 }, (_, index) => 0x2000 + index),
  0x2028,
  0x2029,
  0x202f,
  0x205f,
  0x3000,
]);

function compose(text: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (let at = nextRun(text, 0), end = at; at < text.length; at = nextRun(text, end)) {
    runs.lastIndex = at;
    end = runs.test(text) ? runs.lastIndex : at + 1;
    const run = text.slice(at, end);
    if (run.normalize('NFKC') !== run) composeClusters(text, at, end, builder);
  }
  return builder.build();
}

/** The offset of the next run that NFKC may change; the length of the text if there is none. */
function nextRun(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const found = unitClass(text.charCodeAt(at));
    if (found === stable) continue;
    // A joining character changes with the one before it.
    return found > changing && at > from && text.charCodeAt(at - 1) > 0x20 ? at - 1 : at;
  }
  return text.length;
}

/**
 * Converts each cluster (a character with the characters that join it) on its own, so that a changed
 * character maps to its source and not to the whole run.
 */
function composeClusters(text: string, start: number, end: number, builder: MappedTextBuilder): void {
  for (let at = start, next = at; at < end; at = next) {
    next = clusterEnd(text, at, end);
    if (next - at === 1 && unitClass(text.charCodeAt(at)) === stable) continue;
    const cluster = text.slice(at, next);
    const composed = cluster.normalize('NFKC');
    if (composed !== cluster) builder.replace(at, next, composed);
  }
}

function clusterEnd(text: string, at: number, end: number): number {
  if (at + 1 === end) return end;
  const alone = unitClass(text.charCodeAt(at)) < unclear && unitClass(text.charCodeAt(at + 1)) <= changing;
  if (alone) return at + 1;
  cluster.lastIndex = at;
  return cluster.test(text) ? Math.min(cluster.lastIndex, end) : end;
}

const [stable, changing, unclear, invisible, mayHide] = [1, 2, 3, 4, 5];
/**
 * Class of each UTF-16 unit, computed on first use. `stable`: only the folding of white space can change the
 * unit. `changing`: NFKC changes it. `unclear`: the result depends on its neighbors, because the unit may
 * join others, or be half of a character. `invisible`: the unit is removed. `mayHide`: the unit is the first
 * half of characters of which some are removed.
 */
const unitClasses = new Uint8Array(0x10000);

function unitClass(code: number): number {
  return unitClasses[code] || (unitClasses[code] = classify(code));
}

function classify(code: number): number {
  const unit = String.fromCharCode(code);
  if (removed.test(unit)) return invisible;
  if (hiding.test(unit)) return mayHide;
  if (mayJoin.test(unit) || (code >= 0xd800 && code < 0xe000)) return unclear;
  return unit.normalize('NFKC') === unit ? stable : changing;
}

/** First halves of characters that are removed. A test compares this list with all of Unicode. */
export const hiding = /[\ud82f\ud834\udb40-\udb43]/;

/**
 * Characters that may join the character before them: marks, the vowels and final consonants of Hangul in
 * each of their forms, the half-width Japanese voicing marks, and a few vowel signs that Unicode counts as
 * letters. A test compares this list with all of Unicode.
 */
export const joining =
  '[\\p{M}\\u0e33\\u0eb3\\u1161-\\u1175\\u11a8-\\u11c2\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u3163\\uff9e\\uff9f' +
  '\\uffa3\\uffa5\\uffa6\\uffaa-\\uffaf\\uffc2-\\uffc7\\uffca-\\uffcf\\uffd2-\\uffd7\\uffda-\\uffdc\\u{16d67}\\u{16d68}]';

// The lengths are bounded because NFKC sorts a sequence of marks in quadratic time.
const runs = new RegExp(`[\\x21-\\x7e]?[^\\0-\\x7f]{1,256}${joining}{0,32}`, 'uy');
const cluster = new RegExp(`[^]${joining}{0,31}`, 'uy');
const mayJoin = new RegExp(joining, 'u');
