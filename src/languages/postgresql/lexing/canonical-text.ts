import type { CanonicalInput, CanonicalStatement } from '../../text/canonical-input';
import { MappedText, type TextRange } from '../../text/mapped-text';
import { normalizePlain } from '../../text/plain-text';
import { isSpace } from './lexical-rules';
import { resolveSql } from './resolved-sql';

/**
 * Brings SQL into the form that text rules read. A comment becomes one space. Names and strings become the
 * text they stand for. The content of a string is treated as SQL again, because DO or EXECUTE may run it.
 * Then `canonicalPlain` applies, and the text is trimmed. README.md has the rules. Never fails; takes linear
 * time. Offsets are UTF-16 code units.
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

/** Recognizes most canonical texts quickly. A text may be canonical even if the result is false. */
function isCanonical(source: string): boolean {
  return !(pairs.test(source) || marks.test(source) || source.startsWith(' ') || source.endsWith(' '));
}

// Two expressions, because a combined one takes twice the time. They match all that `resolvable` matches.
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
      // A combining mark after white space is part of the statement, and so is the white space before it.
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
