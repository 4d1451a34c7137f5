import { Injectable } from '@nestjs/common';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { GateSession } from './gate-session';
import { AccessDecider } from './ports/access-decider';
import { Guardrails } from './ports/guardrails';
import { ReviewDesk } from './ports/review-desk';
import { type SessionEntry, SessionRecorder } from './ports/session-recorder';
import { type Target, TargetDirectory } from './ports/target-directory';

/** A wish to enter a connection: all that a session records of it beforehand. */
export interface Visit extends Omit<SessionEntry, 'principal' | 'target'> {
  readonly connection: string;
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
    private readonly reviews: ReviewDesk,
    private readonly guardrails: Guardrails,
    private readonly recorder: SessionRecorder,
    private readonly clock: Clock,
  ) {}

  /**
   * Decides access for an identified principal and opens the recording. A denied visit gets a recording
   * too, and its session refuses every input.
   * @throws AppError `not_found` when there is no such connection in the principal's organization.
   */
  async enter(principal: Principal, visit: Visit): Promise<GateSession> {
    const { connection, ...entry } = visit;
    const target = await this.target(principal, connection);
    const decision = await this.access.decide(principal, target, visit.verb, this.clock.now());
    const trail = await this.recorder.begin({ ...entry, principal, target });
    return new GateSession(principal, target, decision, trail, this.guardrails, this.reviews);
  }

  /** Why nothing is let through just now, for whoever runs the gateway. */
  fault(): string | undefined {
    return this.recorder.fault();
  }

  /** @throws AppError `not_found` */
  async target(principal: Principal, nameOrId: string): Promise<Target> {
    const target = await this.targets.find(principal, nameOrId);
    if (target === undefined) throw new AppError('not_found', `there is no connection named ${nameOrId}`);
    return target;
  }
}
