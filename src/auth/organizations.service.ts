import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { ChangeFeed } from '../database/change-feed';
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

  async features(orgId: string): Promise<OrganizationFeatures> {
    return (await this.organizations.findOneByOrFail({ id: orgId })).features;
  }
}
