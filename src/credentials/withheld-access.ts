import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, Repository } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { Principals } from '../auth/principals';
import { Settings } from '../config/settings';
import { ChangeFeed } from '../database/change-feed';
import { Outbox } from '../events/outbox';
import { messageOf } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { LostAccess, type Loss } from '../sessions/lost-access';
import { revocationOf } from './access-revoked';
import { ConnectionCredential } from './credential.entity';

/**
 * Tells others of access that its owner may not use any more although nobody took it back: they may not act, or lost a group
 * for it. Once for each credential, whichever gateways look, and whether or not a session runs by it; those are cut by
 * `PeopleWatch`. What was not heard of, or could not be looked at, is looked at with the next beat.
 */
@Injectable()
export class WithheldAccess implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(WithheldAccess.name);
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
    private readonly organizations: OrganizationsService,
    private readonly principals: Principals,
    private readonly lost: LostAccess,
    private readonly outbox: Outbox,
    private readonly feed: ChangeFeed,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    this.feed.subscribe({
      changed: (table, id) => {
        if (table === 'users' || table === 'user_groups' || table === 'api_keys') void this.look(id);
      },
      reset: () => undefined,
    });
    this.timer = setInterval(() => void this.lookAtAll(), this.settings.HEARTBEAT_SECONDS * 1000);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async lookAtAll(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    await this.look();
    this.isLooking = false;
  }

  /** @param userId Whose; absent: all. */
  private async look(userId?: string): Promise<void> {
    const failed = (error: unknown): void =>
      this.log.warn(`Whether access is still its owner's could not be looked at: ${messageOf(error)}`);
    try {
      const owners = new Map<string, Promise<Principal>>();
      for (const credential of await this.usable(userId)) {
        const owner = owners.get(credential.userId) ?? this.principals.current(credential);
        owners.set(credential.userId, owner);
        await this.lookAt(credential, owner).catch(failed);
      }
    } catch (error) {
      failed(error);
    }
  }

  private async lookAt(credential: ConnectionCredential, owner: Promise<Principal>): Promise<void> {
    const loss = await this.lost.of(heldWith(credential), owner);
    if (loss !== undefined) await this.tell(credential, loss);
  }

  /** Those that could be used, as far as they themselves say. */
  private async usable(userId: string | undefined): Promise<ConnectionCredential[]> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const builder = this.credentials
      .createQueryBuilder('credential')
      .leftJoin('reviews', 'review', 'review.org_id = credential.org_id AND review.id = credential.review_id')
      .where({ orgId, revokedAt: IsNull(), withheldAt: IsNull() })
      .andWhere(`coalesce(credential.expire_at, 'infinity') > now()`)
      .andWhere(`(credential.review_id IS NULL OR review.status = 'APPROVED')`);
    if (userId !== undefined) builder.andWhere({ userId });
    return builder.getMany();
  }

  private async tell(credential: ConnectionCredential, { kind }: Loss): Promise<void> {
    const { orgId, id } = credential;
    await this.credentials.manager.transaction(async (db) => {
      const untold = { orgId, id, revokedAt: IsNull(), withheldAt: IsNull() };
      const { affected } = await db.update(ConnectionCredential, untold, { withheldAt: () => 'now()' });
      // Another gateway was first, or somebody took it back meanwhile.
      if (affected === 0) return;
      const data = await revocationOf(db, credential, kind);
      await this.outbox.add(db, { orgId, type: 'access.revoked', data });
    });
  }
}

/** Auditors are given none. */
function heldWith({ ownerGroups, connectionId, reviewId }: ConnectionCredential) {
  return {
    principal: { groups: ownerGroups ?? [], role: 'regular' },
    target: { id: connectionId },
    verb: 'connect',
    isGranted: reviewId !== null,
  } as const;
}
