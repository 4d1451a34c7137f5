import { Logger } from '@nestjs/common';
import type { Eventual } from '../kernel/eventual';
import type { Principal } from '../kernel/principal';
import type { AccessDecision } from './ports/access-decider';
import {
  BrokenRule,
  type GuardrailSet,
  type Guardrails,
  type OutputScreen,
  type Screened,
} from './ports/guardrails';
import type { ReviewDesk } from './ports/review-desk';
import { EXIT_BLOCKED, type SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';

/** What becomes of an input. `message` is for the person who sent it. */
export type Admission =
  | { readonly kind: 'forward' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | { readonly kind: 'refused'; readonly reason: 'access' | 'guardrail' | 'fault'; readonly message: string };

type Refusal = Admission & { readonly kind: 'refused' };

/** What becomes of a piece of output: what may be delivered, recorded already; or the reason to stop. */
export type Delivery =
  | { readonly kind: 'deliver'; readonly text: string }
  | { readonly kind: 'blocked'; readonly message: string };

type OutputType = 'o' | 'e';

/** Said when judging or recording failed: the gateway never goes on without either. */
export const FAULT_MESSAGE =
  'The gateway could not judge or record this, so it was refused. Please tell an administrator.';

/** One visit to a target, from admission to its end. Callers only ever see inputs admitted and output delivered. */
export class GateSession {
  private readonly log = new Logger(GateSession.name);
  private rules: GuardrailSet | undefined;
  private screens = new Map<OutputType, OutputScreen>();
  private readonly unfinished = new Set<OutputType>();

  constructor(
    private readonly principal: Principal,
    readonly target: Target,
    private readonly access: AccessDecision,
    private readonly trail: SessionTrail,
    private readonly guardrails: Guardrails,
    private readonly reviews: ReviewDesk,
  ) {}

  get id(): string {
    return this.trail.sessionId;
  }

  /** Aborts when somebody else ended the session. */
  get ended(): AbortSignal {
    return this.trail.ended;
  }

  /**
   * Judges and records an input, and says whether it may go on. A refused input is recorded too. On
   * `refused` and `pending` the session is over for the caller; only `forward` leaves it running.
   */
  async admit(input: string): Promise<Admission> {
    // An input that could not be judged is recorded all the same.
    const refused = await this.refusalOf(input).catch((error: unknown) => this.fault(error));
    try {
      await this.trail.append('i', input);
      if (refused !== undefined) return await this.refuse(refused);
      if (this.access.kind === 'review') return await this.askReviewers(input);
      return { kind: 'forward' };
    } catch (error) {
      const fault = this.fault(error);
      await this.refuse(fault).catch(() => this.trail.end(EXIT_BLOCKED).catch(() => undefined));
      return fault;
    }
  }

  /** Screens output, records what is released, and returns it once it may be delivered. */
  async deliver(type: OutputType, text: string): Promise<Delivery> {
    this.unfinished.add(type);
    return this.release(type, () => this.screen(type).push(text));
  }

  /** The output is over: releases what the screens held back. */
  async finish(type: OutputType): Promise<Delivery> {
    this.unfinished.delete(type);
    return this.release(type, () => this.screen(type).finish());
  }

  async end(exitCode: number): Promise<void> {
    await this.trail.end(exitCode);
  }

  private async refusalOf(input: string): Promise<Refusal | undefined> {
    if (this.access.kind === 'deny')
      return { kind: 'refused', reason: 'access', message: this.access.message };
    this.rules = await this.guardrails.for(this.target);
    // What a screen holds back would be lost: neither delivered nor recorded.
    if (this.unfinished.size > 0) throw new Error('the output of the command before is not finished');
    this.screens.clear();
    const verdict = await this.rules.judge(input);
    this.trail.checked();
    if (verdict.kind === 'block') this.trail.blocked(verdict.hit);
    return verdict.kind === 'block'
      ? { kind: 'refused', reason: 'guardrail', message: verdict.hit.message }
      : undefined;
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
      sessionId: this.id,
      rule: this.access.rule,
      type: 'onetime',
      input,
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

  private async release(type: OutputType, screen: () => Eventual<Screened>): Promise<Delivery> {
    try {
      const screened = await screen();
      if (screened.kind === 'pass') {
        this.trail.masked(screened.masks);
        if (screened.text !== '') await this.trail.append(type, screened.text);
        return { kind: 'deliver', text: screened.text };
      }
      this.trail.blocked(screened.hit);
      await this.trail.append('e', `${screened.hit.message}\n`);
      return { kind: 'blocked', message: screened.hit.message };
    } catch (error) {
      this.log.error({ err: error, session: this.id }, 'Output could not be screened or recorded');
      return { kind: 'blocked', message: FAULT_MESSAGE };
    }
  }

  private screen(type: OutputType): OutputScreen {
    const open = this.screens.get(type);
    if (open !== undefined) return open;
    if (this.rules === undefined) throw new Error('output arrived before any input was judged');
    const screen = this.rules.openScreen();
    this.screens.set(type, screen);
    return screen;
  }

  /** Fail closed: whatever went wrong while judging or recording, the input does not go on. */
  private fault(error: unknown): Refusal {
    this.log.error({ err: error, session: this.id }, 'An input could not be judged or recorded');
    if (error instanceof BrokenRule) this.trail.blocked(error.hit);
    return { kind: 'refused', reason: 'fault', message: FAULT_MESSAGE };
  }
}
