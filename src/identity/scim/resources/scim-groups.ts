import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { ProvisionedAccess } from '../../auth/users/provisioned-access';
import { Settings } from '../../../platform/config/settings';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import type { Change, ChangeAction } from '../../../platform/http/routes/change';
import { type MemberChanges, patchGroup } from '../patch/patch-group';
import type { PatchOperation } from '../patch/patch-request';
import { GROUP_TYPE } from '../schema/group-type';
import { ScimFault } from '../values/scim-fault';
import { type Attributes, fieldOf, isRecord } from '../values/attributes';
import { GroupMembers, type MembersChanged } from './group-members';
import type { ListQuery } from './list-query';
import { type ListedRows, listedRows } from './listed-rows';
import { isId, joiningIds } from '../values/members';
import { requireGroupName } from './names';
import { Provisioning } from './provisioning';
import { readResource } from '../values/read-resource';
import { ScimGroup } from './scim-group.entity';
import { GROUP_PLACES } from './stored-places';
import { requireTag } from './versions';

/** Type of the resource in the audit log. */
const AUDITED_TYPE = 'scim/v2/Groups';
/** Maximum number of members that an audit line lists. Its `count` includes all of them. */
const AUDITED_MEMBERS = 100;

/**
 * The groups that an identity provider provisions. Their members become members of the gateway's groups with
 * the same names.
 */
@Injectable()
export class ScimGroups {
  constructor(
    private readonly database: DataSource,
    private readonly provisioning: Provisioning,
    private readonly members: GroupMembers,
    private readonly access: ProvisionedAccess,
    private readonly settings: Settings,
  ) {}

  list(orgId: string, query: ListQuery): Promise<ListedRows<ScimGroup>> {
    return listedRows(this.database.manager, ScimGroup, GROUP_PLACES, { orgId, query, condition: 'TRUE' });
  }

  /** @throws ScimFault 404 */
  get(orgId: string, id: string): Promise<ScimGroup> {
    return this.find(this.database.manager, orgId, id);
  }

  create(change: Change, body: unknown): Promise<ScimGroup> {
    const { orgId } = change.actor;
    const group = Object.assign(new ScimGroup(), {
      id: randomUUID(),
      orgId,
      version: 1,
      createdAt: new Date(),
      updatedAt: new Date(),
      ...this.columnsOf(attributesIn(body)),
    });
    const changes = membersIn(body);
    return this.writing(change, async (db) => {
      await db.insert(ScimGroup, group);
      const changed = await this.members.change(db, group, changes);
      await this.spread(db, change, 'create', null, group, changed);
      return group;
    });
  }

  replace(change: Change, id: string, tag: string | undefined, body: unknown): Promise<ScimGroup> {
    const attributes = attributesIn(body);
    const members = membersIn(body);
    return this.update(change, id, tag, () => ({ attributes, members }));
  }

  patch(
    change: Change,
    id: string,
    tag: string | undefined,
    operations: readonly PatchOperation[],
  ): Promise<ScimGroup> {
    return this.update(change, id, tag, (before) => patchGroup(attributesOf(before), operations));
  }

  async remove(change: Change, id: string, tag: string | undefined): Promise<void> {
    await this.writing(change, async (db) => {
      const group = await this.find(db, change.actor.orgId, id);
      requireTag(tag, group.version);
      const changed = await this.members.change(db, group, { replaced: true, changes: new Map() });
      await db.delete(ScimGroup, { id: group.id });
      await this.spread(db, change, 'delete', group, null, changed);
    });
  }

  private update(
    change: Change,
    id: string,
    tag: string | undefined,
    changed: (before: ScimGroup) => { attributes: Attributes; members: MemberChanges },
  ): Promise<ScimGroup> {
    return this.writing(change, async (db) => {
      const before = await this.find(db, change.actor.orgId, id);
      requireTag(tag, before.version);
      const { attributes, members } = changed(before);
      const columns = this.columnsOf(attributes);
      const isRenamed = columns.displayName !== before.displayName;
      const moved = await this.members.change(db, before, members);
      const isSame = !isRenamed && columns.externalId === before.externalId;
      if (isSame && moved.joined.length === 0 && moved.left.length === 0) return before;
      const after = Object.assign(new ScimGroup(), before, columns, {
        version: before.version + 1,
        updatedAt: new Date(),
      });
      await db.save(after);
      // A rename affects all members, because their group in the gateway then has another name.
      const affected = isRenamed ? await this.members.externalIds(db, after.id) : [];
      const all = { ...moved, externalIds: [...moved.externalIds, ...affected] };
      await this.spread(db, change, 'update', before, after, all);
      return after;
    });
  }

  private async spread(
    db: EntityManager,
    change: Change,
    action: ChangeAction,
    before: ScimGroup | null,
    after: ScimGroup | null,
    { joined, left, externalIds }: MembersChanged,
  ): Promise<void> {
    const { orgId } = change.actor;
    await this.provisioning.spread(db, orgId, [...new Set(externalIds)]);
    if (before !== null && before.displayName !== after?.displayName)
      await this.access.withdrawGroup(db, orgId, before.displayName);
    if (after !== null) await this.access.declareGroup(db, orgId, after.displayName);
    await change.record(db, {
      type: AUDITED_TYPE,
      id: (after ?? before)?.id ?? '',
      action,
      before: before === null ? null : { ...auditedView(before), members: audited(left, 'left') },
      after: after === null ? null : { ...auditedView(after), members: audited(joined, 'joined') },
    });
  }

  private async writing<T>(change: Change, work: (db: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await this.database.manager.transaction(async (db) => {
        await this.provisioning.lock(db, change.actor.orgId);
        return work(db);
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'scim_groups_name_index') throw error;
      throw new ScimFault(409, 'another group has this displayName', 'uniqueness');
    }
  }

  private async find(db: EntityManager, orgId: string, id: string): Promise<ScimGroup> {
    const group = isId(id) ? await db.findOneBy(ScimGroup, { orgId, id }) : null;
    if (group === null) throw new ScimFault(404, 'there is no group with this id');
    return group;
  }

  private columnsOf({ displayName, externalId }: Attributes): Pick<ScimGroup, 'displayName' | 'externalId'> {
    const { adminGroup, auditorGroup } = this.settings.roles;
    return {
      displayName: requireGroupName(
        displayName,
        this.settings.scim.roleGroups ? [] : [adminGroup, auditorGroup],
      ),
      externalId: typeof externalId === 'string' ? externalId : null,
    };
  }
}

function attributesOf({ displayName, externalId }: ScimGroup): Attributes {
  return { displayName, ...(externalId === null ? {} : { externalId }) };
}

/** Reads all attributes except `members`, which may have more values than other attributes. */
function attributesIn(body: unknown): Attributes {
  if (!isRecord(body)) return readResource(GROUP_TYPE, body);
  const own = Object.entries(body).filter(([name]) => name.toLowerCase() !== 'members');
  return readResource(GROUP_TYPE, Object.fromEntries(own));
}

function membersIn(body: unknown): MemberChanges {
  const ids = isRecord(body) ? joiningIds(fieldOf(body, 'members')) : [];
  return { replaced: true, changes: new Map(ids.map((id) => [id, true])) };
}

function auditedView({ displayName, externalId }: ScimGroup): object {
  return { display_name: displayName, external_id: externalId };
}

function audited(ids: readonly string[], name: 'joined' | 'left'): object | null {
  return ids.length === 0 ? null : { count: ids.length, [name]: ids.slice(0, AUDITED_MEMBERS) };
}
