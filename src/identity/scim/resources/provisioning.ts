import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { OrganizationsService } from '../../auth/organization/organizations.service';
import { ProvisionedAccess } from '../../auth/users/provisioned-access';
import { type Provisioned, signingIn } from '../../auth/users/sign-in-events';
import { DomainEvents } from '../../../platform/database/feed/domain-events';

/** First key of the advisory lock for writes of SCIM; the second key is the hash of the organization's id. */
const PROVISIONING_LOCK = 18_251;

interface StateRow {
  readonly external_id: string;
  readonly active: boolean;
  readonly groups: string[];
}

/** Applies SCIM's data to the users of the gateway, and to people who sign in. */
@Injectable()
export class Provisioning implements OnModuleInit {
  constructor(
    events: DomainEvents,
    private readonly access: ProvisionedAccess,
    private readonly organizations: OrganizationsService,
    private readonly database: DataSource,
  ) {
    events.handle(signingIn, 'scim', (db, { orgId, externalId }) => this.ofPerson(db, orgId, externalId));
  }

  async onModuleInit(): Promise<void> {
    await this.access.withdrawRoles(this.database.manager);
  }

  /**
   * Serializes the writes of SCIM and makes sign-ins wait, so that a person's first sign-in does not miss the
   * data of a concurrent write. A transaction must take this lock before all other locks.
   */
  async lock(db: EntityManager, orgId: string): Promise<void> {
    await this.organizations.lock(db, orgId);
    await db.query('SELECT pg_advisory_xact_lock($1, hashtext($2))', [PROVISIONING_LOCK, orgId]);
  }

  /**
   * Sets the groups of the users with these external ids to their groups in SCIM. Sets the status of users
   * that have an entry in `statuses`. Returns the subjects of the users.
   * @throws AppError `conflict` when no active admin would be left.
   */
  async spread(
    db: EntityManager,
    orgId: string,
    externalIds: readonly string[],
    statuses: ReadonlyMap<string, 'active' | 'inactive'> = new Map(),
  ): Promise<string[]> {
    const users = await this.access.hold(db, orgId, externalIds);
    if (users.length === 0) return [];
    const linked = [...new Set(users.map((user) => user.external_id))];
    const rows = new Map(
      (await this.states(db, orgId, linked)).map((row) => [row.external_id, row] as const),
    );
    const states = linked.map((externalId) => {
      const row = rows.get(externalId);
      const status = statuses.get(externalId);
      return {
        externalId,
        groups: row?.active === true ? row.groups : [],
        ...(status === undefined ? {} : { status }),
      };
    });
    await this.access.apply(db, orgId, users, states);
    return users.map(({ subject }) => subject).sort();
  }

  private async ofPerson(
    db: EntityManager,
    orgId: string,
    externalId: string,
  ): Promise<Provisioned | undefined> {
    await db.query('SELECT pg_advisory_xact_lock_shared($1, hashtext($2))', [PROVISIONING_LOCK, orgId]);
    // Uses a separate statement, because it sees rows that were committed while the lock statement waited.
    const [state] = await this.states(db, orgId, [externalId]);
    if (state !== undefined) return state;
    const [deleted] = await db.query<object[]>(
      'SELECT 1 FROM scim_users WHERE org_id = $1 AND external_id = $2 AND deleted_at IS NOT NULL LIMIT 1',
      [orgId, externalId],
    );
    return deleted === undefined ? undefined : { active: false, groups: [] };
  }

  private states(db: EntityManager, orgId: string, externalIds: readonly string[]): Promise<StateRow[]> {
    return db.query<StateRow[]>(
      `SELECT person.external_id, person.active,
         coalesce(array_agg(named.display_name) FILTER (WHERE named.id IS NOT NULL), '{}') AS groups
       FROM scim_users AS person
       LEFT JOIN scim_group_members AS member ON member.user_id = person.id
       LEFT JOIN scim_groups AS named ON named.id = member.group_id
       WHERE person.org_id = $1 AND person.external_id = ANY ($2) AND person.deleted_at IS NULL
       GROUP BY person.id`,
      [orgId, externalIds],
    );
  }
}
