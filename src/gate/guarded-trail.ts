import { Logger } from '@nestjs/common';
import { AppError } from '../kernel/app-error';
import { type MaybePromise, thenMaybe } from '../kernel/async/maybe-promise';
import { currentSpan, inSpan } from '../kernel/runtime/spans';
import { TimeSlice } from '../kernel/async/time-slice';
import type { Judged, JudgedText } from './command';
import type { PendingEvents } from './pending-events';
import {
  BrokenRule,
  type GuardrailSet,
  type Guardrails,
  type Hit,
  type JudgedFor,
  type OutputScreen,
} from './ports/guardrails';
import type { SessionTrail } from './ports/session-recorder';
import { type Blocked, FAULT_MESSAGE, type InputRefusal, isLimit } from './refusal';
import type { Target } from './ports/target-directory';

/** Maximum number of texts that are judged in one turn of the event loop. */
const FEW = 100;
/** Minimum time between two fetches of rules that cannot be cached; see `followRules`. */
const FETCH_EVERY_MS = 1_000;

/** The judgement of a script that was made before its session was claimed. */
export interface FormerJudgement {
  readonly refusal: InputRefusal | undefined;
  /** Whether this judgement is valid for these texts under these rules. */
  isOf(texts: Judged, rules: GuardrailSet): boolean;
  /** Stores the findings of this judgement in the recording of the session. */
  noteIn(trail: SessionTrail): void;
}

/** The owner of a session. */
export interface SessionOwner extends JudgedFor {
  /** E-mail address of the person, or the subject of a machine without one. */
  readonly person: string;
}

/**
 * Judges and records the input and output of one session. A fault of judging or recording becomes a refusal;
 * no setting makes it fail open. The current rules are fetched for each input, so that a changed rule applies
 * to open sessions. Output is screened by the rules of the last input.
 */
export class GuardedTrail {
  private readonly log = new Logger(GuardedTrail.name);
  private rules: GuardrailSet | undefined;
  /** Time before which `followRules` fetches nothing. */
  private fetchesFrom = 0;
  private readonly judging = new AbortController();
  private readonly inputOwner: JudgedFor | undefined;
  private readonly outputOwner: JudgedFor | undefined;

  /** @param early the judgement of the first input, if it was judged before the session was claimed */
  constructor(
    readonly target: Target,
    readonly trail: SessionTrail,
    private readonly guardrails: Guardrails,
    readonly owner?: SessionOwner,
    private early?: FormerJudgement,
  ) {
    this.outputOwner = owner;
    this.inputOwner = owner && { ...owner, signals: [trail.ended, this.judging.signal] };
  }

  /** Aborts the judging of inputs, so that they are refused. Output is still screened. */
  stopJudging(): void {
    this.judging.abort();
  }

  /**
   * Fetches the rules before any input, because the target may send output first. If fetching fails, the
   * previous rules stay in force; without previous rules, output cannot be screened.
   */
  askForRules(): MaybePromise<void> {
    const keep = (rules: GuardrailSet): void => {
      this.rules = rules;
    };
    const failed = (error: unknown): void => {
      this.fetchesFrom = performance.now() + FETCH_EVERY_MS;
      this.log.warn({ err: error, session: this.trail.sessionId }, 'The rules could not be loaded');
    };
    try {
      const rules = this.guardrails.for(this.target);
      return rules instanceof Promise ? rules.then(keep, failed) : keep(rules);
    } catch (error) {
      failed(error);
    }
  }

  /**
   * Like `askForRules`, for output that keeps coming without commands. Cached rules are asked for each time,
   * so that a change is effective at once. While they cannot be cached or loaded, each fetch is a query: then
   * they are fetched once a second.
   */
  followRules(): MaybePromise<void> {
    const now = performance.now();
    if (now < this.fetchesFrom) return undefined;
    if (!this.guardrails.areCached) this.fetchesFrom = now + FETCH_EVERY_MS;
    return this.askForRules();
  }

  /**
   * Returns the refusal of an input, or undefined. An input that cannot be judged is refused. Never throws.
   */
  judge(texts: Judged): MaybePromise<InputRefusal | undefined> {
    if (currentSpan() === undefined) return this.judgement(texts);
    return inSpan('gateway.judge', {}, () =>
      thenMaybe(this.judgement(texts), (refusal) => {
        currentSpan()?.note({ 'gateway.verdict': refusal === undefined ? 'pass' : refusal.reason });
        return refusal;
      }),
    );
  }

