import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RoleSettings, ScimSettings } from '../../../platform/config/groups';
import { DomainEvents } from '../../../platform/database/feed/domain-events';
import type { Profile } from '../provider/claims';
import { hasAnAdmin, requireAnAdmin } from './last-admin';
import { type Provisioned, signingIn } from './sign-in-events';
import { User } from './user.entity';

/** The external id of the user who signs in, and SCIM's data about this person. */
export interface ProvisionedLink {
  readonly externalId: string;
  readonly provisioned: Provisioned | undefined;
}

/** State that SCIM sets for the users with an external id. Without `status`, the users keep their status. */
export interface ProvisionedState {
  readonly externalId: string;
  readonly groups: readonly string[];
  readonly status?: User['status'];
}

/** The groups that a user has from SCIM. */
interface Membership {
  readonly id: string;
  readonly groups: readonly string[];
}

interface LinkedUser {
  readonly id: string;
  readonly subject: string;
  readonly external_id: string;
}

/**
 * Brings users into the state that SCIM wants: their groups of the source `scim`, and whether they are
 * active. A user is linked to the SCIM user whose `externalId` equals the user's claim `SCIM_MATCH_CLAIM`,
 * and by nothing else. The status is set only when it changes in SCIM. So a person whom an admin deactivated
 * stays inactive while the provider still lists the person as active.
 */
@Injectable()
export class ProvisionedAccess {
  constructor(
    private readonly events: DomainEvents,
    private readonly scim: ScimSettings,
    private readonly roles: RoleSettings,
  ) {}

  /** Returns SCIM's data about a person; undefined without the claim. Call it before the user is locked. */
  async find(
    db: EntityManager,
    orgId: string,
    { externalId }: Profile,
  ): Promise<ProvisionedLink | undefined> {
    if (externalId === undefined) return undefined;
    const [provisioned] = await this.events.publish(db, signingIn, { orgId, externalId });
    return { externalId, provisioned };
  }

  /**
   * Links a user, whose row is locked, to a SCIM user at a sign-in, and sets the user's groups. A new link
   * also deactivates a user who is inactive in SCIM.
   */
  async link(db: EntityManager, user: User, { externalId, provisioned }: ProvisionedLink): Promise<void> {
    const matchKey = this.matchKey(externalId);
    const isNew = user.matchKey !== matchKey;
    if (isNew) {
      const isBarred = provisioned?.active === false;
      await db.update(
        User,
        { orgId: user.orgId, id: user.id },
        { matchKey, ...(isBarred ? { status: 'inactive' as const } : {}) },
      );
    }
    const groups = provisioned?.active === true ? provisioned.groups : [];
    await this.setGroups(db, user.orgId, [{ id: user.id, groups }]);
  }

  /** Locks the users with these external ids, in the order of user ids. Lock the organization first. */
  async hold(db: EntityManager, orgId: string, externalIds: readonly string[]): Promise<LinkedUser[]> {
    if (externalIds.length === 0) return [];
    const isSubject = this.scim.matchClaim === 'sub';
    const found = await db.query<{ id: string; subject: string; match_key: string | null }[]>(
      `SELECT id, subject, match_key FROM users
       WHERE org_id = $1 AND ${isSubject ? 'subject' : 'match_key'} = ANY ($2) ORDER BY id FOR NO KEY UPDATE`,
      [orgId, isSubject ? externalIds : externalIds.map((id) => this.matchKey(id))],
    );
    const start = this.matchKey('').length;
    return found.map(({ id, subject, match_key }) => ({
      id,
      subject,
      external_id: isSubject ? subject : (match_key ?? '').slice(start),
    }));
  }

