import type { CanonicalInput, CanonicalStatement } from '../language';
import { MappedText, type TextRange } from '../text/mapped-text';
import { normalizePlain } from '../text/plain-text';
import { isSpace } from './lexical-rules';
import { resolveSql } from './resolved-sql';

/**
 * SQL in the form that text rules read: comments are one space, names and strings are what they stand for, strings
 * are treated as SQL in turn (they may be code for DO or EXECUTE), then everything as in `canonicalPlain`, trimmed.
 * README.md has the rules. Never fails; time is linear to the length. Offsets are UTF-16 code units.
 */
export function canonicalSql(source: string): CanonicalInput {
  if (isCanonical(source)) {
    const whole = MappedText.unchanged(source);
    return { whole, statements: statementsOf(source, whole, semicolonsOf(source)), complete: true };
  }
  const { text, semicolons, complete } = resolveSql(source);
  const whole = trim(normalizePlain(text));
  return { whole, statements: statementsOf(source, whole, semicolons), complete };
}

/** At once for what is so as a rule; where it says no, the text may be canonical all the same. */
function isCanonical(source: string): boolean {
  return !(pairs.test(source) || marks.test(source) || source.startsWith(' ') || source.endsWith(' '));
}

// Two expressions, for as one they take twice the time. They include `resolvable` of resolved-sql.ts.
const pairs = / {2}|--|\/\*/;
const marks = /["'$]|[^ -~]/;

function semicolonsOf(source: string): number[] {
  const found: number[] = [];
  for (let at = source.indexOf(';'); at >= 0; at = source.indexOf(';', at + 1)) found.push(at);
  return found;
}

function statementsOf(
  source: string,
  whole: MappedText,
  semicolons: readonly number[],
): CanonicalStatement[] {
  const statements: CanonicalStatement[] = [];
  let from = 0;
  for (const semicolon of [...semicolons, source.length]) {
    const start = from === 0 ? 0 : whole.offsetOf(from - 1) + 1;
    const canonical = trimmed(whole.text, start, whole.offsetOf(semicolon));
    if (canonical.start < canonical.end) {
      const range = trimmed(source, from, semicolon);
      // A mark that combines with the white space before it is canonical with it.
      const read = whole.sourceRange(canonical.start, canonical.end);
      const start = Math.max(from, Math.min(range.start, read.start));
      const end = Math.min(semicolon, Math.max(range.end, read.end));
      statements.push({ start, end, canonicalStart: canonical.start, canonicalEnd: canonical.end });
    }
    from = semicolon + 1;
  }
  return statements;
}

function trim(mapped: MappedText): MappedText {
  const { start, end } = trimmed(mapped.text, 0, mapped.text.length);
  return start === 0 && end === mapped.text.length ? mapped : mapped.slice(start, end);
}

function trimmed(text: string, from: number, to: number): TextRange {
  let start = from;
  let end = to;
  while (start < end && isWhiteSpace(text.charCodeAt(start))) start++;
  while (start < end && isWhiteSpace(text.charCodeAt(end - 1))) end--;
  return { start, end };
}

function isWhiteSpace(code: number): boolean {
  return code < 128 ? isSpace(code) : /[\s\x85]/.test(String.fromCharCode(code));
}
