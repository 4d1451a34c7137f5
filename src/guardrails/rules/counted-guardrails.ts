import type {
  AskCatalog,
  GuardrailSet,
  JudgedFor,
  JudgedAs,
  Mask,
  OutputScreen,
  Screened,
  Verdict,
} from '../../gate/ports/guardrails';
import { type MaybePromise, thenMaybe } from '../../kernel/async/maybe-promise';
import type { Text } from '../../kernel/text/long-text';
import type { RuleDefinition } from '../entries/rule-entry';
import type { RuleTally, TalliedRules } from './rule-tally';

/** Counts how often each rule of a set was checked, and how often it hit. */
export class CountedGuardrails implements GuardrailSet {
  private readonly inputRules: TalliedRules;
  private readonly outputRules: TalliedRules;
  readonly judgesInput: boolean;
  readonly screensOutput: boolean;

  constructor(
    private readonly set: GuardrailSet,
    rules: RulesByDirection,
    private readonly tally: RuleTally,
  ) {
    this.inputRules = tally.rules(rules.input);
    this.outputRules = tally.rules(rules.output);
    this.judgesInput = set.judgesInput;
    this.screensOutput = set.screensOutput;
  }

  judge(
    text: Text,
    as?: JudgedAs,
    known?: readonly string[],
    ask?: AskCatalog,
    owner?: JudgedFor,
  ): MaybePromise<Verdict> {
    this.inputRules.checked();
    const verdict = this.tally.counted.timed('input', () => this.set.judge(text, as, known, ask, owner));
    return verdict instanceof Promise ? verdict.then(this.counted) : this.counted(verdict);
  }

  mayTouch(lines: Buffer): boolean {
    return this.set.mayTouch(lines);
  }

  openScreen(owner?: JudgedFor, before?: string): OutputScreen {
    return new CountedScreen(this.set.openScreen(owner, before), this.outputRules, this.tally);
  }

  private readonly counted = (verdict: Verdict): Verdict => {
    if (verdict.kind === 'block') {
      this.tally.hit(verdict.hit.ruleId);
      this.tally.counted.blocked('input');
    }
    return verdict;
  };
}

class CountedScreen implements OutputScreen {
  private isCounted = false;

  constructor(
    private readonly screen: OutputScreen,
    private readonly rules: TalliedRules,
    private readonly tally: RuleTally,
  ) {}

  get before(): string {
    return this.screen.before;
  }

  push(chunk: string): MaybePromise<Screened> {
    this.begun();
    const screened = this.tally.counted.timed('output', () => this.screen.push(chunk));
    return thenMaybe(screened, this.counted);
  }

  pushLines(lines: Buffer): MaybePromise<Screened<Buffer>> {
    this.begun();
    const screened = this.tally.counted.timed('output', () => this.screen.pushLines(lines));
    return screened instanceof Promise ? screened.then(this.counted<Buffer>) : this.counted(screened);
  }

  finish(): MaybePromise<Screened> {
    return thenMaybe(this.screen.finish(), this.counted);
  }

  flush(): MaybePromise<Screened> {
    return thenMaybe(this.screen.flush(), this.counted);
  }

  /** Counts a stream as checked when its first output arrives, because an empty stream is not checked. */
  private begun(): void {
    if (!this.isCounted) this.rules.checked();
    this.isCounted = true;
  }

  private readonly counted = <Text>(screened: Screened<Text>): Screened<Text> => {
    if (screened.kind === 'block') {
      this.tally.hit(screened.hit.ruleId);
      this.tally.counted.blocked('output');
    } else if (screened.masks.length > 0) {
      this.count(screened.masks);
      this.tally.counted.masked(screened.masks.length);
    }
    return screened;
  };

  /**
   * Counts the masks of each rule. Adjacent masks of the same rule are counted in one step, so that a million
   * masks cost little.
   */
  private count(masks: readonly Mask[]): void {
    for (let at = 0; at < masks.length;) {
      const { ruleId } = masks[at] as Mask;
      const first = at;
      while (masks[at]?.ruleId === ruleId) at += 1;
      this.tally.hit(ruleId, at - first);
    }
  }
}

/** Ids of the rules that have entries for input, and for output. */
export interface RulesByDirection {
  readonly input: readonly string[];
  readonly output: readonly string[];
}

export function rulesByDirection(rules: readonly RuleDefinition[]): RulesByDirection {
  const ids = (direction: 'input' | 'output') =>
    rules.filter((rule) => rule[direction].rules.length > 0).map((rule) => rule.id);
  return { input: ids('input'), output: ids('output') };
}
