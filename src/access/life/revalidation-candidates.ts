import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { RoleSettings } from '../../platform/config/groups';
import type { ConnectionCredential } from '../credentials/credential.entity';

/**
 * Number of rows of one page; a row needs 1 kB of memory. The number is large, because the query of each page
 * reads all live credentials that follow.
 */
const PER_PAGE = 10_000;

/** A live credential whose owner may not act, became an auditor, or has lost a group since the request. */
export interface Candidate extends Pick<
  ConnectionCredential,
  'id' | 'orgId' | 'connectionId' | 'identityType' | 'userId' | 'ownerGroups' | 'reviewId'
> {
  /** The owner's current groups; null: the owner may not act. */
  readonly groupsNow: readonly string[] | null;
  /** Hash of everything that the result of the check depends on. The same hash means the same result. */
  readonly state: string;
}

/**
 * Selects the credentials that have to be revalidated. It joins users, API keys and groups in one query,
 * instead of one query for each credential. API keys expire by the clock of the database. The query only
 * finds candidates; `AccessRevalidator` decides.
 */
const CANDIDATES = `
  -- First, so that a small page does not make the planner walk through all that ever was.
  WITH live AS MATERIALIZED (
    SELECT credential.id, credential.org_id, credential.connection_id, credential.identity_type, credential.user_id,
      credential.review_id, credential.owner_groups
    FROM connection_credentials AS credential
    WHERE credential.org_id = $1 AND credential.revoked_at IS NULL AND credential.withheld_at IS NULL
      AND coalesce(credential.expire_at, 'infinity') > now()
      AND (credential.review_id IS NULL OR
        (SELECT status FROM reviews WHERE org_id = credential.org_id AND id = credential.review_id) = 'APPROVED')
      AND ($4::uuid[] IS NULL OR credential.user_id = ANY ($4))
      AND credential.id > $5
  ), people AS (
    SELECT users.id, coalesce(member.groups, '{}') AS groups
    FROM users LEFT JOIN (
      SELECT user_id, array_agg(DISTINCT group_name ORDER BY group_name) AS groups FROM user_groups
      WHERE org_id = $1 AND ($4::uuid[] IS NULL OR user_id = ANY ($4)) GROUP BY user_id
    ) AS member ON member.user_id = users.id
    WHERE users.org_id = $1 AND users.status = 'active' AND ($4::uuid[] IS NULL OR users.id = ANY ($4))
  ), machines AS (
    SELECT id, groups FROM api_keys
    WHERE org_id = $1 AND revoked_at IS NULL AND coalesce(expires_at, 'infinity') > now()
      AND ($4::uuid[] IS NULL OR id = ANY ($4))
  ), owned AS (
    SELECT live.*, coalesce(people.groups, machines.groups) AS groups
    FROM live
    LEFT JOIN people ON live.identity_type = 'user' AND people.id = live.user_id
    LEFT JOIN machines ON live.identity_type = 'machine' AND machines.id = live.user_id
  )
  SELECT owned.id, owned.org_id AS "orgId", connection_id AS "connectionId", identity_type AS "identityType",
    user_id AS "userId", review_id AS "reviewId", owner_groups AS "ownerGroups", owned.groups AS "groupsNow",
    -- A row's xmin is another with every change of it.
    md5(concat_ws(' ', owned.groups,
      (SELECT xmin FROM connections WHERE org_id = owned.org_id AND id = owned.connection_id),
      (SELECT xmin FROM organizations WHERE id = $1),
      (SELECT string_agg(id || ':' || xmin, ',' ORDER BY id) FROM access_request_rules WHERE org_id = $1))) AS state
  FROM owned
  WHERE owned.groups IS NULL OR NOT owner_groups <@ owned.groups
    OR ($2 = ANY (owned.groups) AND $3 <> ALL (owned.groups))
  ORDER BY owned.id LIMIT ${PER_PAGE}`;

/**
 * Disables nested loops. If the statistics are outdated, the planner expects one row instead of many, and a
 * nested loop then aggregates all groups again for each credential: 10 s for 2 000 credentials. The cost of
 * hash and merge joins hardly depends on the statistics.
 */
const WHATEVER_IS_ESTIMATED = 'SET LOCAL enable_nestloop = off';
/** Maximum number of owners whose credentials are found by indexes, with nested loops enabled. */
const FEW = 20;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Finds the credentials whose owners may have lost access. */
@Injectable()
export class RevalidationCandidates {
  constructor(
    private readonly database: DataSource,
    private readonly organizations: OrganizationsService,
    private readonly settings: RoleSettings,
  ) {}

  /** @param userIds The owners; absent: all owners. */
  async *pages(userIds?: readonly string[]): AsyncGenerator<readonly Candidate[]> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const { auditorGroup, adminGroup } = this.settings;
    let after = BEFORE_ALL;
    for (;;) {
      const values = [orgId, auditorGroup, adminGroup, userIds ?? null, after];
      const page =
        userIds !== undefined && userIds.length <= FEW
          ? await this.database.query<Candidate[]>(CANDIDATES, values)
          : await this.database.transaction(async (db) => {
              await db.query(WHATEVER_IS_ESTIMATED);
              return db.query<Candidate[]>(CANDIDATES, values);
            });
      yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < PER_PAGE) return;
      after = last.id;
    }
  }
}
