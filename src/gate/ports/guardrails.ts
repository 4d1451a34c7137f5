import type { Target } from './target-directory';

export type Direction = 'input' | 'output';

/** What a rule found: for the auditor. The refused person is shown `message` only. */
export interface Hit {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly direction: Direction;
  /** The entry of the rule set that hit, as it was written. */
  readonly entry: { readonly type: string; readonly words: readonly string[]; readonly patternRegex: string };
  readonly matchedWords: readonly string[];
  /** The admin's message, or a plain default that reveals no pattern. */
  readonly message: string;
}

export type Verdict = { readonly kind: 'pass' } | { readonly kind: 'block'; readonly hit: Hit };

/** What a screen lets go: `text` may be delivered; on a block, nothing of the hit was released. */
export type Screened =
  | { readonly kind: 'pass'; readonly text: string }
  | { readonly kind: 'block'; readonly hit: Hit };

/** Screens one stream of output across chunk borders; holds back what could be the start of a hit. */
export interface OutputScreen {
  push(chunk: string): Screened;
  /** The stream is over: releases what was held back, or finds the hit in it. */
  finish(): Screened;
}

/** The rules of one target, compiled. Synchronous and pure; a throw means the input must be refused. */
export interface GuardrailSet {
  judge(text: string): Verdict;
  openScreen(): OutputScreen;
}

/** Port: which guard rails hold here? */
export abstract class Guardrails {
  /**
   * The compiled rules of the target as they stand now. Asked for at each command, so a changed rule
   * reaches open sessions. @throws when the rules cannot be loaded or compiled: the input must be refused.
   */
  abstract for(target: Target): Promise<GuardrailSet>;
}
