import { type AnalysisTask, analyse } from '../../../src/guardrails/analysis/analysis';
import { GuardrailEngine } from '../../../src/guardrails/engine/guardrail-engine';
import type { Finding } from '../../../src/gate/ports/guardrails';
import type { RuleDefinition, RuleEntry } from '../../../src/guardrails/entries/rule-entry';
import { postgresql } from '../../../src/languages/postgresql';

/** Runs the analysis in this process, because the corpus does not test threads. */
const here = { run: (task: AnalysisTask) => Promise.resolve(analyse(task)) };

export function engineFor(direction: 'input' | 'output', entries: readonly RuleEntry[]): GuardrailEngine {
  const none = { rules: [] };
  const rules = { rules: [...entries] };
  const rule: RuleDefinition = {
    id: '1',
    name: 'corpus',
    input: direction === 'input' ? rules : none,
    output: direction === 'output' ? rules : none,
  };
  return new GuardrailEngine([rule], postgresql, here);
}

/** Returns a function that finds the entries that block a text, with their matches. It parses a text once. */
export function hitsOf(
  entries: readonly RuleEntry[],
): (text: string) => Promise<ReadonlyMap<RuleEntry, readonly Finding[]>> {
  const engine = engineFor('input', entries);
  return async (text) => {
    const found = await engine.inspect(text);
    return new Map(
      found.map(({ entry, findings }) => [entries[entry.hit(findings).index] as RuleEntry, findings]),
    );
  };
}
