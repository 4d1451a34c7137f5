import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Text } from '../../kernel/text/long-text';
import type { TableFact } from '../../languages/postgresql/facts/facts';
import type { Reach } from '../../languages/postgresql/facts/reach';
import type { Target } from './target-directory';

export type Direction = 'input' | 'output';

/**
 * A forbidden piece of the judged text. `start` and `end` count UTF-16 code
 * units of the input, or of the stream.
 */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** The matched text, shortened; for a statement rule, the forbidden fact. */
  readonly text: string;
}

/** A rule's finding, for auditors. The refused person sees `message` only. */
export interface Hit {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly direction: Direction;
  /** Index of the entry in the rule set of its direction, from 0. */
  readonly index: number;
  /** The stored entry that hit. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  /** Why the rule could not be applied, if that is why the input was refused. */
  readonly fault?: string;
  /** The admin's message, or a default that reveals no pattern. */
  readonly message: string;
}

export type Verdict = { readonly kind: 'pass' } | { readonly kind: 'block'; readonly hit: Hit };

/** A piece of a stream that must be replaced before delivery. Offsets count from the start of the stream. */
export interface Mask {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  readonly ruleId: string;
  /** Label of the masked text: the name of a detector, or the type of the entry. */
  readonly label: string;
  /** Size of the replaced text in UTF-8. */
  readonly bytes: number;
}

/**
 * Parts that a screen releases. On a pass, everything up to `upTo` may be delivered: as `text`, or, if the
 * caller keeps rows of its own, as those rows with `masks` applied. On a block, nothing of the hit was
 * released.
 */
export type Screened<Text = string> =
  | { readonly kind: 'pass'; readonly text: Text; readonly upTo: number; readonly masks: readonly Mask[] }
  | { readonly kind: 'block'; readonly hit: Hit };

/**
 * Screens one stream of output across chunk borders, and holds back what could be
 * the start of a hit. One call at a time. @throws (or rejects) when the stream could
 * not be judged: nothing more of it may be delivered.
 */
export interface OutputScreen {
  push(chunk: string): MaybePromise<Screened>;
  /**
   * Like `push`, for whole rendered rows in UTF-8, each with its line feed, at the beginning of a line. Lines
   * that cannot be part of any match, whatever precedes or follows them, are released unchanged, at a small
   * part of the cost. The result may share memory with the lines, or with an earlier result.
   */
  pushLines(lines: Buffer): MaybePromise<Screened<Buffer>>;
  /** Ends the stream: releases what was held back, or reports the hit in it. */
  finish(): MaybePromise<Screened>;
}

/**
 * Role in which a text is judged. `input`: an input in the target's language. `value`: data of an input, such
 * as a bound parameter or the rows of a COPY. It is not SQL, so only word and pattern rules apply.
 */
export type JudgedAs = 'input' | 'value';

/**
 * Asks the target's catalog which tables a statement touches. undefined: there is no answer, or it may be
 * outdated when the statement runs; then the statement may touch any table. Never rejects.
 */
export type AskCatalog = (reaches: readonly Reach[]) => Promise<readonly TableFact[] | undefined>;

/**
 * For whom a text is judged. Long texts are judged in threads, where users take turns, and then the
 * connections and sessions of one user.
 */
export interface JudgedFor {
  readonly userId: string;
  readonly connectionId: string;
  /** Id of the session, or of a request without one. */
  readonly sessionId: string;
  /**
   * The first to abort means that the verdict is not needed any more: the work is dropped, and the promise
   * rejects.
   */
  readonly signals?: readonly AbortSignal[];
}

/**
 * The compiled rules of one target. Results are promises only where a thread or another turn of the event
 * loop is needed, so that hot paths pay for none. If a method throws or rejects, the input must be refused.
 */
export interface GuardrailSet {
  /** Whether any rule applies to input; without one, `judge` passes everything. */
  readonly judgesInput: boolean;
  /** Whether any rule applies to output; without one, a screen releases everything at once. */
  readonly screensOutput: boolean;
  /**
   * @param as default `input`.
   * @param known names, in the text's language, of session objects that the text uses and whose origin is
   * judged separately: the text need not be refused because it does not show their origin.
   * @param ask called only if the verdict depends on tables that a statement touches without naming them.
   * @param owner for whom it is judged. Default: work without an owner shares one turn.
   */
  judge(
    text: Text,
    as?: JudgedAs,
    known?: readonly string[],
    ask?: AskCatalog,
    owner?: JudgedFor,
  ): MaybePromise<Verdict>;
  openScreen(owner?: JudgedFor): OutputScreen;
  /**
   * Whether a match may begin, end or continue in these whole lines of a stream, as in
   * `OutputScreen.pushLines`. False is certain; true means only that the lines must be screened.
   */
  mayTouch(lines: Buffer): boolean;
}

/** A stored rule cannot be applied; `hit` names the rule and the reason, for the admin. */
export class BrokenRule extends Error {
  constructor(readonly hit: Hit) {
    super(`the guardrail ${hit.ruleName} cannot be applied: ${hit.fault ?? 'it is broken'}`);
  }
}

/** Port: the guardrails of a target. */
export abstract class Guardrails {
  /**
   * The current compiled rules of the target. Called for each command, so that a changed rule applies to open
   * sessions; synchronous if the rules are cached and unchanged. @throws (or rejects) when the rules cannot
   * be loaded, `BrokenRule` when one cannot be compiled: the input must be refused.
   */
  abstract for(target: Target): MaybePromise<GuardrailSet>;
}