  private judgement(texts: Judged): MaybePromise<InputRefusal | undefined> {
    const { early } = this;
    this.early = undefined;
    try {
      const rules = this.guardrails.for(this.target);
      const refusal =
        rules instanceof Promise
          ? rules.then((late) => this.judgeBy(late, texts, early))
          : this.judgeBy(rules, texts, early);
      return refusal instanceof Promise ? refusal.catch((error: unknown) => this.fault(error)) : refusal;
    } catch (error) {
      return this.fault(error);
    }
  }

  /** The rules of the last input, or newer rules that were fetched after it. */
  get rulesNow(): GuardrailSet | undefined {
    return this.rules;
  }

  /** Whether input must be judged; true until the rules are fetched. */
  get judgesInput(): boolean {
    return this.rules?.judgesInput ?? true;
  }

  /** Whether output must be screened; true until the rules are fetched. */
  get screensOutput(): boolean {
    return this.rules?.screensOutput ?? true;
  }

  /** See `GuardrailSet.mayTouch`; true until the rules are fetched. */
  mayTouch(lines: Buffer): boolean {
    return this.rules?.mayTouch(lines) ?? true;
  }

  /** @param before see `GuardrailSet.openScreen` */
  openScreen(before?: string): OutputScreen {
    if (this.rules === undefined) throw new Error('output arrived before any input was judged');
    return this.rules.openScreen(this.outputOwner, before);
  }

  /** Records that a rule blocked output, and returns the message that replaces it. */
  block(hit: Hit, events: PendingEvents): Blocked {
    this.trail.blocked(hit);
    events.append('e', `${hit.message}\n`);
    return { kind: 'blocked', message: hit.message };
  }

  /**
   * Returns the refusal for an error of judging or recording, so that nothing passes unjudged. If a limit of
   * judging was exceeded, the refusal contains the message of the error.
   */
  fault(error: unknown): InputRefusal {
    if (error instanceof AppError && isLimit(error.code)) {
      this.log.warn(
        { session: this.trail.sessionId },
        `An input or output was refused unjudged: ${error.message}`,
      );
      const { code, retryAfterSeconds } = error;
      return { kind: 'refused', reason: 'limit', message: sentence(error.message), code, retryAfterSeconds };
    }
    this.log.error(
      { err: error, session: this.trail.sessionId },
      'An input or output could not be judged or recorded',
    );
    if (error instanceof BrokenRule) this.trail.blocked(error.hit);
    return { kind: 'refused', reason: 'fault', message: FAULT_MESSAGE };
  }

  private judgeBy(
    rules: GuardrailSet,
    texts: Judged,
    early: FormerJudgement | undefined,
  ): MaybePromise<InputRefusal | undefined> {
    this.rules = rules;
    if (early?.isOf(texts, rules) === true) {
      early.noteIn(this.trail);
      return early.refusal;
    }
    return this.judgeAll(rules, typeof texts === 'function' ? texts(rules) : texts);
  }

  private judgeAll(
    rules: GuardrailSet,
    texts: readonly JudgedText[],
  ): MaybePromise<InputRefusal | undefined> {
    if (texts.length > FEW) return this.judgeFrom(rules, texts, 0);
    for (let index = 0; index < texts.length; index += 1) {
      const { text, as, known, ask } = texts[index] as JudgedText;
      const verdict = rules.judge(text, as, known, ask, this.inputOwner);
      if (verdict instanceof Promise) {
        return verdict.then((late) => this.refusalOf(late) ?? this.judgeFrom(rules, texts, index + 1));
      }
      const refusal = this.refusalOf(verdict);
      if (refusal !== undefined) return refusal;
    }
    this.trail.checked();
    return undefined;
  }

  /** Judges the texts in short time slices, because a Bind message may have 65 535 values. */
  private async judgeFrom(
    rules: GuardrailSet,
    texts: readonly JudgedText[],
    first: number,
  ): Promise<InputRefusal | undefined> {
    const slice = new TimeSlice();
    for (let index = first; index < texts.length; index += 1) {
      const { text, as, known, ask } = texts[index] as JudgedText;
      const verdict = rules.judge(text, as, known, ask, this.inputOwner);
      const refusal = this.refusalOf(verdict instanceof Promise ? await verdict : verdict);
      if (refusal !== undefined) return refusal;
      if (slice.isOver) await slice.next();
    }
    this.trail.checked();
    return undefined;
  }

  private refusalOf(verdict: Awaited<ReturnType<GuardrailSet['judge']>>): InputRefusal | undefined {
    if (verdict.kind === 'pass') return undefined;
    this.trail.checked();
    this.trail.blocked(verdict.hit);
    return { kind: 'refused', reason: 'guardrail', message: verdict.hit.message };
  }
}

/** Makes an error message a sentence (capital letter, period), because refusals are sentences. */
function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}
