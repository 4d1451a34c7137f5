import type { Direction, GuardrailSet, Hit, OutputScreen, Verdict } from '../gate/ports/guardrails';
import { WindowedScreen } from './windowed-screen';
import { type EntryMatcher, type RuleEntry, type RuleSet, compileEntry } from './rule-entry';

/** Said when the admin wrote no message; it reveals no pattern. */
export const DEFAULT_MESSAGE = 'This is not allowed by the guard rails of this connection.';

export interface RuleDefinition {
  readonly id: string;
  readonly name: string;
  readonly input: RuleSet;
  readonly output: RuleSet;
}

/** One rule, compiled once for as long as it does not change. */
export interface CompiledRule {
  readonly input: readonly CompiledEntry[];
  readonly output: readonly CompiledEntry[];
}

export interface CompiledEntry {
  readonly matches: EntryMatcher;
  readonly hit: (matchedWords: string[]) => Hit;
}

/** @throws Error when an entry cannot be compiled; the message names the entry's path. */
export function compileRule(rule: RuleDefinition): CompiledRule {
  const compile = (direction: Direction): CompiledEntry[] =>
    rule[direction].rules.map((entry, index) => {
      try {
        return { matches: compileEntry(entry), hit: hitOf(rule, direction, entry) };
      } catch (error) {
        throw new Error(`${direction}.rules.${index}: ${(error as Error).message}`, { cause: error });
      }
    });
  return { input: compile('input'), output: compile('output') };
}

function hitOf(rule: RuleDefinition, direction: Direction, entry: RuleEntry): CompiledEntry['hit'] {
  return (matchedWords) => ({
    ruleId: rule.id,
    ruleName: rule.name,
    direction,
    entry: { type: entry.type, words: entry.words, patternRegex: entry.pattern_regex },
    matchedWords,
    message: entry.message === undefined || entry.message === '' ? DEFAULT_MESSAGE : entry.message,
  });
}

/** All rules of one target as one set. */
export class CompiledRules implements GuardrailSet {
  private readonly input: CompiledEntry[];
  private readonly output: CompiledEntry[];

  constructor(rules: readonly CompiledRule[]) {
    this.input = rules.flatMap((rule) => rule.input);
    this.output = rules.flatMap((rule) => rule.output);
  }

  judge(text: string): Verdict {
    return firstHit(this.input, text);
  }

  openScreen(): OutputScreen {
    return new WindowedScreen((text) => firstHit(this.output, text), this.output.length > 0);
  }
}

function firstHit(entries: readonly CompiledEntry[], text: string): Verdict {
  for (const entry of entries) {
    const matched = entry.matches(text);
    if (matched.length > 0)
      return { kind: 'block', hit: entry.hit([...new Set(matched.map(({ text }) => text))]) };
  }
  return { kind: 'pass' };
}
