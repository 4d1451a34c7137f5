import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { ChangeFeed } from '../../../platform/database/feed/change-feed';
import { DomainEvents } from '../../../platform/database/feed/domain-events';
import type { Change } from '../../../platform/http/routes/change';
import { type ExpectedVersion, requireUnchanged } from '../../../platform/http/routes/versions';
import { featuresChanged } from './feature-events';
import {
  type CheckedOrganizationView,
  type OrganizationBody,
  type OrganizationView,
  organizationView,
} from './organization.dto';
import { Organization, type OrganizationFeatures } from './organization.entity';

// Exported for other modules.
export type { OrganizationFeatures };

/** The only organization is `default`; people are signed up into it (specification, section 5.5). */
const DEFAULT_ORGANIZATION = 'default';

@Injectable()
export class OrganizationsService {
  private cached: Organization | undefined;

  constructor(
    @InjectRepository(Organization) private readonly organizations: Repository<Organization>,
    private readonly feed: ChangeFeed,
    private readonly events: DomainEvents,
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
      const { features } = organization;
      const warnings = await this.events.publish(db, featuresChanged, { orgId: id, features });
      return { ...after, warnings: warnings.flat() };
    });
  }

  /**
   * Locks the organization, to serialize changes that count admins or write access request rules. Inserts of
   * rows that reference the organization do not wait for this lock.
   */
  async lock(db: EntityManager, orgId: string): Promise<void> {
    await db.query('SELECT id FROM organizations WHERE id = $1 FOR NO KEY UPDATE', [orgId]);
  }

  /**
   * @param db the caller's transaction, if there is one. Without it, the query needs another connection of
   * the pool. Waiting for that connection inside a transaction may deadlock.
   */
  async features(
    orgId: string,
    db: EntityManager = this.organizations.manager,
  ): Promise<OrganizationFeatures> {
    return (await db.findOneByOrFail(Organization, { id: orgId })).features;
  }
}
