import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager, IsNull } from 'typeorm';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import type { Change, ChangeAction } from '../../../platform/http/routes/change';
import { patchAttributes } from '../patch/patch-attributes';
import type { PatchOperation } from '../patch/patch-request';
import { USER_TYPE } from '../schema/user-type';
import { ScimFault } from '../values/scim-fault';
import type { Attributes } from '../values/attributes';
import type { ListQuery } from './list-query';
import { type ListedRows, listedRows } from './listed-rows';
import { isId } from '../values/members';
import { Provisioning } from './provisioning';
import { readResource } from '../values/read-resource';
import type { ResourceReference } from './represent';
import { ScimUser } from './scim-user.entity';
import { USER_PLACES } from './stored-places';
import { requireUserName } from './names';
import { requireTag } from './versions';

/** Type of the resource in the audit log. */
const AUDITED_TYPE = 'scim/v2/Users';

/** The people whom an identity provider provisions. */
@Injectable()
export class ScimUsers {
  constructor(
    private readonly database: DataSource,
    private readonly provisioning: Provisioning,
  ) {}

  list(orgId: string, query: ListQuery): Promise<ListedRows<ScimUser>> {
    const condition = 'listed.deleted_at IS NULL';
    return listedRows(this.database.manager, ScimUser, USER_PLACES, { orgId, query, condition });
  }

  /** @throws ScimFault 404 */
  get(orgId: string, id: string): Promise<ScimUser> {
    return this.find(this.database.manager, orgId, id);
  }

  /** Returns the groups of each of these users, sorted by name. */
  async groupsOf(ids: readonly string[]): Promise<Map<string, ResourceReference[]>> {
    const rows = await this.database.query<{ user_id: string; id: string; display: string }[]>(
      `SELECT member.user_id, named.id, named.display_name AS display
       FROM scim_group_members AS member JOIN scim_groups AS named ON named.id = member.group_id
       WHERE member.user_id = ANY ($1) ORDER BY named.display_name`,
      [ids],
    );
    const byUser = new Map<string, ResourceReference[]>();
    for (const { user_id, id, display } of rows)
      byUser.set(user_id, [...(byUser.get(user_id) ?? []), { id, display }]);
    return byUser;
  }

  /**
   * Creates a person. Reactivates the users of the person if SCIM had deleted the person, but not if an admin
   * deactivated them.
   */
  async create(change: Change, body: unknown): Promise<ScimUser> {
    const { orgId } = change.actor;
    const user = Object.assign(new ScimUser(), {
      id: randomUUID(),
      orgId,
      version: 1,
      createdAt: new Date(),
      updatedAt: new Date(),
      deletedAt: null,
      ...columnsOf(readResource(USER_TYPE, body)),
    });
    return this.writing(change, async (db) => {
      const wasDeleted = await forgetDeleted(db, orgId, user.externalId);
      await db.insert(ScimUser, user);
      const statuses = new Map<string, 'active' | 'inactive'>();
      if (user.externalId !== null && !user.active) statuses.set(user.externalId, 'inactive');
      else if (user.externalId !== null && wasDeleted) statuses.set(user.externalId, 'active');
      await this.spread(db, change, 'create', null, user, statuses);
      return user;
    });
  }

  /**
   * Replaces the attributes of a person, and removes those that the body does not have, except `active` and
   * `externalId`. Some providers omit these two, but that must not change whether the person may act, or who
   * the person is.
   */
  replace(change: Change, id: string, tag: string | undefined, body: unknown): Promise<ScimUser> {
    const given = readResource(USER_TYPE, body);
    return this.update(change, id, tag, (before) => {
      const { active, externalId } = attributesOf(before);
      return {
        ...(active === undefined ? {} : { active }),
        ...(externalId === undefined ? {} : { externalId }),
        ...given,
      };
    });
  }

  /**
   * Applies a PATCH. When it removes `active` or sets it to null, the attribute has no value. The person's
   * access then stays as it was, so that nobody regains access this way.
   */
  patch(
    change: Change,
    id: string,
    tag: string | undefined,
    operations: readonly PatchOperation[],
  ): Promise<ScimUser> {
    return this.update(change, id, tag, (before) =>
      patchAttributes(USER_TYPE, attributesOf(before), operations),
    );
  }

  async remove(change: Change, id: string, tag: string | undefined): Promise<void> {
    await this.writing(change, async (db) => {
      const user = await this.find(db, change.actor.orgId, id);
      requireTag(tag, user.version);
      await forgetDeleted(db, user.orgId, user.externalId);
      await db.query('DELETE FROM scim_group_members WHERE user_id = $1', [user.id]);
      if (user.externalId === null) await db.delete(ScimUser, { id: user.id });
      else {
        const rest = { userName: user.id, active: false, attributes: {}, deletedAt: new Date() };
        await db.update(ScimUser, { id: user.id }, rest);
      }
      const statuses = new Map(user.externalId === null ? [] : [[user.externalId, 'inactive'] as const]);
      await this.spread(db, change, 'delete', user, null, statuses);
    });
  }

