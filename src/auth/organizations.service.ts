import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeFeed } from '../database/change-feed';
import type { Change } from '../http/change';
import { type OrganizationBody, type OrganizationView, organizationView } from './organization.dto';
import { Organization, type OrganizationFeatures } from './organization.entity';

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

  async setFeatures(change: Change, body: OrganizationBody): Promise<OrganizationView> {
    const { orgId: id } = change.actor;
    return this.organizations.manager.transaction(async (db) => {
      const organization = await db.findOneOrFail(Organization, {
        where: { id },
        lock: { mode: 'for_no_key_update' },
      });
      const before = organizationView(organization);
      const { access_control, review } = organization.features;
      organization.features = {
        access_control: body.features.access_control ?? access_control,
        review: body.features.review ?? review,
      };
      const after = organizationView(await db.save(organization));
      await change.record(db, { type: 'organization', id, action: 'update', before, after });
      return after;
    });
  }

  async features(orgId: string): Promise<OrganizationFeatures> {
    return (await this.organizations.findOneByOrFail({ id: orgId })).features;
  }
}
