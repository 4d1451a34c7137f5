import { Injectable } from '@nestjs/common';
import { Principals } from '../../identity/auth/users/principals';
import { AccessDecider, type AccessDecision } from '../../gate/ports/access-decider';
import { type Target, TargetDirectory } from '../../gate/ports/target-directory';
import { satisfies } from '../../platform/http/routes/access';
import { AppError } from '../../kernel/app-error';
import { Clock } from '../../kernel/async/clock';
import type { Principal } from '../../kernel/principal';
import type { PolicyQuery } from './policy.dto';

/** The decision that the gate would make if the user opened the connection now. */
export interface PolicyDecision {
  readonly target: Target;
  readonly user: { readonly principal: Principal; readonly isActive: boolean };
  readonly decision: AccessDecision;
}

/** Decides access with the gate's own `AccessDecider`, without opening a session. */
@Injectable()
export class PolicyDecisions {
  constructor(
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly principals: Principals,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `forbidden`, before any lookup, when the caller names another user and is not an auditor
   * or admin; `not_found`; `conflict` when several users share the e-mail.
   */
  async decide(
    actor: Principal,
    nameOrId: string,
    { user: name, verb }: PolicyQuery,
  ): Promise<PolicyDecision> {
    const isSelf = name === undefined || name === actor.subject || name === actor.email;
    const mayReadAll = satisfies(actor.role, 'auditor');
    if (!isSelf && !mayReadAll)
      throw new AppError('forbidden', 'only auditors and admins may ask about others; leave out "user"');
    const target = await this.targets.find(actor, nameOrId);
    if (target === undefined) throw new AppError('not_found', 'there is no such connection');
    // Auditors who name themselves by e-mail are looked up too, because several users may share the e-mail.
    const user =
      name === undefined || !mayReadAll
        ? { principal: actor, isActive: true }
        : await this.principals.find(actor.orgId, name);
    const decision = await this.access.decide(user.principal, target, verb, this.clock.now());
    return { target, user, decision };
  }
}
