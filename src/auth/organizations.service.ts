import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { ChangeFeed } from '../database/change-feed';
import type { Change } from '../http/change';
import { type ExpectedVersion, requireUnchanged } from '../http/versions';
import {
  type CheckedOrganizationView,
  type OrganizationBody,
  type OrganizationView,
  organizationView,
} from './organization.dto';
import { Organization, type OrganizationFeatures } from './organization.entity';

// Part of what this service says to others.
export type { OrganizationFeatures };

/** There is one organization, `default`; people are signed up into it (specification, section 5.5). */
const DEFAULT_ORGANIZATION = 'default';

@Injectable()
export class OrganizationsService {
  private cached: Organization | undefined;

  constructor(
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table) => {
        if (table === 'organizations') this.cached = undefined;
      },
      reset: () => {
        this.cached = undefined;
      },
    });
  }

  async defaultOrganization(): Promise<Organization> {
    if (this.cached !== undefined && this.feed.live) return this.cached;
    this.cached = await this.organizations.findOneByOrFail({ name: DEFAULT_ORGANIZATION });
    return this.cached;
  }

  async view(orgId: string): Promise<OrganizationView> {
    return organizationView(await this.organizations.findOneByOrFail({ id: orgId }));
  }

  async setFeatures(
    change: Change,
    expected: ExpectedVersion,
    body: OrganizationBody,
  ): Promise<CheckedOrganizationView> {
    const { orgId: id } = change.actor;
    return this.organizations.manager.transaction(async (db) => {
      const organization = await db.findOneOrFail(Organization, {
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      const before = organizationView(organization);
      requireUnchanged(before, expected);
      const { access_control, review } = organization.features;
      organization.features = {
        access_control: body.features.access_control ?? access_control,
        review: body.features.review ?? review,
      };
      const after = organizationView(await db.save(organization));
      await change.record(db, { type: 'organization', id, action: 'update', before, after });
      return { ...after, warnings: await warningsOf(db, organization) };
    });
  }

  /** @param db The caller's transaction, if there is one: within it, a second connection of the pool may never come. */
  async features(
    orgId: string,
    db: EntityManager = this.organizations.manager,
  ): Promise<OrganizationFeatures> {
    return (await db.findOneByOrFail(Organization, { id: orgId })).features;
  }
}

/** What the features silence, or close to all but admins. */
async function warningsOf(db: EntityManager, { id, features }: Organization): Promise<string[]> {
  const [found] = await db.query<[{ grouped: number; open: number; rules: number }]>(
    `SELECT count(*) FILTER (WHERE cardinality(access_groups) > 0)::int AS grouped,
       count(*) FILTER (WHERE cardinality(access_groups) = 0)::int AS open,
       (SELECT count(*)::int FROM access_request_rules WHERE org_id = $1) AS rules
     FROM connections WHERE org_id = $1`,
    [id],
  );
  const warnings: string[] = [];
  if (!features.access_control && found.grouped > 0)
    warnings.push(
      `${found.grouped} connections have access_groups that are not enforced: the access control feature is off`,
    );
  if (features.access_control && found.open > 0)
    warnings.push(`${found.open} connections have no access_groups: only admins may open them`);
  if (!features.review && found.rules > 0)
    warnings.push(`${found.rules} access request rules ask nobody: the review feature is off`);
  return warnings;
}
