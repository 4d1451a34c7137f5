import type { Language } from '../languages/language';
import { canonicalPlain, isPlain } from '../languages/text/plain';
import { type MappedText, MappedTextBuilder } from '../languages/text/mapped-text';
import { normalizePlain, settlePlain } from '../languages/text/plain-text';
import type { Occurrence } from './occurrence';
import type { Found, TextMatcher } from './text-matcher';

const TOO_DEEP = 'strings in strings are nested too deep to be told';

/**
 * What entries find in an input: in the raw text, and in its canonical text. Words are also looked for in the text with
 * its marks of SQL, folded; patterns also in each statement by itself, so that `^` and `$` mean its borders. Offsets are
 * those of the raw text. Where the canonical text cannot be told, the first entry hits.
 */
export function findInInput(matcher: TextMatcher, text: string, language: Language): readonly Occurrence[] {
  const asWritten = matcher.find(text);
  const couldHoldWords = asWritten.hasTraces || matcher.hasTracelessWords || !language.isPlain(text);
  // Where something was found, everything is told: which entry is the first may hang on another view.
  if (asWritten.occurrences.length === 0 && !couldHoldWords && !matcher.hasPatterns) return [];
  const found = [...asWritten.occurrences];
  const canonical = language.canonical?.(text);
  if (canonical === undefined) return [...found, ...findInFolded(text, (folded) => matcher.find(folded))];
  if (couldHoldWords) found.push(...findInFolded(text, (folded) => matcher.findWords(folded)));
  const { whole, statements, complete } = canonical;
  if (whole.text !== text) found.push(...moved(matcher.find(whole.text).occurrences, whole));
  if (matcher.hasAnchoredPatterns) {
    for (const { start, end, canonicalStart, canonicalEnd } of statements) {
      const raw = text.slice(start, end);
      const spelled = whole.text.slice(canonicalStart, canonicalEnd);
      // A text of one statement has been looked at.
      if (raw !== text) found.push(...shifted(matcher.findAnchored(raw), start));
      if (spelled !== whole.text && spelled !== raw)
        found.push(...moved(shifted(matcher.findAnchored(spelled), canonicalStart), whole));
    }
  }
  // What nobody can tell is no way past the rules.
  return found.length === 0 && !complete
    ? [{ test: 0, start: 0, end: text.length, reason: TOO_DEEP }]
    : found;
}

/** In the folded text. Where a language has a canonical text, words only: patterns have a better one. */
function findInFolded(
  text: string,
  find: (folded: string) => Pick<Found, 'occurrences'>,
): readonly Occurrence[] {
  const folded = canonicalPlain(text);
  return folded.text === text ? [] : moved(find(folded.text).occurrences, folded);
}

/**
 * What entries find in a piece of a stream, in all views at once, since masks need every place: as it is, with the escapes
 * of rendered cells undone, settled, and folded. A stream is no SQL: comments and quotes stay. White space is folded for
 * words only: the patterns of an admin say `\s` themselves, and numbers in two columns are not one.
 */
export function findInStream(matcher: TextMatcher, text: string, from: number): readonly Occurrence[] {
  const { occurrences, hasTraces } = matcher.find(text, from);
  const cells = unescaped(text);
  const isWordy = hasTraces || matcher.hasTracelessWords;
  if (cells.text === text && !isWordy && isPlain(text)) return occurrences;
  const found = [...occurrences];
  if (cells.text !== text) found.push(...findFrom(matcher, cells, from));
  if (!isWordy && isPlain(cells.text)) return found;
  const settled = settlePlain(cells);
  if (settled.text !== cells.text) found.push(...findFrom(matcher, settled, from));
  const folded = normalizePlain(settled);
  if (folded.text !== settled.text) found.push(...findWordsFrom(matcher, folded, from));
  return found;
}

function findFrom(matcher: TextMatcher, view: MappedText, from: number): readonly Occurrence[] {
  return moved(matcher.find(view.text, view.offsetOf(from)).occurrences, view);
}

function findWordsFrom(matcher: TextMatcher, view: MappedText, from: number): readonly Occurrence[] {
  return moved(matcher.findWords(view.text, view.offsetOf(from)).occurrences, view);
}

const ESCAPE = /\\([\\bfnrtv])/g;
const PLAIN: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** Cells as they were before they were written as text: a line break in a cell must not join its `n` to the next word. */
export function unescaped(text: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (const { index, 1: letter = '' } of text.matchAll(ESCAPE)) {
    builder.replace(index, index + 2, PLAIN[letter] ?? letter);
  }
  return builder.build();
}

function moved(occurrences: readonly Occurrence[], view: MappedText): Occurrence[] {
  return occurrences.map((occurrence) => ({
    ...occurrence,
    ...view.sourceRange(occurrence.start, occurrence.end),
  }));
}

function shifted(occurrences: readonly Occurrence[], by: number): Occurrence[] {
  return occurrences.map((occurrence) => ({
    ...occurrence,
    start: occurrence.start + by,
    end: occurrence.end + by,
  }));
}
