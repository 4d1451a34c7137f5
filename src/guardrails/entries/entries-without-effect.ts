import type { Language } from '../../languages/language';
import { ruleKind } from '../kinds/kinds';
import type { RuleDefinition } from './rule-entry';

type InputRules = Pick<RuleDefinition, 'input'>;

/** Returns what of the rule has no effect on inputs in this language, each as the beginning of a sentence. */
export function withoutEffect({ input }: InputRules, language: Language): string[] {
  const named: number[] = [];
  const byType = new Map<string, number[]>();
  for (const [index, { type, arguments: pointers = [] }] of input.rules.entries()) {
    if (!hasEffect(type, language)) byType.set(type, [...(byType.get(type) ?? []), index]);
    else if (pointers.length > 0 && !hasArguments(language)) named.push(index);
  }
  const sentence = (what: string, entries: readonly number[]): string =>
    `${what} (input.rules ${entries.join(', ')}) have no effect`;
  return [
    ...(named.length === 0 ? [] : [sentence('entries that name arguments of tool calls', named)]),
    ...[...byType].map(([type, entries]) => sentence(`${type} entries`, entries)),
  ];
}

/** Returns warnings about the rule's entries that have no effect on inputs in this language. */
export function warningsOn(rule: RuleDefinition, language: Language): string[] {
  return withoutEffect(rule, language).map((sentence) => `${sentence} here`);
}

/**
 * Whether inputs in the language are calls with arguments. Otherwise `GuardrailEngine` skips the entries that
 * read arguments.
 */
export function hasArguments(language: Language): boolean {
  return language.views !== undefined;
}

/**
 * Whether entries of this type can judge inputs in the language. Otherwise `GuardrailEngine` skips them. True
 * for entries that read texts.
 */
export function readsFacts(type: string, language: Language): boolean {
  const kind = ruleKind(type);
  return kind?.forbidden === undefined || (kind.reads ?? 'sql') === language.facts;
}

/** Whether entries of this type can judge some input of targets of the language. */
function hasEffect(type: string, language: Language): boolean {
  return (
    readsFacts(type, language) || (language.alongside !== undefined && readsFacts(type, language.alongside))
  );
}
