import { Injectable } from '@nestjs/common';
import { AccessDecider } from '../gate/ports/access-decider';
import { TargetDirectory, type Verb } from '../gate/ports/target-directory';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';

/** Leave to be somewhere, as it was when it was given. */
export interface HeldAccess {
  readonly principal: Pick<Principal, 'groups' | 'role'>;
  readonly target: { readonly id: string };
  readonly verb: Verb;
  /** People gave it: no rule asks them again. */
  readonly isGranted?: boolean;
}

/** Why somebody may not use it any more; `message` goes after "ended:". */
export interface Loss {
  readonly kind: 'owner_inactive' | 'group_lost';
  readonly message: string;
}

/** Tells whether people, or machines, still may what they could when they were let in. */
@Injectable()
export class LostAccess {
  constructor(
    private readonly targets: TargetDirectory,
    private readonly access: AccessDecider,
    private readonly clock: Clock,
  ) {}

  /**
   * Access is decided again for those only who have lost something: a rule that changed takes nothing away.
   * @param current As `Principals.current` has it, of whoever it was given to.
   */
  async of(held: HeldAccess, current: Promise<Principal>): Promise<Loss | undefined> {
    let principal: Principal;
    try {
      principal = await current;
    } catch (error) {
      if (error instanceof AppError && error.code === 'unauthenticated')
        return { kind: 'owner_inactive', message: error.message };
      throw error;
    }
    const { role, groups } = held.principal;
    if (principal.role === 'auditor' && role !== 'auditor')
      return {
        kind: 'owner_inactive',
        message: 'auditors read what others did; they open no connections',
      };
    if (groups.every((group) => principal.groups.includes(group))) return undefined;
    const message = await this.deniedNow(held, principal);
    return message === undefined ? undefined : { kind: 'group_lost', message };
  }

  private async deniedNow(
    { target: { id }, verb, isGranted }: HeldAccess,
    principal: Principal,
  ): Promise<string | undefined> {
    const target = await this.targets.known(principal.orgId, id);
    // A connection that is deleted takes along by itself what was given to it.
    if (target === undefined) return undefined;
    const decision = await this.access.decide(principal, target, verb, this.clock.now());
    if (decision.kind === 'deny')
      return decision.code === 'not_in_access_groups' ? decision.message : undefined;
    // A script that people had to approve was approved, or it would not run.
    const needsLeave = decision.kind === 'review' && verb === 'connect' && isGranted !== true;
    return needsLeave
      ? `without a group that they lost, clients of the connection ${target.name} need an approval`
      : undefined;
  }
}
