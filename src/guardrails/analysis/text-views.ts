import { isUtf8 } from 'node:buffer';
import type { Language } from '../../languages/language';
import { canonicalPlain, isPlain } from '../../languages/plain';
import type { InputViews } from '../../languages/tool-call/call-views';
import { type MappedText, MappedTextBuilder } from '../../languages/text/mapped-text';
import { normalizePlain, settlePlain } from '../../languages/text/plain-text';
import type { Place } from '../../languages/tool-call/json-leaves';
import { shown } from './findings';
import type { Occurrence } from './occurrence';
import type { Found, TextMatcher } from './text-matcher';

const TOO_DEEP = 'strings in strings are nested too deeply to be resolved';

/**
 * Searches an input in its raw text and in its canonical text. Words are also searched for in the folded
 * text, which keeps SQL punctuation. Patterns are also searched for in each statement by itself, so that `^`
 * and `$` match its borders. Offsets are those of the raw text. If nothing is found but the canonical text is
 * incomplete, the result is a match of the first entry.
 */
export function findInInput(
  matcher: TextMatcher,
  text: string,
  language: Language,
  places?: readonly Place[],
  mayHold: (text: string) => boolean = () => true,
): readonly Occurrence[] {
  if (language.views !== undefined)
    return findInViews(matcher, text, language.views(text, places), places, mayHold);
  const asWritten = matcher.find(text);
  const couldHoldWords = asWritten.hasTraces || matcher.hasTracelessWords || !language.isPlain(text);
  // After a match, all views are still searched, because another view may hold a match of an earlier entry.
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
      // A statement that is the whole text was already searched.
      if (raw !== text) found.push(...shifted(matcher.findAnchored(raw), start));
      if (spelled !== whole.text && spelled !== raw)
        found.push(...moved(shifted(matcher.findAnchored(spelled), canonicalStart), whole));
    }
  }
  // Text that cannot be read completely must not evade the rules.
  return found.length === 0 && !complete
    ? [{ test: 0, start: 0, end: text.length, reason: TOO_DEEP }]
    : found;
}

/** After this many matches in a call, its further views are not searched, because it is blocked anyway. */
const ENOUGH = 1_000;

/**
 * Searches each text of a call, as it is and folded. Also searches the JSON of the call, unless `places`
 * limits the search to some arguments.
 * @param mayHold returns false only if no entry matches the text, as it is or folded
 */
function findInViews(
  matcher: TextMatcher,
  text: string,
  views: InputViews,
  places: readonly Place[] | undefined,
  mayHold: (text: string) => boolean,
): readonly Occurrence[] {
  const found: Occurrence[] = [];
  if (places === undefined && mayHold(text))
    found.push(...matcher.find(text).occurrences, ...findInFolded(text, (folded) => matcher.find(folded)));
  let next = views.next();
  for (; next.done !== true && found.length <= ENOUGH; next = views.next()) {
    const view = next.value;
    if (!mayHold(view.text)) continue;
    const folded = normalizePlain(view);
    for (const each of folded.text === view.text ? [view] : [view, folded])
      for (const { test, start, end } of matcher.find(each.text).occurrences)
        found.push({ test, ...each.sourceRange(start, end), reason: shown(each.text.slice(start, end)) });
  }
  return found.length === 0 && next.value === false
    ? [{ test: 0, start: 0, end: text.length, reason: TOO_DEEP }]
    : found;
}

/**
 * Searches the folded text with `find`. For a language with a canonical text, callers pass a `find` for words
 * only, because patterns are searched for in the canonical text.
 */
function findInFolded(
  text: string,
  find: (folded: string) => Pick<Found, 'occurrences'>,
): readonly Occurrence[] {
  const folded = canonicalPlain(text);
  return folded.text === text ? [] : moved(find(folded.text).occurrences, folded);
}

/**
 * Searches a piece of a stream in all views, because masks need every occurrence. The views are: the raw
 * text; the text with the escapes of table cells decoded; this text with hexadecimal bytes decoded; the
 * normalized text (`settlePlain`); and the text with white space folded. A stream is not SQL, so comments and
 * quotes stay. White space is folded for words only, because an admin's patterns can use `\s`, and numbers in
 * two columns are not one number.
 */
export function findInStream(matcher: TextMatcher, text: string, from: number): readonly Occurrence[] {
  const { occurrences, hasTraces } = matcher.find(text, from);
  const cells = unescaped(text);
  const isWordy = hasTraces || matcher.hasTracelessWords;
  const unhexed = hexViews(cells);
  if (cells.text === text && unhexed.length === 0 && !isWordy && isPlain(text)) return occurrences;
  const found = [...occurrences];
  for (const view of cells.text === text ? unhexed : [cells, ...unhexed])
    found.push(...findFrom(matcher, view, from));
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

/** Decodes the escapes of rendered cells, so that the `n` of a `\n` does not join the next word. */
export function unescaped(text: string): MappedText {
  const builder = new MappedTextBuilder(text);
  for (const { index, 1: letter = '' } of text.matchAll(ESCAPE)) {
    builder.replace(index, index + 2, PLAIN[letter] ?? letter);
  }
  return builder.build();
}

/**
 * A bytea value as PostgreSQL prints it (documentation, "bytea Hex Format"). Shorter values are ignored,
 * because no detector matches fewer than four bytes.
 */
const HEX = /\\x(?:[\da-f]{2}){4}/;
const HEX_VALUES = /\\x((?:[\da-f]{2}){4,})/g;

/** Returns, in a list, the text with its bytea values decoded; an empty list if it has no such values. */
export function hexViews(cells: MappedText): readonly MappedText[] {
  return cells.text.includes('\\x') && HEX.test(cells.text) ? [unhexed(cells)] : [];
}

function unhexed(cells: MappedText): MappedText {
  const builder = new MappedTextBuilder(cells.text);
  for (const { index, 1: digits = '' } of cells.text.matchAll(HEX_VALUES)) {
    let start = index + 2;
    const bytes = Buffer.from(digits, 'hex');
    const encoding = isUtf8(bytes) ? 'utf8' : 'latin1';
    for (const character of bytes.toString(encoding)) {
      const end = start + 2 * Buffer.byteLength(character, encoding);
      builder.replace(start, end, character);
      start = end;
    }
  }
  return builder.build().from(cells);
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
