import type { RuleEntry } from '../../../src/guardrails/entries/rule-entry';

/**
 * The type of a form, which determines what can be put around it: `query` returns rows, `change` is INSERT,
 * UPDATE, DELETE or MERGE, `utility` is any other single statement, `script` is several statements.
 */
export type FormKind = 'query' | 'change' | 'utility' | 'script';

/** One way to write a forbidden act. */
export interface Form {
  readonly sql: string;
  readonly as: FormKind;
  /**
   * It begins or ends transactions itself, or another session has to see it:
   * it cannot be tried in one of ours.
   */
  readonly commits: boolean;
}

/**
 * The proof that the act happened: `probe` is a query for one boolean, asked afterwards on the target;
 * `session` is one asked in the very session; `output` is a text that comes back only if it happened.
 */
export type Effect = { readonly probe: string } | { readonly session: string } | { readonly output: string };

/** An act that rules forbid, the ways to write it, and the rules against it. */
export interface Intent {
  readonly name: string;
  /** The first is the plain one; every form has the effect, on a target without a guard. */
  readonly forms: readonly Form[];
  /** Names in the forms that may be quoted. */
  readonly names: readonly string[];
  readonly effect: Effect;
  /** Takes back what the act does outside of its database, where it was committed. */
  readonly afterwards?: string;
  /** Rules of an admin who thinks of the plain form. */
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
