import { Injectable } from '@nestjs/common';
import type { Verb } from '../../gate/ports/target-directory';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { AccessDecisions, type DecidedTarget } from './access-decisions';

/** Access that a person or machine has, with their groups and role at the time when it was given. */
export interface HeldAccess {
  readonly principal: Pick<Principal, 'groups' | 'role'>;
  readonly target: { readonly id: string; readonly role?: string };
  readonly verb: Verb;
  /**
   * Whether the role at the target is decided, where people have one. Credentials and refused sessions have
   * none: a role is decided whenever a session opens.
   */
  readonly isRoleDecided: boolean;
  /** Whether people approved the access. If so, no rule requires another approval. */
  readonly isGranted?: boolean;
}

/** Why the owner of access lost it. `message` is shown after "ended:". */
export interface OwnersLoss {
  readonly kind: 'owner_inactive' | 'group_lost';
  readonly message: string;
}

/** Why access was lost. */
export type Loss = OwnersLoss | { readonly kind: 'connection_deleted' };

/** Checks again whether people, or machines, still have the access that they were given. */
@Injectable()
export class AccessRevalidator {
  constructor(private readonly decisions: AccessDecisions) {}

  /**
   * Returns why the access is lost; undefined: it still holds. Owners who may not act any more, or became
   * auditors, lose it. Otherwise, access is decided again only if the owner lost a group, or has a role at
   * the target and gained a group, or if the connection may have changed. A changed rule alone does not end
   * access. Scripts may finish after their connection was deleted.
   * @param current the owner now, from `Principals.current`
   * @param mayBeClosed whether `access_groups` or `ROLE` of the connection may have changed
   */
  async revalidate(
    held: HeldAccess,
    current: Promise<Principal>,
    mayBeClosed = false,
  ): Promise<Loss | undefined> {
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
        message: 'auditors may read, but open no connections',
      };
    const lostGroup = !groups.every((group) => principal.groups.includes(group));
    // With another group, a template may give another role, or none because several groups fit.
    const gainedRole =
      held.target.role !== undefined && !principal.groups.every((group) => groups.includes(group));
    if (!lostGroup && !gainedRole && !mayBeClosed) return undefined;
    const decided = await this.decisions.inUse(principal, held.target.id, held.verb);
    // A deletion by the gateway ends all access itself; one by an operator at the database does not.
    if (decided === undefined) return held.verb === 'connect' ? { kind: 'connection_deleted' } : undefined;
    const message = await this.deniedNow(held, principal, lostGroup, decided);
    return message === undefined ? undefined : { kind: 'group_lost', message };
  }

  private async deniedNow(
    { target: held, verb, isGranted, isRoleDecided }: HeldAccess,
    principal: Principal,
    lostGroup: boolean,
    { target, decision }: DecidedTarget,
  ): Promise<string | undefined> {
    if (decision.kind === 'deny') return decision.message;
    const role = isRoleDecided ? (target.asPerson?.(principal) ?? target).role : held.role;
    if (role !== held.role)
      return held.role === undefined
        ? `they now act as the role ${role} on the connection ${target.name}`
        : `they no longer act as the role ${held.role} on the connection ${target.name}`;
    // A running script needs no approval any more: it was approved, or no rule required it.
    const needsGrant = lostGroup && decision.kind === 'review' && verb === 'connect' && isGranted !== true;
    if (needsGrant)
      return `without a group that they lost, clients of the connection ${target.name} need an approval`;
    // A live session keeps the groups of its start, so its calls would go on without the approval that they
    // need now.
    const isLive = lostGroup && verb === 'connect' && target.mcp !== null;
    return isLive && (await this.decisions.ofCall(principal, target)).kind !== 'allow'
      ? `without a group that they lost, calls on the connection ${target.name} need an approval`
      : undefined;
  }
}
