import { MappedTextBuilder, type MappedText } from './mapped-text';

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

function removeInvisible(text: string): MappedText {
  return rewrite(text, removed, '');
}

const removed = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

function fold(text: string): MappedText {
  return rewrite(text, unfolded, ' ');
}

/** White space other than one single space. */
const unfolded = /[\t-\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000][\s\x85]*| [\s\x85]+/g;

function rewrite(text: string, pattern: RegExp, replacement: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (const { 0: found, index } of text.matchAll(pattern)) {
    builder.replace(index, index + found.length, replacement);
  }
  return builder.build();
}

function compose(text: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.normalize('NFKC') !== run) composeClusters(text, index, index + run.length, builder);
  }
  return builder.build();
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
  const alone = unitClass(text.charCodeAt(at)) !== unclear && unitClass(text.charCodeAt(at + 1)) <= changing;
  if (alone) return at + 1;
  cluster.lastIndex = at;
  return cluster.test(text) ? Math.min(cluster.lastIndex, end) : end;
}

const [stable, changing, unclear] = [1, 2, 3];
/**
 * Class of each UTF-16 unit, computed on first use. `stable`: only the folding of white space can change the
 * unit. `changing`: NFKC changes it. `unclear`: the result depends on its neighbors, because the unit may
 * join others, be half of a character, or be removed.
 */
const unitClasses = new Uint8Array(0x10000);

function unitClass(code: number): number {
  return unitClasses[code] || (unitClasses[code] = classify(code));
}

function classify(code: number): number {
  const unit = String.fromCharCode(code);
  if (mayJoin.test(unit) || unit.search(removed) >= 0 || (code >= 0xd800 && code < 0xe000)) return unclear;
  return unit.normalize('NFKC') === unit ? stable : changing;
}

/**
 * Characters that may join the character before them: marks, the vowels and final consonants of Hangul in
 * each of their forms, the half-width Japanese voicing marks, and a few vowel signs that Unicode counts as
 * letters. A test compares this list with all of Unicode.
 */
export const joining =
  '[\\p{M}\\u0e33\\u0eb3\\u1161-\\u1175\\u11a8-\\u11c2\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u3163\\uff9e\\uff9f' +
  '\\uffa3\\uffa5\\uffa6\\uffaa-\\uffaf\\uffc2-\\uffc7\\uffca-\\uffcf\\uffd2-\\uffd7\\uffda-\\uffdc\\u{16d67}\\u{16d68}]';

// The lengths are bounded because NFKC sorts a sequence of marks in quadratic time.
const runs = new RegExp(`[\\x21-\\x7e]?[^\\0-\\x7f]{1,256}${joining}{0,32}`, 'gu');
const cluster = new RegExp(`[^]${joining}{0,31}`, 'uy');
const mayJoin = new RegExp(joining, 'u');
