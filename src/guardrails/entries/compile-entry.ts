import type { Direction, Finding, Hit } from '../../gate/ports/guardrails';
import { pointerParts } from '../../kernel/json/json';
import type { Place } from '../../languages/tool-call/json-leaves';
import { type CommonValues, MAX_KEEP_LAST, MAX_POINTERS } from '../kinds/contract/common-fields';
import type { EntryTest } from '../kinds/contract/kind';
import { fromRuleKinds, ruleKind } from '../kinds/kinds';
import type { RuleDefinition, RuleEntry, RuleSet } from './rule-entry';
import { storedEntry } from './stored-entry';

/** Default message of an entry. It reveals no pattern. */
export const DEFAULT_MESSAGE = 'This is not allowed by the guardrails of this connection.';

/**
 * Maximum number of compiled steps of all patterns in one direction of a rule, because nested repetitions
 * multiply steps and memory.
 */
const MAX_STEPS = 50_000;

/** One entry of a rule, compiled. */
export interface CompiledEntry<T extends EntryTest = EntryTest> {
  readonly test: T;
  readonly ruleId: string;
  /** Settings of the mask that replaces matches; undefined if the entry blocks. */
  readonly mask: { readonly keepLast: number } | undefined;
  readonly type: string;
  /** The arguments of calls that the entry reads. Undefined: it reads every input. */
  readonly places: readonly Place[] | undefined;
  hit(findings: readonly Finding[]): Hit;
}

/** Error for an entry that cannot be compiled. Its message gives the admin the reason. */
export class EntryFault extends Error {
  constructor(
    readonly hit: Hit,
    reason: string,
  ) {
    super(reason);
  }
}

/** @throws EntryFault whose message names the entry's path. */
export function compileRule(rule: RuleDefinition, direction: Direction): CompiledEntry[] {
  // The type of a rule's row is not guaranteed, because an admin may have written the row with psql.
  const entries: unknown = (rule[direction] as RuleSet | null)?.rules;
  if (!Array.isArray(entries)) {
    const reason = `${direction}: it has no list of rules`;
    throw new EntryFault({ ...hitOf(rule, direction, 0, {})([]), fault: reason }, reason);
  }
  let steps = 0;
  return entries.map((stored: unknown, index) => {
    try {
      const entry = storedEntry(stored);
      const places = compilePlaces(entry, direction);
      const test = compileTest(entry, direction, places);
      steps += test.kind === 'pattern' ? test.steps : 0;
      if (steps > MAX_STEPS)
        throw new Error(
          `the patterns up to here take ${steps} steps, and ${MAX_STEPS} are allowed in a rule`,
        );
      const hit = hitOf(rule, direction, index, entry);
      return { test, ruleId: rule.id, mask: compileMask(entry, direction), type: entry.type, places, hit };
    } catch (error) {
      const reason = `${direction}.rules.${index}: ${(error as Error).message}`;
      throw new EntryFault({ ...hitOf(rule, direction, index, stored ?? {})([]), fault: reason }, reason);
    }
  });
}

function hitOf(rule: RuleDefinition, direction: Direction, index: number, entry: { message?: string }) {
  return (findings: readonly Finding[]): Hit => ({
    ruleId: rule.id,
    ruleName: rule.name,
    direction,
    index,
    entry: { ...entry },
    findings,
    message: entry.message === undefined || entry.message === '' ? DEFAULT_MESSAGE : entry.message,
  });
}

function compileTest(
  entry: RuleEntry,
  direction: Direction,
  places: readonly Place[] | undefined,
): EntryTest {
  const { type } = entry;
  const kind = ruleKind(type);
  if (kind === undefined) throw new Error(`type ${type} is unknown`);
  refuseStrayFields(entry);
  if (!kind.directions.includes(direction))
    throw new Error(`${type} entries ${direction === 'output' ? 'judge input only' : 'screen output only'}`);
  const test = kind.compile(entry);
  if (places !== undefined && kind.reads !== undefined && kind.reads !== 'sql')
    throw new Error(`arguments has no effect in ${type} entries, which read no calls`);
  return test.kind === 'statement' && places !== undefined ? { ...test, places } : test;
}

const owners = fromRuleKinds(
  (kinds) => new Map(kinds.flatMap((kind) => Object.keys(kind.fields).map((name) => [name, kind.type]))),
);

/** Refuses fields that belong to other kinds of entries. The admin could believe that they have an effect. */
function refuseStrayFields(entry: RuleEntry): void {
  for (const [name, value] of Object.entries(entry)) {
    const owner = owners().get(name);
    if (owner !== undefined && owner !== entry.type && isGiven(value))
      throw new Error(`${name} belongs to entries of type ${owner} only`);
  }
}

/**
 * Whether a field has a value. Empty values do not count, because some fields exist in every entry and are
 * empty in entries of other kinds. False does not count, because generated clients send unset flags as false.
 */
function isGiven(value: unknown): boolean {
  return (
    value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function compilePlaces(entry: CommonValues, direction: Direction): Place[] | undefined {
  const pointers = entry.arguments;
  // Some generated clients send an empty list for an absent field. The entry then reads every input.
  if (pointers === undefined || pointers.length === 0) return undefined;
  if (direction === 'output') throw new Error('arguments belongs to entries that judge input');
  if (pointers.length > MAX_POINTERS) throw new Error(`arguments must not have more than ${MAX_POINTERS}`);
  return pointers.map((pointer, index) => {
    const parts = pointerParts(pointer);
    if (parts === undefined)
      throw new Error(`arguments.${index} must be a JSON pointer like /sql or /queries/0 (RFC 6901)`);
    return parts;
  });
}

function compileMask(
  { action, keep_last }: CommonValues,
  direction: Direction,
): { keepLast: number } | undefined {
  if (action !== undefined && action !== 'block' && action !== 'mask')
    throw new Error(`action ${action as string} is unknown`);
  if (action !== 'mask') {
    if (keep_last !== undefined) throw new Error('keep_last needs the action mask');
    return undefined;
  }
  if (direction === 'input') throw new Error('only output can be masked');
  const keepLast = keep_last ?? 0;
  if (!Number.isInteger(keepLast) || keepLast < 0 || keepLast > MAX_KEEP_LAST)
    throw new Error(`keep_last must be a whole number from 0 to ${MAX_KEEP_LAST}`);
  return { keepLast };
}