  /**
   * Applies SCIM's states to locked users.
   * @param users from `hold`
   * @throws AppError `conflict` when no active admin would be left.
   */
  async apply(
    db: EntityManager,
    orgId: string,
    users: readonly LinkedUser[],
    states: readonly ProvisionedState[],
  ): Promise<void> {
    if (users.length === 0) return;
    const hadAdmin = await hasAnAdmin(db, orgId, this.roles.adminGroup);
    const wanted = new Map(states.map((state) => [state.externalId, state]));
    const changed = users.flatMap((user) => {
      const state = wanted.get(user.external_id);
      return state === undefined ? [] : [{ ...state, id: user.id }];
    });
    for (const status of ['active', 'inactive'] as const) {
      const ids = changed.filter((user) => user.status === status).map(({ id }) => id);
      if (ids.length > 0)
        await db.query(
          'UPDATE users SET status = $3, updated_at = now() WHERE org_id = $1 AND id = ANY ($2) AND status <> $3',
          [orgId, ids, status],
        );
    }
    await this.setGroups(db, orgId, changed);
    if (hadAdmin) await requireAnAdmin(db, orgId, this.roles.adminGroup);
  }

  /**
   * Declares a group before it has a member, so that rules and connections can name it. A group that an admin
   * declared keeps the source `manual`.
   */
  async declareGroup(db: EntityManager, orgId: string, name: string): Promise<void> {
    await db.query(
      `INSERT INTO groups (org_id, name, description, source) VALUES ($1, $2, '', 'scim') ON CONFLICT ON CONSTRAINT groups_pk DO NOTHING`,
      [orgId, name],
    );
  }

  async withdrawGroup(db: EntityManager, orgId: string, name: string): Promise<void> {
    await db.query(`DELETE FROM groups WHERE org_id = $1 AND name = $2 AND source = 'scim'`, [orgId, name]);
  }

  /** Deletes memberships in role groups that SCIM wrote before `SCIM_ROLE_GROUPS` was switched off. */
  async withdrawRoles(db: EntityManager): Promise<void> {
    await db.query(`DELETE FROM user_groups WHERE source = 'scim' AND group_name = ANY ($1)`, [
      this.withheld(),
    ]);
  }

  /**
   * Names of the groups that give a role, if SCIM must not fill them; otherwise none. A SCIM group may still
   * have such a name from the time before `SCIM_ROLE_GROUPS` was switched off.
   */
  private withheld(): readonly string[] {
    return this.scim.roleGroups ? [] : [this.roles.adminGroup, this.roles.auditorGroup];
  }

  private setGroups(db: EntityManager, orgId: string, users: readonly Membership[]): Promise<void> {
    const withheld = new Set(this.withheld());
    const given = users.map(({ id, groups }) => ({
      id,
      groups: groups.filter((group) => !withheld.has(group)),
    }));
    return setGroups(db, orgId, given);
  }

  /** Includes the claim's name, so that values of a previously configured claim link no user. */
  private matchKey(externalId: string): string {
    return `${this.scim.matchClaim}=${externalId}`;
  }
}

async function setGroups(db: EntityManager, orgId: string, users: readonly Membership[]): Promise<void> {
  const pairs = users.flatMap(({ id, groups }) => groups.map((group) => ({ id, group })));
  const given = [
    orgId,
    users.map(({ id }) => id),
    pairs.map(({ id }) => id),
    pairs.map(({ group }) => group),
  ];
  await db.query(
    `DELETE FROM user_groups WHERE org_id = $1 AND user_id = ANY ($2) AND source = 'scim'
       AND (user_id, group_name) NOT IN (SELECT * FROM unnest($3::uuid[], $4::text[]))`,
    given,
  );
  if (pairs.length === 0) return;
  await db.query(
    `INSERT INTO user_groups (org_id, user_id, group_name, source)
     SELECT $1, user_id, name, 'scim' FROM unnest($2::uuid[], $3::text[]) AS wanted (user_id, name)
     ON CONFLICT ON CONSTRAINT user_groups_pk DO NOTHING`,
    [orgId, given[2], given[3]],
  );
}
