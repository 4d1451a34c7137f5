import { MappedTextBuilder, type MappedText } from './mapped-text';

/**
 * Removes invisible and control characters, brings the rest into Unicode NFKC and folds each run of white space to
 * one space, at the ends too. Letter case stays. Time is linear to the length.
 *
 * Invisible is what Unicode calls Default_Ignorable_Code_Point, white space is what it calls White_Space.
 */
export function normalizePlain(source: MappedText): MappedText {
  if (!/[^\0-\x7f]/.test(source.text)) return fold(rewrite(source, removedAscii, ''));
  // Removal comes first, or a zero-width character could keep a letter and its accent apart.
  // Folding comes last, because NFKC makes spaces of its own.
  return fold(composeRuns(rewrite(source, removed, '')));
}

const removedAscii = /[^ -~\t-\r]+/g;
const removed = /(?![\t-\r\x85])[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu;

function fold(source: MappedText): MappedText {
  return rewrite(source, unfolded, ' ');
}

/** White space other than one single space. */
const unfolded = /[\t-\r\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000][\s\x85]*| [\s\x85]+/g;

function rewrite(source: MappedText, pattern: RegExp, replacement: string): MappedText {
  let builder: MappedTextBuilder | null = null;
  let done = 0;
  for (const match of source.text.matchAll(pattern)) {
    builder ??= new MappedTextBuilder();
    builder.append(source, done, match.index);
    done = match.index + match[0].length;
    builder.replaceVia(source, replacement, match.index, done);
  }
  if (builder === null) return source;
  builder.append(source, done, source.text.length);
  return builder.build();
}

function composeRuns(source: MappedText): MappedText {
  const builder = new MappedTextBuilder();
  let done = 0;
  for (const { 0: run, index } of source.text.matchAll(runs)) {
    if (run.normalize('NFKC') === run) continue;
    builder.append(source, done, index);
    done = index + run.length;
    composeClusters(source, index, done, builder);
  }
  if (done === 0) return source;
  builder.append(source, done, source.text.length);
  return builder.build();
}

/** Cluster by cluster, so that a changed character maps to itself and not to all of its run. */
function composeClusters(source: MappedText, start: number, end: number, builder: MappedTextBuilder): void {
  let done = start;
  for (let at = start, next = at; at < end; at = next) {
    next = clusterEnd(source.text, at, end);
    if (next - at === 1 && unitClass(source.text.charCodeAt(at)) === stable) continue;
    const cluster = source.text.slice(at, next);
    const composed = cluster.normalize('NFKC');
    if (composed === cluster) continue;
    builder.append(source, done, at);
    builder.replaceVia(source, composed, at, next);
    done = next;
  }
  builder.append(source, done, end);
}

function clusterEnd(text: string, at: number, end: number): number {
  if (at + 1 === end) return end;
  const alone = unitClass(text.charCodeAt(at)) !== unclear && unitClass(text.charCodeAt(at + 1)) <= changing;
  if (alone) return at + 1;
  cluster.lastIndex = at;
  return cluster.test(text) ? Math.min(cluster.lastIndex, end) : end;
}

const [stable, changing, unclear] = [1, 2, 3];
/** Per UTF-16 unit, filled when first asked for: NFKC leaves it, changes it, or it may join others or is a surrogate. */
const unitClasses = new Uint8Array(0x10000);

function unitClass(code: number): number {
  return unitClasses[code] || (unitClasses[code] = classify(code));
}

function classify(code: number): number {
  const unit = String.fromCharCode(code);
  if (mayJoin.test(unit) || (code >= 0xd800 && code < 0xe000)) return unclear;
  return unit.normalize('NFKC') === unit ? stable : changing;
}

/**
 * What may join the character before it: marks, the vowels and final consonants of Hangul in each of their forms,
 * the half-width Japanese voicing marks, and a few vowel signs that Unicode counts as letters. The spec compares this
 * with all of Unicode.
 */
export const joining =
  '[\\p{M}\\u0e33\\u0eb3\\u1161-\\u1175\\u11a8-\\u11c2\\u3133\\u3135\\u3136\\u313a-\\u313f\\u314f-\\u3163\\uff9e\\uff9f' +
  '\\uffa3\\uffa5\\uffa6\\uffaa-\\uffaf\\uffc2-\\uffc7\\uffca-\\uffcf\\uffd2-\\uffd7\\uffda-\\uffdc\\u{16d67}\\u{16d68}]';

// The lengths are bounded because NFKC sorts a row of marks in a time that grows with its square.
const runs = new RegExp(`[\\x21-\\x7e]?[^\\0-\\x7f]{1,256}${joining}{0,32}`, 'gu');
const cluster = new RegExp(`[^]${joining}{0,31}`, 'uy');
const mayJoin = new RegExp(joining, 'u');
