import type { MaybePromise } from '../../kernel/maybe-promise';
import type { Text } from '../../kernel/long-text';
import type { TableFact } from '../../languages/postgresql/facts';
import type { Reach } from '../../languages/postgresql/reach';
import type { Target } from './target-directory';

export type Direction = 'input' | 'output';

/** A piece of what was judged that a rule forbids. `start` and `end` count UTF-16 code units of the input, or of the stream. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** What was found there, shortened; for a statement rule, the fact that is forbidden. */
  readonly text: string;
}

/** What a rule found: for the auditor. The refused person is shown `message` only. */
export interface Hit {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly direction: Direction;
  /** Place of the entry in the rule set of its direction, from 0. */
  readonly index: number;
  /** The entry of the rule set that hit, as it is stored. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  /** Why the rule could not be applied, where that is what refused the input. */
  readonly fault?: string;
  /** The admin's message, or a plain default that reveals no pattern. */
  readonly message: string;
}

export type Verdict = { readonly kind: 'pass' } | { readonly kind: 'block'; readonly hit: Hit };

/** A piece of a stream that must not be delivered as it is. Offsets count from the start of the stream. */
export interface Mask {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly ruleId: string;
  /** What was masked: the name of a detector, or the type of the entry. */
  readonly label: string;
  /** Size of what was replaced, in UTF-8. */
  readonly bytes: number;
}

/**
 * What a screen lets go. On a pass, everything up to `upTo` may be delivered: as `text`, or by the caller if it keeps rows
 * of its own, as those rows with `masks` applied. On a block, nothing of the hit was released.
 */
export type Screened<Text = string> =
  | { readonly kind: 'pass'; readonly text: Text; readonly upTo: number; readonly masks: readonly Mask[] }
  | { readonly kind: 'block'; readonly hit: Hit };

/**
 * Screens one stream of output across chunk borders; holds back what could be the start of a hit. One call at a
 * time. @throws (or rejects) when the stream could not be judged: nothing more of it may be delivered.
 */
export interface OutputScreen {
  push(chunk: string): MaybePromise<Screened>;
  /**
   * The same for whole lines where one begins: rows as they are rendered, in UTF-8, each with its line break. Lines that no
   * find can have any part of, whatever comes before and after, are let go as they are, at a small part of the cost. What
   * is let go may lie in the same memory as the lines, or in that of what was let go before.
   */
  pushLines(lines: Buffer): MaybePromise<Screened<Buffer>>;
  /** The stream is over: releases what was held back, or finds the hit in it. */
  finish(): MaybePromise<Screened>;
}

/**
 * What a text is judged as. `input`: what the target is told to do, in its own language. `value`: data that goes with
 * an input, such as a bound parameter or the rows of a COPY: it is no SQL, so only words and patterns have a say.
 */
export type JudgedAs = 'input' | 'value';

/**
 * Asks the catalog of the target which tables a statement touches. undefined: it does not tell, or what it tells may not be what holds when
 * the statement runs; then the statement may touch any. Never rejects.
 */
export type AskCatalog = (reaches: readonly Reach[]) => Promise<readonly TableFact[] | undefined>;

/**
 * The rules of one target, compiled once. Answers are promises only where a thread or another turn is needed, so that
 * a busy path pays for none. A throw, or a rejection, means the input must be refused.
 */
export interface GuardrailSet {
  /** Whether any rule has a say about input; without one, `judge` passes everything. */
  readonly judgesInput: boolean;
  /** Whether any rule has a say about output; without one, a screen releases everything at once. */
  readonly screensOutput: boolean;
  /**
   * @param as `input` unless said otherwise.
   * @param known things of the session that the text goes on with, in the words of its language, and whose origin is judged
   * by itself: the text need not be refused for not showing it.
   * @param ask asked where a verdict hangs on nothing but tables that a statement touches without naming them.
   */
  judge(text: Text, as?: JudgedAs, known?: readonly string[], ask?: AskCatalog): MaybePromise<Verdict>;
  openScreen(): OutputScreen;
  /**
   * Whether anything that a screen would find in a stream may begin, end or go on in these whole lines of it, as in
   * `OutputScreen.pushLines`. A no is sure; a yes only says that it has to be looked at.
   */
  mayTouch(lines: Buffer): boolean;
}

/** A rule that is stored cannot be applied; `hit` tells the admin which one, and why. */
export class BrokenRule extends Error {
  constructor(readonly hit: Hit) {
    super(`the guardrail ${hit.ruleName} cannot be applied: ${hit.fault ?? 'it is broken'}`);
  }
}

/** Port: which guardrails hold here? */
export abstract class Guardrails {
  /**
   * The compiled rules of the target as they stand now. Asked for at each command, so a changed rule reaches open
   * sessions; at once where they are known and nothing changed. @throws (or rejects) when the rules cannot be loaded,
   * `BrokenRule` when one cannot be compiled: the input must be refused.
   */
  abstract for(target: Target): MaybePromise<GuardrailSet>;
}
