import type { Language } from '../../languages/language';
import type { RuleDefinition } from './rule-entry';

/** Warnings about a rule on a connection with inputs in that language. */
export function warningsOn(rule: RuleDefinition, language: Language): string[] {
  const entries = entriesOfArguments(rule);
  return entries.length === 0 || hasArguments(language) ? [] : [`${withoutEffect(entries)} here`];
}

/**
 * Whether inputs in the language are calls with arguments. `GuardrailEngine`
 * leaves entries out by the same fact.
 */
export function hasArguments(language: Language): boolean {
  return language.views !== undefined;
}

/** Indexes of the entries that read arguments of calls alone. */
export function entriesOfArguments({ input }: Pick<RuleDefinition, 'input'>): number[] {
  return input.rules.flatMap(({ arguments: pointers = [] }, index) => (pointers.length === 0 ? [] : [index]));
}

export function withoutEffect(entries: readonly number[]): string {
  return `entries that name arguments of tool calls (input.rules ${entries.join(', ')}) have no effect`;
}
