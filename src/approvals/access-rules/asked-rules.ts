import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import {
  type OrganizationFeatures,
  OrganizationsService,
} from '../../identity/auth/organization/organizations.service';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { FeedCache } from '../../platform/database/feed/feed-cache';
import type { Target } from '../../gate/ports/target-directory';
import type { MaybePromise } from '../../kernel/async/maybe-promise';
import { AccessRule, type AccessType } from './access-rule.entity';
import { coversVisibly } from './covering';

/** Rules and features that decide access to a connection. The connection's own settings decide, too. */
export interface DecidingRules {
  readonly features: OrganizationFeatures;
  /** Rules of the given types that cover the connection, sorted by name; empty while Review is off. */
  readonly covering: readonly AccessRule[];
}

/**
 * Reads the access request rules of a connection. Each call of a tool needs them, so they are cached while
 * the change feed is up.
 */
@Injectable()
export class AskedRules {
  private readonly rules: FeedCache<DecidingRules>;

  constructor(
    @InjectRepository(AccessRule) private readonly stored: Repository<AccessRule>,
    private readonly organizations: OrganizationsService,
    feed: ChangeFeed,
  ) {
    this.rules = new FeedCache(feed, 'access-rules', [
      'access_request_rules',
      'organizations',
      'connections',
    ]);
  }

  of(target: Target, types: readonly AccessType[]): MaybePromise<DecidingRules> {
    const key = JSON.stringify([target.orgId, target.name, types, target.attributes]);
    return this.rules.of(key, () => this.read(target, types));
  }

  private async read(target: Target, types: readonly AccessType[]): Promise<DecidingRules> {
    const features = await this.organizations.features(target.orgId);
    return { features, covering: features.review ? await this.covering(target, types) : [] };
  }

  /**
   * All rules of these types that name the connection or share an attribute with it; each must be satisfied.
   */
  private covering(target: Target, types: readonly AccessType[]): Promise<AccessRule[]> {
    return this.stored
      .createQueryBuilder('rule')
      .where('rule.org_id = :orgId AND rule.access_type IN (:...types)', { orgId: target.orgId, types })
      .andWhere(...coversVisibly(target.name, target.attributes))
      .orderBy('rule.name')
      .getMany();
  }
}
