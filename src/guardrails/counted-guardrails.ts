import type { GuardrailSet, OutputScreen, Screened, Verdict } from '../gate/ports/guardrails';
import type { RuleDefinition } from './rule-entry';
import type { RuleTally } from './rule-tally';

/** A set whose rules are counted, each time they are held against something and each time they hit. */
export class CountedGuardrails implements GuardrailSet {
  constructor(
    private readonly set: GuardrailSet,
    private readonly rules: RulesByDirection,
    private readonly tally: RuleTally,
  ) {}

  async judge(text: string): Promise<Verdict> {
    this.tally.checked(this.rules.input);
    const verdict = await this.set.judge(text);
    if (verdict.kind === 'block') this.tally.hit(verdict.hit.ruleId);
    return verdict;
  }

  openScreen(): OutputScreen {
    const screen = this.set.openScreen();
    let isCounted = false;
    // A stream on which nothing comes is held against nothing.
    const count = (): void => {
      if (!isCounted) this.tally.checked(this.rules.output);
      isCounted = true;
    };
    const counted = (screened: Screened): Screened => {
      if (screened.kind === 'block') this.tally.hit(screened.hit.ruleId);
      else for (const { ruleId } of screened.masks) this.tally.hit(ruleId);
      return screened;
    };
    return {
      push: async (chunk) => {
        count();
        return counted(await screen.push(chunk));
      },
      finish: async () => counted(await screen.finish()),
    };
  }
}

/** Ids of the rules that have a say about input, and about output. */
export interface RulesByDirection {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

export function rulesByDirection(rules: readonly RuleDefinition[]): RulesByDirection {
  const ids = (direction: 'input' | 'output') =>
    rules.filter((rule) => rule[direction].rules.length > 0).map((rule) => rule.id);
  return { input: ids('input'), output: ids('output') };
}
