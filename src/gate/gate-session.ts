import type { Principal } from '../kernel/principal';
import { FAULT_MESSAGE, type GuardedTrail, type Refusal } from './guarded-trail';
import type { AccessDecision } from './ports/access-decider';
import type { AskCatalog, OutputScreen, Screened } from './ports/guardrails';
import type { ReviewDesk } from './ports/review-desk';
import { EXIT_BLOCKED } from './ports/session-recorder';
import type { Target } from './ports/target-directory';
import { inputHash } from './script-input';

/** What becomes of an input. `message` is for the person who sent it. */
export type Admission =
  | { readonly kind: 'forward' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | Refusal;

/** What becomes of a piece of output: what may be delivered, recorded already; or the reason to stop. */
export type Delivery =
  | { readonly kind: 'deliver'; readonly text: string }
  | { readonly kind: 'blocked'; readonly message: string };

type OutputType = 'o' | 'e';

/**
 * One visit to a target whose inputs come one at a time, from admission to its end. Callers only ever see inputs
 * admitted and output delivered.
 */
export class GateSession {
  private readonly screens = new Map<OutputType, OutputScreen>();
  private readonly unfinished = new Set<OutputType>();

  constructor(
    private readonly principal: Principal,
    private readonly access: AccessDecision,
    private readonly guarded: GuardedTrail,
    private readonly reviews: ReviewDesk,
    private readonly reason: string | null,
  ) {}

  get id(): string {
    return this.trail.sessionId;
  }

  get target(): Target {
    return this.guarded.target;
  }

  /** Aborts when somebody else ended the session. */
  get ended(): AbortSignal {
    return this.trail.ended;
  }

  /**
   * Judges and records an input, and says whether it may go on. A refused input is recorded too. On
   * `refused` and `pending` the session is over for the caller; only `forward` leaves it running.
   * @param ask See `GuardrailSet.judge`.
   */
  async admit(input: string, ask?: AskCatalog): Promise<Admission> {
    // An input that could not be judged is recorded all the same.
    const refused = await this.refusalOf(input, ask);
    return this.orFault(async () => {
      await this.trail.append('i', input);
      if (refused !== undefined) return this.refuse(refused);
      if (this.access.kind === 'review') return this.askReviewers(input);
      return { kind: 'forward' };
    });
  }

  /** The same for an input that was recorded before people were asked about it: it is judged by the rules of now. */
  async admitAgain(input: string, ask?: AskCatalog): Promise<Admission> {
    const refused = await this.refusalOf(input, ask);
    return this.orFault(async () => (refused === undefined ? { kind: 'forward' } : this.refuse(refused)));
  }

  /** Screens output, records what is released, and returns it once it may be delivered. */
  async deliver(type: OutputType, text: string): Promise<Delivery> {
    this.unfinished.add(type);
    return this.release(type, async () => this.screen(type).push(text));
  }

  /** The output is over: releases what the screens held back. */
  async finish(type: OutputType): Promise<Delivery> {
    this.unfinished.delete(type);
    return this.release(type, async () => this.screen(type).finish());
  }

  async end(exitCode: number): Promise<void> {
    await this.trail.end(exitCode);
  }

  private get trail() {
    return this.guarded.trail;
  }

  private async orFault(admit: () => Promise<Admission>): Promise<Admission> {
    try {
      return await admit();
    } catch (error) {
      const fault = this.guarded.fault(error);
      await this.refuse(fault).catch(() => this.trail.end(EXIT_BLOCKED).catch(() => undefined));
      return fault;
    }
  }

  private async refusalOf(input: string, ask: AskCatalog | undefined): Promise<Refusal | undefined> {
    if (this.access.kind === 'deny')
      return { kind: 'refused', reason: 'access', message: this.access.message };
    // What a screen holds back would be lost: neither delivered nor recorded.
    if (this.unfinished.size > 0)
      return this.guarded.fault(new Error('the output of the command before is not finished'));
    this.screens.clear();
    return this.guarded.judge([{ text: input, as: 'input', ask }]);
  }

  private async refuse(refused: Refusal): Promise<Admission> {
    await this.trail.append('e', `${refused.message}\n`);
    await this.trail.end(EXIT_BLOCKED);
    return refused;
  }

  private async askReviewers(input: string): Promise<Admission> {
    if (this.access.kind !== 'review') return { kind: 'forward' };
    const answer = await this.reviews.ask({
      requester: this.principal,
      connection: this.target,
      rules: this.access.rules,
      reason: this.reason,
      what: {
        type: 'onetime',
        sessionId: this.id,
        inputHash: await inputHash({ script: input, arguments: [], environment: {} }),
      },
    });
    switch (answer.kind) {
      case 'approved':
        return { kind: 'forward' };
      case 'pending':
        await this.trail.park();
        return { kind: 'pending', reviewId: answer.reviewId };
      case 'rejected':
        return this.refuse({ kind: 'refused', reason: 'access', message: answer.message });
    }
  }

  private async release(type: OutputType, screen: () => Promise<Screened>): Promise<Delivery> {
    try {
      const released = this.guarded.release(type, await screen());
      await released.recorded;
      return released.kind === 'blocked'
        ? { kind: 'blocked', message: released.message }
        : { kind: 'deliver', text: released.text };
    } catch (error) {
      this.guarded.fault(error);
      return { kind: 'blocked', message: FAULT_MESSAGE };
    }
  }

  private screen(type: OutputType): OutputScreen {
    const screen = this.screens.get(type) ?? this.guarded.openScreen();
    this.screens.set(type, screen);
    return screen;
  }
}
