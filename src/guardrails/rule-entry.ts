import type { DetectorName } from './matching/detectors';
import type { StatementKind } from '../languages/postgresql/statement-kinds';

/** Kinds of entries: the first two by the specification (section 2.2.1), the others are our addition. */
export const ENTRY_TYPES = ['deny_words_list', 'pattern_match', 'sql_statement', 'detector'] as const;
export type EntryType = (typeof ENTRY_TYPES)[number];

export const ACTIONS = ['block', 'mask'] as const;
export const TABLE_ACCESS = ['read', 'write', 'any'] as const;
export const UNPARSEABLE = ['refuse', 'allow'] as const;

/** `name` is `table` or `schema.table`, written as SQL would name it. */
export interface TableCondition {
  name: string;
  access: (typeof TABLE_ACCESS)[number];
}

/** One entry as admins write it and as it is stored. Which of the optional keys an entry may have hangs on its type. */
export interface RuleEntry {
  type: EntryType;
  words: string[];
  pattern_regex: string;
  name?: string;
  message?: string;
  /** Words: found in any case unless this is set. */
  case_sensitive?: boolean;
  /** Words: found anywhere unless this is set; then not inside a longer word. */
  whole_word?: boolean;
  kinds?: StatementKind[];
  without_where?: boolean;
  tables?: TableCondition[];
  functions?: string[];
  /** What becomes of a text whose effect cannot be told; `refuse` unless it says otherwise. */
  unparseable?: (typeof UNPARSEABLE)[number];
  detectors?: DetectorName[];
  /** Output only: `mask` replaces what was found instead of stopping the stream. */
  action?: (typeof ACTIONS)[number];
  /** Characters at the end of what is masked that stay readable. */
  keep_last?: number;
}

export interface RuleSet {
  rules: RuleEntry[];
}

/** A rule as it is stored. */
export interface RuleDefinition {
  readonly id: string;
  readonly name: string;
  readonly input: RuleSet;
  readonly output: RuleSet;
}
