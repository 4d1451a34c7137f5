import { canonicalPlain, canonicalSql } from '../sql/canonical-text';
import type { MappedText } from '../sql/mapped-text';
import type { Occurrence, TextMatcher } from './text-matcher';

/**
 * What entries find in an input: in the raw text, else in the canonical text. Words are also looked for in the text with
 * its marks of SQL, folded; patterns also in each statement by itself, so that `^` and `$` mean its borders. Offsets are those of the raw text. @throws when the canonical text
 * cannot be told: then nothing can be said of the input.
 */
export function findInInput(matcher: TextMatcher, text: string, isSql: boolean): readonly Occurrence[] {
  const { occurrences, hasTraces } = matcher.find(text);
  if (occurrences.length > 0) return occurrences;
  const couldHoldWords =
    hasTraces || matcher.hasTracelessWords || !(isSql ? isPlainSql(text) : isPlain(text));
  if (!couldHoldWords && !matcher.hasPatterns) return [];
  if (!isSql) return findInCanonical(matcher, canonicalPlain(text), text, 0);
  const { whole, statements, complete } = canonicalSql(text);
  const canonical = findInCanonical(matcher, whole, text, 0);
  if (canonical.length > 0) return canonical;
  // A word with marks of SQL, like `do $$`, or one that stands in a comment, means the text with its marks.
  const marked = couldHoldWords ? findWordsIn(matcher, canonicalPlain(text)) : [];
  if (marked.length > 0) return marked;
  if (!complete) throw new Error('strings in strings are nested too deep to be judged');
  if (!matcher.hasAnchoredPatterns) return [];
  for (const { start, end, canonicalStart, canonicalEnd } of statements) {
    const found = [
      ...moved(matcher.findAnchored(text.slice(start, end)), (at) => ({
        start: start + at.start,
        end: start + at.end,
      })),
      ...moved(matcher.findAnchored(whole.text.slice(canonicalStart, canonicalEnd)), (at) =>
        whole.sourceRange(canonicalStart + at.start, canonicalStart + at.end),
      ),
    ];
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * What entries find in a piece of a stream, in all views at once, since masks need every place. A stream is no
 * SQL: comments and quotes stay. White space is folded for words only; the patterns of an admin say `\s` themselves.
 */
export function findInStream(matcher: TextMatcher, text: string, from: number): readonly Occurrence[] {
  const { occurrences, hasTraces } = matcher.find(text, from);
  if (!hasTraces && !matcher.hasTracelessWords && isPlain(text)) return occurrences;
  return [...occurrences, ...findInCanonical(matcher, canonicalPlain(text), text, from)];
}

function findInCanonical(
  matcher: TextMatcher,
  canonical: MappedText,
  source: string,
  from: number,
): readonly Occurrence[] {
  if (canonical.text === source) return [];
  return moved(matcher.find(canonical.text, canonical.offsetOf(from)).occurrences, ({ start, end }) =>
    canonical.sourceRange(start, end),
  );
}

function findWordsIn(matcher: TextMatcher, canonical: MappedText): readonly Occurrence[] {
  return moved(matcher.findWords(canonical.text).occurrences, ({ start, end }) =>
    canonical.sourceRange(start, end),
  );
}

function moved(
  occurrences: readonly Occurrence[],
  to: (occurrence: Occurrence) => { start: number; end: number },
): Occurrence[] {
  return occurrences.map((occurrence) => ({ ...occurrence, ...to(occurrence) }));
}

/** Canonical text differs from this in its white space only. */
function isPlain(text: string): boolean {
  return !/[^\t\n\r -~]/.test(text);
}

/**
 * Canonical text differs from this in its white space, comments and quotes only: no escapes, no quotes in quotes, no
 * strings that go on after a line break. Each run of letters of the one is whole in the other.
 */
function isPlainSql(text: string): boolean {
  return (
    isPlain(text) && !text.includes('\\') && !/""|'\s*(?:'|--|\/\*)/.test(text) && !/uescape/i.test(text)
  );
}
