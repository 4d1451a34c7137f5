import { Injectable } from '@nestjs/common';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { ApprovalDemand, CallApprovals } from './approval';
import { Entrance } from './entrance';
import { GuardedTrail } from './guarded-trail';
import { type ScriptInput, inputHash } from './script-input';
import { requireReason } from './ports/access-decider';
import { PendingExecutions } from './ports/pending-executions';
import { Session } from './session';
import { Guardrails } from './ports/guardrails';
import { ReviewDesk } from './ports/review-desk';
import { EXIT_BLOCKED } from './ports/session-end';
import { type SessionEntry, SessionRecorder, type SessionTrail } from './ports/session-recorder';
import type { Target } from './ports/target-directory';

/** Parameters for opening a session. */
export interface SessionRequest extends Omit<SessionEntry, 'principal' | 'target'> {
  readonly connection: string;
}

/** Takes a place where places are limited, for whose script it is. @throws AppError `too_many_requests` */
export type Reserve = (who: Principal, target: Target) => void;

/** Optional overrides; omitted fields default to the approved input. */
export type SaidInput = Partial<ScriptInput>;

/** An approved script that has been claimed for its one execution. */
export interface Resumed {
  readonly session: Session;
  readonly script: string;
  readonly reviewId: string;
}

/**
 * The one place that knows the order: identify → decide access → judge → record → forward → screen the
 * result → record → deliver. The proxies and exec talk to the gate, the gate talks to ports.
 */
@Injectable()
export class Gate {
  constructor(
    private readonly entrance: Entrance,
    private readonly reviews: ReviewDesk,
    private readonly guardrails: Guardrails,
    private readonly recorder: SessionRecorder,
    private readonly pending: PendingExecutions,
  ) {}

  /**
   * Decides access for an identified principal and opens the recording. A denied visit gets a recording
   * too, and its session refuses every input.
   * @param reserve Called once access is not denied, before anything is recorded; an error that it throws refuses the visit.
   * @throws AppError `not_found` when there is no such connection in the principal's organization; `unprocessable` when a
   * rule demands a reason and there is none.
   */
  async enter(
    principal: Principal,
    visit: SessionRequest,
    reserve: Reserve = () => undefined,
  ): Promise<Session> {
    const target = await this.target(principal, visit.connection);
    const decision = await this.entrance.decide(principal, target, visit.verb);
    if (decision.kind !== 'deny') {
      requireReason(decision.reasonFor, visit.reason);
      reserve(principal, target);
    }
    const guarded = await this.begin(principal, target, visit);
    return new Session(guarded, new ApprovalDemand(this.reviews, principal, target, decision, visit.reason));
  }

  /**
   * Claims an approved script for its one execution, in the session that waits with it. Access is decided anew, by what who
   * asked may do now; that people have to be asked is what they have been for. The script is admitted as an `approved` command.
   * @throws AppError `not_found` to strangers; `forbidden` to those who may not run it, and when who asked may no longer;
   * `conflict` with the reason for all else: not approved, used, expired, other hours, another input, no connection. Who
   * asked and may not open the connection any more is told what they are told when it is gone.
   * @param reserve As for `enter`: what it throws leaves the approval unused.
   */
  async resume(
    actor: Principal,
    sessionId: string,
    said: SaidInput,
    reserve: Reserve = () => undefined,
  ): Promise<Resumed> {
    const pending = await this.pending.find(actor, sessionId);
    const { requester, reviewId } = pending;
    const target = await this.entrance.targetById(requester.orgId, pending.connectionId);
    const gone = `the connection ${pending.connectionName} was deleted after the request, or is not open to you any more`;
    if (target === undefined) throw new AppError('conflict', gone);
    const decision = await this.entrance.decide(requester, target, 'exec');
    if (decision.kind === 'deny') {
      const isOwn = actor.userId === requester.userId;
      if (isOwn && decision.code === 'not_in_access_groups') throw new AppError('conflict', gone);
      throw new AppError(
        'forbidden',
        isOwn ? decision.message : `who asked for it may not open the connection ${target.name} any more`,
      );
    }
    const input = { script: pending.script, arguments: [], environment: {}, ...said };
    reserve(requester, target);
    const trail = await this.pending.claim(pending, target, await inputHash(input));
    const guarded = new GuardedTrail(target, trail, this.guardrails);
    return { session: new Session(guarded), script: input.script, reviewId };
  }

  /**
   * The same for a client of the target's own protocol, which is let in or not: where people have to approve, it is while its grant
   * holds. Its commands go on without a review; single calls (`Session.admitCall`) may need one each.
   * @throws AppError `not_found`; `forbidden` when it is not let in, which is recorded too.
   */
  async connect(principal: Principal, visit: Omit<SessionRequest, 'verb' | 'script'>): Promise<Session> {
    const target = await this.target(principal, visit.connection);
    const { refused, ...entrance } = await this.entrance.forClient(principal, target, visit);
    const entry = { ...visit, ...entrance, verb: 'connect', script: null } as const;
    const guarded = await this.begin(principal, target, entry);
    if (refused === undefined) {
      await guarded.askForRules();
      const decide = () => this.entrance.decide(principal, target, 'exec');
      const { reason } = entry;
      return new Session(
        guarded,
        undefined,
        new CallApprovals(this.reviews, principal, target, reason, decide),
      );
    }
    await turnAway(guarded.trail, refused);
    throw new AppError('forbidden', refused);
  }

  private async begin(
    principal: Principal,
    target: Target,
    entry: Omit<SessionEntry, 'principal' | 'target'>,
  ): Promise<GuardedTrail> {
    const trail = await this.recorder.begin({ ...entry, principal, target });
    return new GuardedTrail(target, trail, this.guardrails);
  }

  /** Why nothing is let through just now, for whoever runs the gateway. */
  fault(): string | undefined {
    return this.recorder.fault();
  }

  /** Tries now whether anything could be recorded. Returns why not. */
  tryRecording(): Promise<string | undefined> {
    return this.recorder.tryOut();
  }

  /** @throws AppError `not_found` */
  target(principal: Principal, nameOrId: string): Promise<Target> {
    return this.entrance.target(principal, nameOrId);
  }
}

async function turnAway(trail: SessionTrail, message: string): Promise<void> {
  await trail.append('e', `${message}\n`);
  await trail.end(EXIT_BLOCKED);
}
