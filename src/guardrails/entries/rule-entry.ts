import type { CommonValues } from '../kinds/contract/common-fields';
import type { ValuesOf } from '../kinds/contract/entry-fields';
import type { ShippedKind } from '../kinds/kinds';

type Together<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/**
 * One entry as admins write it and as it is stored. The optional keys that an entry may have depend on its
 * type: `kinds/` lists them, with their meaning.
 */
export type RuleEntry = { type: ShippedKind['type'] } & CommonValues &
  Together<ShippedKind extends infer Kind extends ShippedKind ? ValuesOf<Kind['fields']> : never>;

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
