import type { RuleEntry } from '../../../src/guardrails/entries/rule-entry';

/**
 * The kind of a form, which determines how transforms can wrap it: `query` returns rows, `change` is INSERT,
 * UPDATE, DELETE or MERGE, `utility` is any other single statement, `script` is several statements.
 */
export type FormKind = 'query' | 'change' | 'utility' | 'script';

/** One way to write a forbidden act. */
export interface Form {
  readonly sql: string;
  readonly as: FormKind;
  /**
   * Whether the form begins or ends transactions itself, or another session must
   * see its effect. Such a form cannot run in a transaction of the test.
   */
  readonly commits: boolean;
}

/**
 * Proof that the act happened. `probe` is a query that returns a boolean and runs on the target afterwards.
 * `session` is a query of the same kind that must run in the act's own session. `output` is a text that is
 * returned only if the act happened.
 */
export type Effect = { readonly probe: string } | { readonly session: string } | { readonly output: string };

/** An act that rules forbid, the ways to write it, and the rules against it. */
export interface Intent {
  readonly name: string;
  /** Forms of the act, the plain form first. On a target without rules, every form has the effect. */
  readonly forms: readonly Form[];
  /** Names in the forms that may be quoted. */
  readonly names: readonly string[];
  readonly effect: Effect;
  /** SQL that undoes committed effects outside of the test's database. */
  readonly afterwards?: string;
  /** Rules of an admin who considered only the plain form. */
  readonly textRules: readonly RuleEntry[];
  readonly statementRules: readonly RuleEntry[];
}

const form =
  (as: FormKind, commits: boolean) =>
  (sql: string): Form => ({ sql, as, commits });
export const query = form('query', false);
export const change = form('change', false);
export const utility = form('utility', false);
export const script = form('script', false);
export const committing = form('script', true);

export const words = (...list: string[]): RuleEntry => ({
  type: 'deny_words_list',
  words: list,
  pattern_regex: '',
});
export const pattern = (regex: string): RuleEntry => ({
  type: 'pattern_match',
  words: [],
  pattern_regex: regex,
});
export const statement = (
  condition: Pick<RuleEntry, 'kinds' | 'without_where' | 'tables' | 'functions'>,
): RuleEntry => ({ type: 'sql_statement', words: [], pattern_regex: '', ...condition });
export const writes = (name: string): RuleEntry => statement({ tables: [{ name, access: 'write' }] });
export const reads = (name: string): RuleEntry => statement({ tables: [{ name, access: 'read' }] });
