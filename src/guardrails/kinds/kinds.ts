import { actionFields, labelFields, scopeFields } from './contract/common-fields';
import { denyWordsList } from './deny-words-list/deny-words-list';
import { detectorKind } from './detector/detector-kind';
import { fileTransfer } from './file-transfer/file-transfer';
import type { AnyRuleKind } from './contract/kind';
import { patternMatch } from './pattern-match/pattern-match';
import { shellCommand } from './shell-command/shell-command';
import { sqlStatement } from './sql-statement/sql-statement';

/**
 * The kinds of rule entries, in the order of the documentation. The first two come from the specification
 * (2.2.1).
 */
const SHIPPED = [
  denyWordsList,
  patternMatch,
  sqlStatement,
  shellCommand,
  fileTransfer,
  detectorKind,
] as const;
export type ShippedKind = (typeof SHIPPED)[number];

let registered: readonly AnyRuleKind[] = [];
for (const kind of SHIPPED) registerRuleKind(kind);

/**
 * Registers a kind. Returns a function that removes it, for tests.
 * @throws Error when another kind has its type or one of its fields
 */
export function registerRuleKind(kind: AnyRuleKind): () => void {
  const common = ['type', ...Object.keys({ ...labelFields, ...actionFields, ...scopeFields })];
  const taken = common.find((name) => Object.hasOwn(kind.fields, name));
  if (taken !== undefined)
    throw new Error(`${taken} is a field of every entry: the rule kind ${kind.type} cannot have it`);
  for (const other of registered) {
    if (other.type === kind.type) throw new Error(`there are two rule kinds ${kind.type}`);
    const shared = Object.keys(kind.fields).find((name) => Object.hasOwn(other.fields, name));
    if (shared !== undefined)
      throw new Error(`the rule kinds ${other.type} and ${kind.type} both have a field ${shared}`);
  }
  registered = [...registered, kind];
  return () => {
    registered = registered.filter((other) => other !== kind);
  };
}

export function ruleKind(type: string): AnyRuleKind | undefined {
  return registered.find((kind) => kind.type === type);
}

/**
 * Returns a function that makes a value from the list of kinds. The value is cached until the list changes.
 */
export function fromRuleKinds<T>(make: (kinds: readonly AnyRuleKind[]) => T): () => T {
  let last: { readonly kinds: readonly AnyRuleKind[]; readonly made: T } | undefined;
  return () => {
    if (last?.kinds !== registered) last = { kinds: registered, made: make(registered) };
    return last.made;
  };
}

/** Fields that every stored entry has, with their values for an entry that does not set them. */
export const emptyFields = fromRuleKinds((kinds) =>
  Object.fromEntries(
    kinds.flatMap(({ fields }) =>
      Object.entries(fields).flatMap(([name, field]) => ('empty' in field ? [[name, field.empty]] : [])),
    ),
  ),
);
