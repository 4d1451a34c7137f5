import type { Direction, Finding } from '../../../gate/ports/guardrails';
import type { ParsedSql } from '../../../languages/postgresql/facts/facts';
import type { DetectorName } from '../../matching/detectors';
import type { Place } from '../../../languages/tool-call/json-leaves';
import type { CommonValues } from './common-fields';
import type { EntryFields, ValuesOf } from './entry-fields';

/** An entry's test for texts, checked. Structured-clonable: large texts are searched in another thread. */
export type TextTest =
  | {
      readonly kind: 'words';
      readonly words: readonly string[];
      readonly caseSensitive: boolean;
      readonly wholeWord: boolean;
    }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly steps: number }
  | { readonly kind: 'detectors'; readonly names: readonly DetectorName[] };

/**
 * An entry's test for the statements of an input; `forbidden` of the kind knows the condition.
 * Structured-clonable.
 */
export interface StatementTest {
  readonly kind: 'statement';
  /** The kind's `type`. */
  readonly type: string;
  readonly condition: unknown;
  /** The arguments of calls that are read. Default: see `statementFindings`. */
  readonly places?: readonly Place[];
}

export type EntryTest = TextTest | StatementTest;

/**
 * A kind of rule entry: everything the product knows about it. A new kind is a folder beside this file and
 * one line in `kinds.ts`; it knows no database, no target and no protocol, and runs in worker threads too.
 */
export interface RuleKind<
  Type extends string = string,
  Fields extends EntryFields = EntryFields,
  Condition = unknown,
> {
  /** Its name in the API and in stored rules. Unique; it must not change. */
  readonly type: Type;
  /** Object of the finding, for the documentation: goes after "finds". */
  readonly summary: string;
  readonly directions: readonly Direction[];
  /** Fields that only entries of this kind may have. Their names are unique among all kinds. */
  readonly fields: Fields;
  /**
   * An entry for the documentation, for the first of the directions. `type`
   * and fields of other kinds are left out.
   */
  readonly example: ValuesOf<Fields> & CommonValues;
  /** @throws Error in plain words, which the admin reads */
  compile(entry: ValuesOf<Fields>): EntryTest;
  /**
   * Returns the findings of a statement test's condition in an input, in the order of its statements.
   * Required where `compile` returns statement tests. Asked only where the language of the target knows the
   * effect of statements.
   * @param length of the input, in UTF-16 code units
   */
  forbidden?(condition: Condition, length: number, parsed: ParsedSql): Finding[];
}
