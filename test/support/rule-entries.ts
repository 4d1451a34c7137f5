import { type AnalysisTask, analyse } from '../../src/guardrails/analysis/analysis';
import { type CompiledEntry, compileRule } from '../../src/guardrails/entries/compile-entry';
import type { RuleEntry } from '../../src/guardrails/entries/rule-entry';

/** Returns a guardrail entry in its stored form, for specs of the guardrail engine. */
const entry = (type: RuleEntry['type'], more: Partial<RuleEntry>): RuleEntry => ({
  type,
  words: [],
  pattern_regex: '',
  ...more,
});

export const words = (list: string[], more: Partial<RuleEntry> = {}): RuleEntry =>
  entry('deny_words_list', { words: list, ...more });

export const pattern = (regex: string, more: Partial<RuleEntry> = {}): RuleEntry =>
  entry('pattern_match', { pattern_regex: regex, ...more });

export const statement = (more: Partial<RuleEntry>): RuleEntry => entry('sql_statement', more);

export const detector = (
  detectors: NonNullable<RuleEntry['detectors']>,
  more: Partial<RuleEntry> = {},
): RuleEntry => entry('detector', { detectors, ...more });

/** Runs the analysis in this thread instead of a worker. Clones messages, as sending to a worker does. */
export const hereInstead = {
  run: async (task: AnalysisTask): Promise<ReturnType<typeof analyse>> =>
    structuredClone(analyse(structuredClone(task))),
};

/** Compiles a rule with this entry alone. @throws as `compileRule` */
export function compileEntry(
  more: Partial<RuleEntry>,
  direction: 'input' | 'output' = 'input',
): CompiledEntry | undefined {
  const none = { rules: [] };
  const rules = [entry(more.type ?? 'deny_words_list', more)];
  return compileRule({ id: '1', name: 'r', input: none, output: none, [direction]: { rules } }, direction)[0];
}
