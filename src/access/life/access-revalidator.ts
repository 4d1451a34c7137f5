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
   * Whether `target.role` was decided for the owner. False for credentials and refused sessions, because a
   * role is decided only when a session opens.
   */
  readonly isRoleDecided: boolean;
  /** Whether people approved the access. If so, it needs no other approval. */
  readonly isGranted?: boolean;
}

/** Reason why the owner lost access. Messages to users show `message` after "ended:". */
export interface OwnersLoss {
  readonly kind: 'owner_inactive' | 'group_lost';
  readonly message: string;
}

/** Reason why access was lost: a change of the owner's rights, or the deletion of the connection. */
export type Loss = OwnersLoss | { readonly kind: 'connection_deleted' };

/** Checks again whether people, or machines, still have the access that they were given. */
@Injectable()
export class AccessRevalidator {
  constructor(private readonly decisions: AccessDecisions) {}

  /**
   * Returns why the access is lost; undefined: it still holds. It is lost if the owner may not act any more,
   * or became an auditor. Otherwise, access is decided again only if the owner lost a group, if an owner with
   * a role at the target gained a group, or if the connection may have changed. A changed rule alone does not
   * end access. Scripts may finish after their connection was deleted.
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
    // A new group may change the owner's role at the target, or leave none because several groups match.
    const gainedRole =
      held.target.role !== undefined && !principal.groups.every((group) => groups.includes(group));
    if (!lostGroup && !gainedRole && !mayBeClosed) return undefined;
    const decided = await this.decisions.inUse(principal, held.target.id, held.verb);
    // The gateway itself ends all access to a connection that it deletes. This handles a row that an operator
    // deleted in the database.
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
    // A live session keeps the groups that the owner had at its start. Without this check, its calls would
    // continue without the approval that they need now.
    const isLive = lostGroup && verb === 'connect' && target.mcp !== null;
    return isLive && (await this.decisions.ofCall(principal, target)).kind !== 'allow'
      ? `without a group that they lost, calls on the connection ${target.name} need an approval`
      : undefined;
  }
}
