import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { RoleSettings } from '../../../platform/config/groups';
import { UNIQUE_VIOLATION, brokenConstraint } from '../../../platform/database/faults/constraint';
import type { Change } from '../../../platform/http/routes/change';
import { type PageQuery, pageOffset, pageOf, sizeOf } from '../../../platform/http/dto/page';
import { type ExpectedVersion, requireUnchanged } from '../../../platform/http/routes/versions';
import { AppError } from '../../../kernel/app-error';
import { Group } from './group.entity';
import type { GroupBody, GroupPage, GroupView } from './group.dto';

const TYPE = 'groups';

/** All groups that were created, have a member, or belong to an API key. */
const ALL_GROUPS = `
  SELECT name, max(description) AS description, sum(members)::int AS members FROM (
    SELECT name, description, 0 AS members FROM groups WHERE org_id = $1
    UNION ALL
    SELECT group_name, '', count(DISTINCT user_id) FROM user_groups WHERE org_id = $1 GROUP BY group_name
    UNION ALL
    SELECT unnest(groups), '', 0 FROM api_keys WHERE org_id = $1 AND revoked_at IS NULL
  ) AS named GROUP BY name`;

@Injectable()
export class GroupsService {
  constructor(
    @InjectRepository(Group) private readonly groups: Repository<Group>,
    private readonly settings: RoleSettings,
  ) {}

  async list(orgId: string, query: PageQuery): Promise<GroupPage> {
    const db = this.groups.manager;
    const rows = await db.query<GroupView[]>(`${ALL_GROUPS} ORDER BY name LIMIT $2 OFFSET $3`, [
      orgId,
      sizeOf(query),
      pageOffset(query),
    ]);
    const [count] = await db.query<{ total: number }[]>(
      `SELECT count(*)::int AS total FROM (${ALL_GROUPS}) AS g`,
      [orgId],
    );
    return pageOf(query, rows, count?.total ?? 0);
  }

  get(orgId: string, name: string): Promise<GroupView> {
    return this.find(this.groups.manager, orgId, name);
  }

  /** Creates a group before it has a member, so that rules and connections can name it. */
  async create(change: Change, body: GroupBody): Promise<GroupView> {
    const { orgId } = change.actor;
    try {
      return await this.groups.manager.transaction(async (db) => {
        await db.insert(Group, {
          orgId,
          name: body.name,
          description: body.description ?? '',
          source: 'manual',
        });
        const after = await this.find(db, orgId, body.name);
        await change.record(db, { type: TYPE, id: body.name, action: 'create', before: null, after });
        return after;
      });
    } catch (error) {
      if (brokenConstraint(error, UNIQUE_VIOLATION) !== 'groups_pk') throw error;
      throw new AppError('conflict', `a group named ${body.name} already exists`);
    }
  }

  /** Deletes the group's row and its manual memberships. Memberships from the identity provider stay. */
  async remove(change: Change, name: string, expected: ExpectedVersion): Promise<void> {
    const { orgId } = change.actor;
    if (name === this.settings.adminGroup)
      throw new AppError('conflict', 'the admin group cannot be deleted');
    await this.groups.manager.transaction(async (db) => {
      // Locks the users first, because every change of a membership locks its user first.
      await db.query(
        `SELECT FROM users WHERE org_id = $1 AND id IN (
           SELECT user_id FROM user_groups WHERE org_id = $1 AND group_name = $2 AND source = 'manual')
         ORDER BY id FOR NO KEY UPDATE`,
        [orgId, name],
      );
      const before = await this.find(db, orgId, name);
      requireUnchanged(before, expected);
      if (await db.existsBy(Group, { orgId, name, source: 'scim' }))
        throw new AppError('conflict', 'this group comes from SCIM; delete it at the identity provider');
      await db.delete(Group, { orgId, name });
      await db.query(`DELETE FROM user_groups WHERE org_id = $1 AND group_name = $2 AND source = 'manual'`, [
        orgId,
        name,
      ]);
      await change.record(db, { type: TYPE, id: name, action: 'delete', before, after: null });
    });
  }

  /** Returns the user ids of each existing group's active members, for other modules. */
  async activeMembers(
    db: EntityManager,
    orgId: string,
    names: readonly string[],
  ): Promise<Map<string, string[]>> {
    const rows = await db.query<{ name: string; members: string[] }[]>(
      `SELECT named.name, coalesce(array_agg(users.id::text) FILTER (WHERE users.status = 'active'), '{}') AS members
       FROM (${ALL_GROUPS}) AS named
       LEFT JOIN user_groups ON user_groups.org_id = $1 AND user_groups.group_name = named.name
       LEFT JOIN users ON users.org_id = $1 AND users.id = user_groups.user_id
       WHERE named.name = ANY ($2) GROUP BY named.name`,
      [orgId, names],
    );
    return new Map(rows.map((row) => [row.name, [...new Set(row.members)]]));
  }

  private async find(db: EntityManager, orgId: string, name: string): Promise<GroupView> {
    const [group] = await db.query<GroupView[]>(`SELECT * FROM (${ALL_GROUPS}) AS named WHERE name = $2`, [
      orgId,
      name,
    ]);
    if (group === undefined) throw new AppError('not_found', 'there is no group with this name');
    return group;
  }
}
