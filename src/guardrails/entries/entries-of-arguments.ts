import type { Language } from '../../languages/language';
import type { RuleDefinition } from './rule-entry';

/** Returns warnings about the rule's entries that have no effect on inputs in this language. */
export function warningsOn(rule: RuleDefinition, language: Language): string[] {
  const entries = entriesOfArguments(rule);
  return entries.length === 0 || hasArguments(language) ? [] : [`${withoutEffect(entries)} here`];
}

/**
 * Whether inputs in the language are calls with arguments. Otherwise `GuardrailEngine` skips the entries that
 * read arguments.
 */
export function hasArguments(language: Language): boolean {
  return language.views !== undefined;
}

/** Returns the indexes of the entries that read only arguments of calls. */
export function entriesOfArguments({ input }: Pick<RuleDefinition, 'input'>): number[] {
  return input.rules.flatMap(({ arguments: pointers = [] }, index) => (pointers.length === 0 ? [] : [index]));
}

export function withoutEffect(entries: readonly number[]): string {
  return `entries that name arguments of tool calls (input.rules ${entries.join(', ')}) have no effect`;
}
