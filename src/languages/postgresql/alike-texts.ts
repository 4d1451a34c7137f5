import { LRUCache } from 'lru-cache';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';
import type { StatementFacts } from './facts/facts';
import { SqlLexer } from './lexing/lexer';
import type { StatementKind } from './facts/statement-kinds';

/** Maximum number of statement forms in the cache. Each takes up to about 4 kB. */
const MOST_KEPT = 1_000;
/** Maximum length of a cached text in UTF-16 code units. Longer texts rarely differ only in constants. */
const LONGEST = 2_048;

/** Integers below 2^31. PostgreSQL's scanner returns the token ICONST for each of them. */
const SMALL_INTEGER = /^\d{1,9}$/;

/**
 * The only type whose number the grammar interprets: `float(24)` is `float4`, `float(25)` is `float8`, and
 * `float(0)` is a syntax error.
 */
const READ_BY_GRAMMAR = /\bfloat\b/i;

/**
 * Placeholders for constants. Each begins with NUL, which a text cannot contain, so no text contains a
 * placeholder.
 */
const INTEGER_MARK = '\u0000i';
const STRING_MARK = '\u0000s';

/**
 * Kinds of statements whose effects depend only on their syntax. In other statements, numbers and strings
 * are more than constants: `CREATE FUNCTION` has a body, `SET` has a value, and the session keeps the text
 * of `PREPARE` and `DECLARE`.
 */
const OF_ROWS: ReadonlySet<StatementKind> = new Set<StatementKind>(['select', 'insert', 'update', 'delete']);

/** The common part of texts that differ only in constants. */
export interface StatementForm {
  /**
   * The text with a placeholder for each constant. Texts with the same form have the same tokens, except for
   * the values of constants.
   */
  readonly form: string;
  /** UTF-16 offset at which the only statement of the text ends. */
  readonly end: number;
}

/**
 * Returns the form of a text with one statement; undefined if the text has several statements, is too long
 * or contains `float`. Constants are decimal integers of up to nine digits, and strings between plain
 * quotes. Every other token is part of the form as written.
 */
export function statementForm(text: string): StatementForm | undefined {
  if (text.length > LONGEST || READ_BY_GRAMMAR.test(text)) return undefined;
  const lexer = new SqlLexer(text);
  let [form, written, end] = ['', 0, -1];
  while (lexer.next()) {
    if (lexer.kind === 'space') continue;
    // Returns no form, because another statement or a comment follows the semicolon.
    if (end !== -1) return undefined;
    if (lexer.kind === 'semicolon') end = lexer.start;
    const mark = markOf(lexer, text);
    if (mark === undefined) continue;
    form += text.slice(written, lexer.start) + mark;
    written = lexer.end;
  }
  return { form: form + text.slice(written), end: end === -1 ? text.length : end };
}

function markOf(lexer: SqlLexer, text: string): string | undefined {
  if (lexer.kind === 'string') {
    const isPlain = lexer.closed && lexer.body.plain && text.startsWith("'", lexer.start);
    return isPlain ? STRING_MARK : undefined;
  }
  if (lexer.kind !== 'number' || !SMALL_INTEGER.test(text.slice(lexer.start, lexer.end))) return undefined;
  return INTEGER_MARK;
}

/**
 * Caches the facts of statements that differ only in constants. Programs that write values into their SQL
 * send the same few statements again and again, and PostgreSQL's parser needs 10 to 30 µs for each. Only
 * facts that constants cannot change are cached.
 */
export class AlikeTexts {
  private readonly kept = new LRUCache<string, StatementFacts>(entriesAtMost(MOST_KEPT));

  find({ form, end }: StatementForm): StatementFacts | undefined {
    const facts = this.kept.get(form);
    return facts === undefined ? undefined : { ...facts, end };
  }

  /**
   * @param facts the facts of a text with this form; they must not depend on constants or on objects of the
   * session
   */
  keep({ form }: StatementForm, facts: StatementFacts): void {
    const isOfRows = facts.kinds.every((kind) => OF_ROWS.has(kind));
    const isAlone = facts.hidden.length + facts.makes.length + facts.uses.length === 0;
    if (isOfRows && isAlone && facts.reaches === undefined) this.kept.set(form, facts);
  }
}
