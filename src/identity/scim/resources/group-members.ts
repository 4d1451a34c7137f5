import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { MemberChanges } from '../patch/patch-group';
import { type ScimFault, invalidValue } from '../values/scim-fault';
import { MAX_MEMBERS, groupAsMember, isId } from '../values/members';
import type { ResourceReference } from './represent';
import type { ScimGroup } from './scim-group.entity';

/** Users who joined and users who left. */
export interface MembersChanged {
  readonly joined: readonly string[];
  readonly left: readonly string[];
  /** External ids of the users who joined or left. */
  readonly externalIds: readonly string[];
}

interface Moved {
  readonly user_id: string;
  readonly external_id: string | null;
}

const NAMED_FAULTS = 5;

/** Reads and writes the rows of the members of SCIM groups. */
@Injectable()
export class GroupMembers {
  constructor(private readonly database: DataSource) {}

  /** Returns the members of each of these groups, sorted by user name. */
  async of(groupIds: readonly string[]): Promise<Map<string, ResourceReference[]>> {
    const rows = await this.database.query<{ group_id: string; id: string; display: string }[]>(
      `SELECT member.group_id, person.id, person.user_name AS display
       FROM scim_group_members AS member JOIN scim_users AS person ON person.id = member.user_id
       WHERE member.group_id = ANY ($1) ORDER BY person.user_name, person.id`,
      [groupIds],
    );
    const byGroup = new Map<string, ResourceReference[]>(groupIds.map((id) => [id, []]));
    for (const { group_id, id, display } of rows) byGroup.get(group_id)?.push({ id, display });
    return byGroup;
  }

  /** Returns the number of members of each of these groups. */
  async counts(groupIds: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.query<{ group_id: string; total: number }[]>(
      'SELECT group_id, count(*)::int AS total FROM scim_group_members WHERE group_id = ANY ($1) GROUP BY group_id',
      [groupIds],
    );
    return new Map(rows.map(({ group_id, total }) => [group_id, total]));
  }

  /** @throws ScimFault `invalidValue` for a member who is not a user, and for too many members */
  async change(
    db: EntityManager,
    { id: groupId, orgId }: ScimGroup,
    { replaced, changes }: MemberChanges,
  ): Promise<MembersChanged> {
    const named = [...changes].filter(([id]) => isId(id));
    const wanted = named.filter(([, joins]) => joins).map(([id]) => id);
    const foreign = [...changes].filter(([id, joins]) => joins && !isId(id)).map(([id]) => id);
    if (foreign.length > 0) throw unknownMembers(foreign);
    const [left] = await db.query<[Moved[], number]>(
      `DELETE FROM scim_group_members AS member USING scim_users AS person
       WHERE member.group_id = $1 AND person.id = member.user_id
         AND CASE WHEN $2 THEN member.user_id <> ALL ($3::uuid[]) ELSE member.user_id = ANY ($4::uuid[]) END
       RETURNING member.user_id, person.external_id`,
      [groupId, replaced, wanted, named.filter(([, joins]) => !joins).map(([id]) => id)],
    );
    const people = await this.usersOf(db, orgId, wanted);
    const joined = await db.query<{ user_id: string }[]>(
      `INSERT INTO scim_group_members (org_id, group_id, user_id) SELECT $1, $2, unnest($3::uuid[])
       ON CONFLICT ON CONSTRAINT scim_group_members_pk DO NOTHING RETURNING user_id`,
      [orgId, groupId, wanted],
    );
    await this.requireBounds(db, groupId);
    const fresh = new Set(joined.map(({ user_id }) => user_id));
    return {
      joined: [...fresh],
      left: left.map(({ user_id }) => user_id),
      externalIds: externalIdsOf([...left, ...people.filter(({ user_id }) => fresh.has(user_id))]),
    };
  }

  /** Returns the external ids of all members of a group. */
  async externalIds(db: EntityManager, groupId: string): Promise<string[]> {
    return externalIdsOf(
      await db.query<Moved[]>(
        `SELECT member.user_id, person.external_id FROM scim_group_members AS member
         JOIN scim_users AS person ON person.id = member.user_id WHERE member.group_id = $1`,
        [groupId],
      ),
    );
  }

  /** @throws ScimFault when one of the ids is not that of a user */
  private async usersOf(db: EntityManager, orgId: string, ids: readonly string[]): Promise<Moved[]> {
    const people = await db.query<Moved[]>(
      `SELECT id AS user_id, external_id FROM scim_users WHERE org_id = $1 AND id = ANY ($2) AND deleted_at IS NULL`,
      [orgId, ids],
    );
    if (people.length === ids.length) return people;
    const known = new Set(people.map(({ user_id }) => user_id));
    const unknown = ids.filter((id) => !known.has(id));
    throw await this.faultOf(db, orgId, unknown);
  }

  /**
   * Returns the error for ids without a user. Checks whether an id is that of a group, because providers may
   * omit the `type` of a member.
   */
  private async faultOf(db: EntityManager, orgId: string, ids: readonly string[]): Promise<ScimFault> {
    const [group] = await db.query<object[]>(
      'SELECT 1 FROM scim_groups WHERE org_id = $1 AND id = ANY ($2) LIMIT 1',
      [orgId, ids],
    );
    return group === undefined ? unknownMembers(ids) : groupAsMember();
  }

  private async requireBounds(db: EntityManager, groupId: string): Promise<void> {
    const [count] = await db.query<{ total: number }[]>(
      'SELECT count(*)::int AS total FROM scim_group_members WHERE group_id = $1',
      [groupId],
    );
    if ((count?.total ?? 0) > MAX_MEMBERS)
      throw invalidValue(`a group may have ${MAX_MEMBERS} members at most`);
  }
}

function externalIdsOf(moved: readonly Moved[]): string[] {
  return moved.flatMap(({ external_id }) => (external_id === null ? [] : [external_id]));
}

function unknownMembers(ids: readonly string[]): ScimFault {
  const some = ids.slice(0, NAMED_FAULTS).map((id) => id.slice(0, 64));
  return invalidValue(`these members are no users of SCIM: ${some.join(', ')}`);
}