  private update(
    change: Change,
    id: string,
    tag: string | undefined,
    changed: (before: ScimUser) => Attributes,
  ): Promise<ScimUser> {
    return this.writing(change, async (db) => {
      const before = await this.find(db, change.actor.orgId, id);
      requireTag(tag, before.version);
      const columns = columnsOf(changed(before), before);
      if (isDeepStrictEqual(columns, columnsOf(attributesOf(before), before))) return before;
      const after = Object.assign(new ScimUser(), before, columns, {
        version: before.version + 1,
        updatedAt: new Date(),
      });
      if (after.externalId !== before.externalId) await forgetDeleted(db, before.orgId, after.externalId);
      await db.save(after);
      await this.spread(db, change, 'update', before, after, statusesOf(before, after));
      return after;
    });
  }

  /** Writes the audit line last, because it locks the audit log, and all other changes wait for that lock. */
  private async spread(
    db: EntityManager,
    change: Change,
    action: ChangeAction,
    before: ScimUser | null,
    after: ScimUser | null,
    statuses: ReadonlyMap<string, 'active' | 'inactive'>,
  ): Promise<void> {
    const { orgId } = change.actor;
    const externalIds = [before?.externalId, after?.externalId].filter((id) => typeof id === 'string');
    const subjects = await this.provisioning.spread(db, orgId, [...new Set(externalIds)], statuses);
    const id = (after ?? before)?.id ?? '';
    await change.record(db, {
      type: AUDITED_TYPE,
      id,
      action,
      before: before === null ? null : auditedView(before),
      // `subjects` is empty if the person never signed in.
      after: { ...(after === null ? {} : auditedView(after)), subjects },
    });
  }

  private async writing<T>(change: Change, work: (db: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.manager.transaction(async (db) => {
        await this.provisioning.lock(db, change.actor.orgId);
        return work(db);
      });
    } catch (error) {
      const broken = brokenConstraint(error, UNIQUE_VIOLATION);
      if (broken === 'scim_users_name_index') throw taken('userName');
      if (broken === 'scim_users_external_index') throw taken('externalId');
      throw error;
    }
  }

  private async find(db: EntityManager, orgId: string, id: string): Promise<ScimUser> {
    const user = isId(id) ? await db.findOneBy(ScimUser, { orgId, id, deletedAt: IsNull() }) : null;
    if (user === null) throw new ScimFault(404, 'there is no user with this id');
    return user;
  }
}

/** Deletes the row of a deleted person with this external id. Returns whether there was one. */
async function forgetDeleted(db: EntityManager, orgId: string, externalId: string | null): Promise<boolean> {
  if (externalId === null) return false;
  const deleted = await db.query<[rows: unknown[], count: number]>(
    'DELETE FROM scim_users WHERE org_id = $1 AND external_id = $2 AND deleted_at IS NOT NULL',
    [orgId, externalId],
  );
  return deleted[1] > 0;
}

/**
 * Returns the statuses to set, by external id. If `active` changed, the users with this external id get the
 * new status. Users with a new external id become inactive if the person is inactive. A person who becomes
 * inactive is also deactivated under the former external id.
 */
function statusesOf(before: ScimUser, after: ScimUser): Map<string, 'active' | 'inactive'> {
  const statuses = new Map<string, 'active' | 'inactive'>();
  if (before.externalId !== null && before.active && !after.active)
    statuses.set(before.externalId, 'inactive');
  const isNew = after.externalId !== before.externalId;
  if (after.externalId !== null && (isNew ? !after.active : after.active !== before.active))
    statuses.set(after.externalId, after.active ? 'active' : 'inactive');
  return statuses;
}

function attributesOf({ userName, externalId, active, activeAssigned, attributes }: ScimUser): Attributes {
  return {
    ...attributes,
    userName,
    ...(activeAssigned ? { active } : {}),
    ...(externalId === null ? {} : { externalId }),
  };
}

/** @param before undefined for a new user, whose `active` is true by default */
function columnsOf(
  attributes: Attributes,
  before?: ScimUser,
): Pick<ScimUser, 'userName' | 'externalId' | 'active' | 'activeAssigned' | 'attributes'> {
  const { userName, externalId, active, ...rest } = attributes;
  return {
    userName: requireUserName(userName),
    externalId: typeof externalId === 'string' ? externalId : null,
    active: typeof active === 'boolean' ? active : (before?.active ?? true),
    activeAssigned: typeof active === 'boolean' || before === undefined,
    attributes: rest,
  };
}

function auditedView({ userName, externalId, active, activeAssigned, attributes }: ScimUser): object {
  return { user_name: userName, external_id: externalId, active: activeAssigned ? active : null, attributes };
}

function taken(attribute: string): ScimFault {
  return new ScimFault(409, `another user has this ${attribute}`, 'uniqueness');
}
