import { z } from 'zod';
import type { Direction, Finding, Hit } from '../gate/ports/guardrails';
import { DETECTOR_NAMES, type DetectorName } from './matching/detectors';
import { compilePattern } from './matching/pattern-set';
import type { EntryType, RuleDefinition, RuleEntry, RuleSet } from './rule-entry';
import { type StatementCondition, compileCondition } from './statement-condition';

/** Said when the admin wrote no message; it reveals no pattern. */
export const DEFAULT_MESSAGE = 'This is not allowed by the guard rails of this connection.';

const MAX_KEEP_LAST = 64;
/** Steps that the patterns of a rule compile to, each direction by itself: repetitions multiply, and so does memory. */
const MAX_STEPS = 50_000;

/** What an entry looks for, checked. Structured-clonable: large texts are searched in another thread. */
export type TextTest =
  | {
      readonly kind: 'words';
      readonly words: readonly string[];
      readonly caseSensitive: boolean;
      readonly wholeWord: boolean;
    }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly steps: number }
  | { readonly kind: 'detectors'; readonly names: readonly DetectorName[] };

export type Test = TextTest | { readonly kind: 'statement'; readonly condition: StatementCondition };

/** One entry of a rule, ready to be held against texts. */
export interface CompiledEntry<T extends Test = Test> {
  readonly test: T;
  readonly ruleId: string;
  /** Undefined: the entry blocks. */
  readonly mask: { readonly keepLast: number } | undefined;
  readonly type: EntryType;
  hit(findings: readonly Finding[]): Hit;
}

/** An entry that cannot be compiled, and why, in plain words. */
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
  // What somebody wrote with psql need not be what the type says.
  const entries: unknown = (rule[direction] as RuleSet | null)?.rules;
  if (!Array.isArray(entries)) {
    const reason = `${direction}: it has no list of rules`;
    throw new EntryFault({ ...hitOf(rule, direction, 0, {})([]), fault: reason }, reason);
  }
  let steps = 0;
  return entries.map((stored: unknown, index) => {
    try {
      const entry = storedEntry(stored);
      const test = compileTest(entry, direction);
      steps += test.kind === 'pattern' ? test.steps : 0;
      if (steps > MAX_STEPS)
        throw new Error(
          `the patterns up to here take ${steps} steps, and ${MAX_STEPS} are allowed in a rule`,
        );
      const hit = hitOf(rule, direction, index, entry);
      return { test, ruleId: rule.id, mask: compileMask(entry, direction), type: entry.type, hit };
    } catch (error) {
      const reason = `${direction}.rules.${index}: ${(error as Error).message}`;
      throw new EntryFault({ ...hitOf(rule, direction, index, stored ?? {})([]), fault: reason }, reason);
    }
  });
}

/** The shape of what is stored; what is in it, each type says by itself. An unknown key could narrow or widen the rule. */
const shape = z.strictObject({
  type: z.string(),
  words: z.array(z.string()),
  pattern_regex: z.string(),
  name: z.string().optional(),
  message: z.string().optional(),
  case_sensitive: z.boolean().optional(),
  whole_word: z.boolean().optional(),
  kinds: z.array(z.string()).optional(),
  without_where: z.boolean().optional(),
  tables: z.array(z.strictObject({ name: z.string(), access: z.string() })).optional(),
  functions: z.array(z.string()).optional(),
  unparseable: z.string().optional(),
  detectors: z.array(z.string()).optional(),
  action: z.string().optional(),
  keep_last: z.number().optional(),
});

function storedEntry(stored: unknown): RuleEntry {
  const { error, data } = shape.safeParse(stored);
  if (error === undefined) return data as RuleEntry;
  const [issue] = error.issues;
  throw new Error(`${['the entry', ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is malformed'}`);
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

/** Keys that only entries of one type may have: elsewhere they would promise what nobody keeps. */
const KEYS_OF: Readonly<Record<EntryType, readonly (keyof RuleEntry)[]>> = {
  deny_words_list: ['words', 'case_sensitive', 'whole_word'],
  pattern_match: ['pattern_regex'],
  sql_statement: ['kinds', 'without_where', 'tables', 'functions', 'unparseable'],
  detector: ['detectors'],
};

function compileTest(entry: RuleEntry, direction: Direction): Test {
  const { type } = entry;
  if (!Object.hasOwn(KEYS_OF, type)) throw new Error(`type ${type as string} is unknown`);
  for (const [owner, keys] of Object.entries(KEYS_OF)) {
    const stray = owner === type ? undefined : keys.find((key) => isGiven(entry[key]));
    if (stray !== undefined) throw new Error(`${stray} belongs to entries of type ${owner} only`);
  }
  switch (type) {
    case 'deny_words_list':
      return wordsTest(entry);
    case 'pattern_match':
      return patternTest(entry.pattern_regex);
    case 'sql_statement':
      if (direction === 'output') throw new Error('sql_statement entries judge input only');
      return { kind: 'statement', condition: compileCondition(entry) };
    case 'detector':
      if (direction === 'input') throw new Error('detector entries screen output only');
      return detectorsTest(entry.detectors ?? []);
  }
}

/** The specification's two keys are in every entry, and empty where they do not belong. */
/** Generated clients send flags that nobody set as false, and lists as empty. */
function isGiven(value: unknown): boolean {
  return (
    value !== undefined && value !== false && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function wordsTest({ words, case_sensitive, whole_word }: RuleEntry): TextTest {
  if (words.length === 0) throw new Error('words must not be empty');
  if (words.includes(''))
    throw new Error('words must not contain an empty word, which would forbid everything');
  return { kind: 'words', words, caseSensitive: case_sensitive === true, wholeWord: whole_word === true };
}

function patternTest(pattern: string): TextTest {
  if (pattern === '') throw new Error('pattern_regex must not be empty');
  return { kind: 'pattern', pattern, steps: compilePattern(pattern).programSize() };
}

function detectorsTest(names: readonly DetectorName[]): TextTest {
  if (names.length === 0) throw new Error('detectors must not be empty');
  const unknown = names.find((name) => !DETECTOR_NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`detector ${unknown} is unknown`);
  return { kind: 'detectors', names: [...new Set(names)] };
}

function compileMask(
  { action, keep_last }: RuleEntry,
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
