import { Injectable } from '@nestjs/common';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { ClientSession } from './client-session';
import { GateSession } from './gate-session';
import { GuardedTrail } from './guarded-trail';
import { type ScriptInput, inputHash } from './script-input';
import { AccessDecider, type AccessDecision, type ApprovalRule, requireReason } from './ports/access-decider';
import { AccessGrants } from './ports/access-grants';
import { AskedSessions } from './ports/asked-sessions';
import { Guardrails } from './ports/guardrails';
import { ReviewDesk } from './ports/review-desk';
import {
  EXIT_BLOCKED,
  type SessionEntry,
  SessionRecorder,
  type SessionTrail,
} from './ports/session-recorder';
import { type Target, TargetDirectory } from './ports/target-directory';

/** How a client is let in, or why not. */
type Entrance = Pick<SessionEntry, 'credentialId' | 'until' | 'isGranted' | 'reason'> & {
  readonly refused?: string;
};

/** A wish to enter a connection: all that a session records of it beforehand. */
export interface Visit extends Omit<SessionEntry, 'principal' | 'target'> {
  readonly connection: string;
}

/** Takes a place where places are limited, for whose script it is. @throws AppError `too_many_requests` */
export type Reserve = (who: Principal, target: Target) => void;

/** What somebody says that shall run; what they leave out is as it was asked for. */
export type SaidInput = Partial<ScriptInput>;

/** An approved script that has been taken for its one execution. */
export interface Resumed {
  readonly session: GateSession;
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
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly grants: AccessGrants,
    private readonly reviews: ReviewDesk,
    private readonly guardrails: Guardrails,
    private readonly recorder: SessionRecorder,
    private readonly asked: AskedSessions,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides access for an identified principal and opens the recording. A denied visit gets a recording
   * too, and its session refuses every input.
   * @param reserve Called once access is not denied, before anything is recorded; an error that it throws refuses the visit.
   * @throws AppError `not_found` when there is no such connection in the principal's organization; `unprocessable` when a
   * rule demands a reason and there is none.
   */
  async enter(principal: Principal, visit: Visit, reserve: Reserve = () => undefined): Promise<GateSession> {
    const target = await this.target(principal, visit.connection);
    const decision = await this.access.decide(principal, target, visit.verb, this.clock.now());
    if (decision.kind !== 'deny') {
      requireReason(decision.reasonFor, visit.reason);
      reserve(principal, target);
    }
    const guarded = await this.begin(principal, target, visit);
    return new GateSession(principal, decision, guarded, this.reviews, visit.reason);
  }

  /**
   * Takes an approved script for its one execution, in the session that waits with it. Access is decided anew, by what who
   * asked may do now; that people have to be asked is what they have been for. The script is admitted by `admitAgain`.
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
    const asked = await this.asked.find(actor, sessionId);
    const { requester, reviewId } = asked;
    const target = await this.targets.known(requester.orgId, asked.connectionId);
    const gone = `the connection ${asked.connectionName} was deleted meanwhile, or is not open to you any more`;
    if (target === undefined) throw new AppError('conflict', gone);
    const decision = await this.access.decide(requester, target, 'exec', this.clock.now());
    if (decision.kind === 'deny') {
      const isOwn = actor.userId === requester.userId;
      if (isOwn && decision.code === 'not_in_access_groups') throw new AppError('conflict', gone);
      throw new AppError(
        'forbidden',
        isOwn ? decision.message : `who asked for it may not open the connection ${target.name} any more`,
      );
    }
    const input = { script: asked.script, arguments: [], environment: {}, ...said };
    reserve(requester, target);
    const trail = await this.asked.take(asked, target, await inputHash(input));
    const guarded = new GuardedTrail(target, trail, this.guardrails);
    const session = new GateSession(requester, { kind: 'allow' }, guarded, this.reviews, null);
    return { session, script: input.script, reviewId };
  }

  /**
   * The same for a client of the target's own protocol, which has nothing to be reviewed: it is let in or not. Where
   * people have to approve, it is while their leave holds.
   * @throws AppError `not_found`; `forbidden` when it is not let in, which is recorded too.
   */
  async connect(principal: Principal, visit: Omit<Visit, 'verb' | 'script'>): Promise<ClientSession> {
    const target = await this.target(principal, visit.connection);
    const decision = await this.access.decide(principal, target, 'connect', this.clock.now());
    const { refused, ...entrance } = await this.entrance(principal, target, decision, visit);
    const entry = { ...visit, ...entrance, verb: 'connect', script: null } as const;
    const guarded = await this.begin(principal, target, entry);
    if (refused === undefined) {
      await guarded.askForRules();
      return new ClientSession(guarded);
    }
    await turnAway(guarded.trail, refused);
    throw new AppError('forbidden', refused);
  }

  private async entrance(
    principal: Principal,
    target: Target,
    decision: AccessDecision,
    { credentialId, until, reason }: Pick<SessionEntry, 'credentialId' | 'until' | 'reason'>,
  ): Promise<Entrance> {
    const asked = { credentialId, until, reason };
    switch (decision.kind) {
      case 'allow':
        return decision.reasonFor === undefined || reason !== null
          ? asked
          : {
              ...asked,
              refused: `clients of the connection ${target.name} need a reason, which the rule ${decision.reasonFor} demands: ask for credentials with one`,
            };
      case 'deny':
        return { ...asked, refused: decision.message };
      case 'review': {
        const leave = await this.grants.use(principal, target, credentialId);
        if (leave.kind === 'held')
          return {
            credentialId: leave.credentialId,
            until: leave.until,
            reason: leave.reason,
            isGranted: true,
          };
        const needed = `clients of the connection ${target.name} need an approval by the ${named(decision.rules)}`;
        return { ...asked, refused: leave.kind === 'none' ? needed : leave.message };
      }
    }
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
  async target(principal: Principal, nameOrId: string): Promise<Target> {
    const target = await this.targets.find(principal, nameOrId);
    if (target === undefined) throw new AppError('not_found', `there is no connection named ${nameOrId}`);
    return target;
  }
}

async function turnAway(trail: SessionTrail, message: string): Promise<void> {
  await trail.append('e', `${message}\n`);
  await trail.end(EXIT_BLOCKED);
}

function named(rules: readonly ApprovalRule[]): string {
  return `${rules.length === 1 ? 'rule' : 'rules'} ${rules.map(({ name }) => name).join(', ')}`;
}
