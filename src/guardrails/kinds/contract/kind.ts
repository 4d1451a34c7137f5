import type { Direction, Finding } from '../../../gate/ports/guardrails';
import type { FactsName, ParsedInputs } from '../../../languages/parsed-input';
import type { DetectorName } from '../../matching/detectors';
import type { Place } from '../../../languages/tool-call/json-leaves';
import type { CommonValues } from './common-fields';
import type { EntryFields, ValuesOf } from './entry-fields';

/** An entry's validated test for texts. Structured-clonable, because worker threads search large texts. */
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
 * An entry's test for the statements of an input. The kind's function `forbidden` evaluates the condition.
 * Structured-clonable.
 */
export interface StatementTest {
  readonly kind: 'statement';
  /** The kind's `type`. */
  readonly type: string;
  readonly condition: unknown;
  /** The arguments of a call that the test reads. Default: see `statementFindings`. */
  readonly places?: readonly Place[];
}

export type EntryTest = TextTest | StatementTest;

/**
 * A kind of rule entry, with everything that the product knows about it. A new kind is a new folder in
 * `kinds/` and one line in `kinds.ts`. A kind knows no database, target or protocol; it also runs in worker
 * threads.
 */
export interface RuleKind<
  Type extends string = string,
  Fields extends EntryFields = EntryFields,
  Condition = unknown,
  Reads extends FactsName = 'sql',
> {
  /** Name of the kind in the API and in stored rules. Unique; it must not change. */
  readonly type: Type;
  /** Text that follows the word "finds" in the documentation. */
  readonly summary: string;
  readonly directions: readonly Direction[];
  /** Fields that only entries of this kind may have. Their names are unique among all kinds. */
  readonly fields: Fields;
  /**
   * Example entry for the documentation, for the first of `directions`. It leaves out `type` and the fields
   * of other kinds.
   */
  readonly example: ValuesOf<Fields> & CommonValues;
  /** @throws Error with a message for the admin */
  compile(entry: ValuesOf<Fields>): EntryTest;
  /**
   * Name of the facts that `forbidden` judges. Entries apply only to inputs of languages with these facts.
   * Default: `sql`.
   */
  readonly reads?: Reads;
  /**
   * Returns the parts of an input that the condition of a statement test forbids, in the order of statements.
   * Required where `compile` returns statement tests. Called only where the target's language knows the
   * effect of statements.
   * @param length length of the input, in UTF-16 code units
   */
  forbidden?(condition: Condition, length: number, parsed: ParsedInputs[Reads]): Finding[];
}

/** A kind of any type. `forbidden` is given only facts that it reads. */
export type AnyRuleKind = RuleKind<string, EntryFields, unknown, FactsName>;
