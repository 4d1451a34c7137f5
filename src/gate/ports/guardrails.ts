import type { MaybePromise } from '../../kernel/async/maybe-promise';
import type { Text } from '../../kernel/text/long-text';
import type { TableFact } from '../../languages/postgresql/facts/facts';
import type { Reach } from '../../languages/postgresql/facts/reach';
import type { Target } from './target-directory';

export type Direction = 'input' | 'output';

/**
 * A forbidden piece of the judged text. `start` and `end` count UTF-16 code units from the start of the input
 * or of the output stream.
 */
export interface Finding {
  readonly start: number;
  readonly end: number;
  /** The matched text, shortened. For a rule about statements, the forbidden fact about the statement. */
  readonly text: string;
}

/** A rule's finding, for auditors. The refused person sees `message` only. */
export interface Hit {
  readonly ruleId: string;
  readonly ruleName: string;
  readonly direction: Direction;
  /** Index of the matching entry in the rule set for this direction, from 0. */
  readonly index: number;
  /** The matching entry of the rule, as it is stored. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly findings: readonly Finding[];
  /** Reason why the rule could not be applied; set only if the input was refused for this reason. */
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
  /** Size of the replaced text in UTF-8 bytes. */
  readonly bytes: number;
}

/**
 * The result of screening output. `pass`: everything up to `upTo` may be delivered. Callers deliver `text`,
 * or their own rows with `masks` applied. `block`: a rule matched, and no part of the match has been
 * released.
 */
export type Screened<Text = string> =
  | { readonly kind: 'pass'; readonly text: Text; readonly upTo: number; readonly masks: readonly Mask[] }
  | { readonly kind: 'block'; readonly hit: Hit };

/**
 * Screens one stream of output across chunk borders, and holds back text that could be the start of a hit.
 * Calls must not run concurrently. @throws (or rejects) when the stream could not be judged; then no more of
 * it may be delivered.
 */
export interface OutputScreen {
  /**
   * The released text before the text that is held, as far as a search looks at it: for `^` and whole words,
   * and after `flush` for hits that begin in it. A screen by other rules that continues the stream needs it.
   */
  readonly before: string;
  push(chunk: string): MaybePromise<Screened>;
  /**
   * Like `push`, for whole rendered rows in UTF-8 that begin at the start of a line, each with its line feed.
   * Lines that cannot be part of any match, whatever precedes or follows them, are released unchanged, which
   * is much cheaper. The result may share memory with the lines, or with an earlier result.
   */
  pushLines(lines: Buffer): MaybePromise<Screened<Buffer>>;
  /**
   * Releases what was held back, for a person who waits for it. A hit that begins in it is still found once
   * later text completes it, but its beginning has been released.
   */
  flush(): MaybePromise<Screened>;
  /** Ends the stream: releases what was held back, or reports the hit in it. */
  finish(): MaybePromise<Screened>;
}

/**
 * Role in which a text is judged. `input`: an input in the target's language. `value`: data of an input, such
 * as a bound parameter or the rows of a COPY. It is not SQL, so only word and pattern rules apply.
 * `alongside`: an input in the language that targets of the language take beside it (`Language.alongside`).
 * Only rules about its statements apply: its words are judged as values.
 */
export type JudgedAs = 'input' | 'value' | 'alongside';

/**
 * Queries the target's catalog for the tables that a statement touches. Resolves with undefined when there is
 * no answer, or when the answer may be outdated by the time the statement runs. The caller must then assume
 * that the statement touches any table. Never rejects.
 */
export type AskCatalog = (reaches: readonly Reach[]) => Promise<readonly TableFact[] | undefined>;

/**
 * The owner of a text that is judged. Long texts are judged in worker threads, which serve all users in turn,
 * and the connections and sessions of one user in turn.
 */
export interface JudgedFor {
  readonly userId: string;
  readonly connectionId: string;
  /** Id of the session, or of the request if it has no session. */
  readonly sessionId: string;
  /**
   * Signals that abort when the verdict is not needed any more. When one of them aborts, judging stops and
   * the promise rejects.
   */
  readonly signals?: readonly AbortSignal[];
}

/**
 * The compiled rules of one target. A method returns a promise only when it needs a thread or another turn of
 * the event loop, so that hot paths stay synchronous. If a method throws or rejects, the input must be
 * refused.
 */
export interface GuardrailSet {
  /** Whether any rule applies to input. If false, `judge` passes everything. */
  readonly judgesInput: boolean;
  /** Whether any rule applies to output. If false, a screen releases everything at once. */
  readonly screensOutput: boolean;
  /**
   * @param as role of the text; default `input`.
   * @param known names of session objects (in SQL, prepared statements and cursors) that the text uses. Their
   * definitions are judged separately, so the text is not refused for using objects that it does not define.
   * @param ask called only if the verdict depends on tables that a statement touches without naming them.
   * @param owner the owner of the text. Default: all texts without an owner count as one owner's texts.
   */
  judge(
    text: Text,
    as?: JudgedAs,
    known?: readonly string[],
    ask?: AskCatalog,
    owner?: JudgedFor,
  ): MaybePromise<Verdict>;
  /**
   * @param before the text before the stream, which another screen has released: see `OutputScreen.before`.
   * Hits that begin in it are found if they end after it. Offsets begin after it.
   */
  openScreen(owner?: JudgedFor, before?: string): OutputScreen;
  /**
   * Whether a match may begin, end or continue in these whole lines of a stream (see
   * `OutputScreen.pushLines`). False is certain; true means only that the lines must be screened.
   */
  mayTouch(lines: Buffer): boolean;
}

/** Error for a stored rule that cannot be applied; `hit` names the rule and the reason, for the admin. */
export class BrokenRule extends Error {
  constructor(readonly hit: Hit) {
    super(`the guardrail ${hit.ruleName} cannot be applied: ${hit.fault ?? 'it is broken'}`);
  }
}

/** Port: the guardrails of a target. */
export abstract class Guardrails {
  /** Whether rules are cached until they change. While they are not, each call of `for` is a query. */
  abstract readonly areCached: boolean;

  /**
   * Returns the current compiled rules of the target. Called for each command, so that a changed rule applies
   * to open sessions. Synchronous if the rules are cached and unchanged. @throws (or rejects) when the rules
   * cannot be loaded; `BrokenRule` when one cannot be compiled. Then the input must be refused.
   */
  abstract for(target: Target): MaybePromise<GuardrailSet>;
}
