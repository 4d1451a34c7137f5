import { Injectable } from '@nestjs/common';
import { Principals } from '../../identity/auth/users/principals';
import { AccessDecider, type AccessDecision } from '../../gate/ports/access-decider';
import { type Target, TargetDirectory } from '../../gate/ports/target-directory';
import { satisfies } from '../../platform/http/routes/access';
import { AppError } from '../../kernel/app-error';
import { Clock } from '../../kernel/async/clock';
import type { Principal } from '../../kernel/principal';
import type { PolicyQuery } from './policy.dto';

/** The decision if the user opened the connection now. */
export interface PolicyDecision {
  readonly target: Target;
  readonly user: { readonly principal: Principal; readonly isActive: boolean };
  readonly decision: AccessDecision;
}

/** Asks the gate's own decider. */
@Injectable()
export class PolicyDecisions {
  constructor(
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly principals: Principals,
    private readonly clock: Clock,
  ) {}

  /**
   * @throws AppError `forbidden` for others than auditors and admins who ask about another user, before
   * anything is looked up; `not_found`; `conflict` when several users share the e-mail.
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
    // Several users may have the e-mail that an auditor names, even if it is the auditor's own.
    const user =
      name === undefined || !mayReadAll
        ? { principal: actor, isActive: true }
        : await this.principals.find(actor.orgId, name);
    const decision = await this.access.decide(user.principal, target, verb, this.clock.now());
    return { target, user, decision };
  }
}
