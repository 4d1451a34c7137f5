import { LRUCache } from 'lru-cache';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';
import type { StatementFacts } from './facts/facts';
import { SqlLexer } from './lexing/lexer';
import type { StatementKind } from './facts/statement-kinds';

/** Entries take up to some 4 kB each. */
const MOST_KEPT = 1_000;
/** Longer texts are rarely alike. UTF-16 code units. */
const LONGEST = 2_048;

/** PostgreSQL's scanner makes ICONST of these, whatever their value: they are below 2^31. */
const SMALL_INTEGER = /^\d{1,9}$/;

/**
 * The one type of which the grammar reads the number: `float(24)` is `float4`, `float(25)` is `float8`,
 * `float(0)` a syntax error.
 */
const READ_BY_GRAMMAR = /\bfloat\b/i;

/** A text cannot contain NUL, so a mark cannot be part of what is around it. */
const INTEGER_MARK = '\u0000i';
const STRING_MARK = '\u0000s';

/**
 * Statements of which nothing but the syntax decides what they do. In others, numbers
 * and strings are more than constants: `CREATE FUNCTION` has a body, `SET` a value,
 * `PREPARE` and `DECLARE` are remembered with their text.
 */
const OF_ROWS: ReadonlySet<StatementKind> = new Set<StatementKind>(['select', 'insert', 'update', 'delete']);

/** The common part of texts that differ only in constants. */
export interface StatementForm {
  /**
   * The text with a mark in place of each constant. Texts of one form have the
   * same tokens, but for the values of constants.
   */
  readonly form: string;
  /** UTF-16 offset at which its only statement ends. */
  readonly end: number;
}

/**
 * The form of a text of one statement; undefined where it has several, or is long.
 * Constants are decimal integers of up to nine digits and strings between plain quotes;
 * every other token is part of the form as it is written.
 */
export function statementForm(text: string): StatementForm | undefined {
  if (text.length > LONGEST || READ_BY_GRAMMAR.test(text)) return undefined;
  const lexer = new SqlLexer(text);
  let [form, written, end] = ['', 0, -1];
  while (lexer.next()) {
    if (lexer.kind === 'space') continue;
    // Another statement, or a comment.
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
 * Remembers the facts of statements that differ only in constants: programs that write values into their
 * texts send the same few statements again and again, and each takes PostgreSQL's parser 10 to 30 µs. Only
 * facts that constants cannot change are kept.
 */
export class AlikeTexts {
  private readonly kept = new LRUCache<string, StatementFacts>(entriesAtMost(MOST_KEPT));

  find({ form, end }: StatementForm): StatementFacts | undefined {
    const facts = this.kept.get(form);
    return facts === undefined ? undefined : { ...facts, end };
  }

  /**
   * @param facts of a text of this form, of which none was found because of a
   * constant or of what the session knows
   */
  keep({ form }: StatementForm, facts: StatementFacts): void {
    const isOfRows = facts.kinds.every((kind) => OF_ROWS.has(kind));
    const isAlone = facts.hidden.length + facts.makes.length + facts.uses.length === 0;
    if (isOfRows && isAlone && facts.reaches === undefined) this.kept.set(form, facts);
  }
}
