import { Injectable } from '@nestjs/common';
import { AccessDecider, type AccessDecision } from '../../gate/ports/access-decider';
import { type Target, TargetDirectory, type Verb } from '../../gate/ports/target-directory';
import { Clock } from '../../kernel/async/clock';
import type { Principal } from '../../kernel/principal';

/** A target, and the access decision about it now. */
export interface DecidedTarget {
  readonly target: Target;
  readonly decision: AccessDecision;
}

/** Decides access as the gate does, but without a session: to issue credentials, and to revalidate access. */
@Injectable()
export class AccessDecisions {
  constructor(
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly clock: Clock,
  ) {}

  /** Returns undefined when the connection does not exist, or when the principal may not see it. */
  async byName(principal: Principal, nameOrId: string, verb: Verb): Promise<DecidedTarget | undefined> {
    return this.decide(principal, await this.targets.find(principal, nameOrId), verb);
  }

  /**
   * Decides on access that is in use. Assumes that the verb is enabled on the connection, because disabling a
   * verb does not end access in use, and must not hide that the access was lost for another reason. Returns
   * undefined when the connection was deleted.
   */
  async inUse(principal: Principal, connectionId: string, verb: Verb): Promise<DecidedTarget | undefined> {
    const target = await this.targets.known(principal.orgId, connectionId);
    return this.decide(principal, target && { ...target, enabledVerbs: [verb] }, verb);
  }

  /** Decides on a call in a live session, assuming that the call itself needs no review. */
  ofCall(principal: Principal, target: Target): Promise<AccessDecision> {
    return this.access.decideCall(principal, target, false);
  }

  private async decide(
    principal: Principal,
    target: Target | undefined,
    verb: Verb,
  ): Promise<DecidedTarget | undefined> {
    if (target === undefined) return undefined;
    return { target, decision: await this.access.decide(principal, target, verb, this.clock.now()) };
  }
}
