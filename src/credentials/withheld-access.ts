import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LRUCache } from 'lru-cache';
import { IsNull, Repository } from 'typeorm';
import { Principals } from '../auth/principals';
import { Settings } from '../config/settings';
import { ChangeFeed } from '../database/change-feed';
import { databaseOutage } from '../database/outage';
import { Outbox } from '../events/outbox';
import { messageOf } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { LostAccess, type Loss } from '../sessions/lost-access';
import { revocationOf } from './access-revoked';
import { ConnectionCredential } from './credential.entity';
import { type Candidate, WithheldCandidates } from './withheld-candidates';

/** Of more than these, some are judged again with each beat. About 150 bytes each. */
const REMEMBERED = 100_000;

/**
 * Tells others of access that its owner may not use any more although nobody took it back: they may not act, or lost a group
 * for it. Once for each credential, whichever gateways look, and whether or not a session runs by it; those are cut by
 * `PeopleWatch`. What was not heard of, or could not be looked at, is looked at with the next beat.
 */
@Injectable()
export class WithheldAccess implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(WithheldAccess.name);
  /** Candidates that had lost nothing, by id, with the state they were judged in. */
  private readonly settled = new LRUCache<string, string>({ max: REMEMBERED });
  private timer: NodeJS.Timeout | undefined;
  private isLooking = false;

  constructor(
    @InjectRepository(ConnectionCredential) private readonly credentials: Repository<ConnectionCredential>,
    private readonly candidates: WithheldCandidates,
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

  /** Warns once, however many could not be looked at. @param userId Whose; absent: all. */
  private async look(userId?: string): Promise<void> {
    const faults: unknown[] = [];
    try {
      for await (const page of this.candidates.pages(userId)) await this.lookThrough(page, faults);
    } catch (error) {
      faults.push(error);
    }
    if (faults.length === 0) return;
    const times = faults.length === 1 ? '' : ` (${faults.length} times)`;
    this.log.warn(
      `Whether access is still its owner's could not be looked at${times}: ${messageOf(faults[0])}`,
    );
  }

  /** @throws what says that the database is away, so that the rest does not wait for it as well. */
  private async lookThrough(page: readonly Candidate[], faults: unknown[]): Promise<void> {
    const owners = new Map<string, Promise<Principal>>();
    for (const candidate of page) {
      if (this.settled.get(candidate.id) === candidate.state) continue;
      const owner = owners.get(candidate.userId) ?? this.principals.current(candidate);
      owners.set(candidate.userId, owner);
      try {
        await this.lookAt(candidate, owner);
      } catch (error) {
        if (databaseOutage(error) !== undefined) throw error;
        faults.push(error);
      }
    }
  }

  private async lookAt(candidate: Candidate, owner: Promise<Principal>): Promise<void> {
    const loss = await this.lost.of(heldWith(candidate), owner);
    if (loss !== undefined) await this.tell(candidate, loss);
    // An owner who was remembered from before a change, or an API key that only this gateway's clock spares, settles nothing.
    else if (isAsFound(candidate, await owner)) this.settled.set(candidate.id, candidate.state);
  }

  private async tell(candidate: Candidate, { kind }: Loss): Promise<void> {
    const { orgId, id } = candidate;
    await this.credentials.manager.transaction(async (db) => {
      const untold = { orgId, id, revokedAt: IsNull(), withheldAt: IsNull() };
      const { affected } = await db.update(ConnectionCredential, untold, { withheldAt: () => 'now()' });
      // Another gateway was first, or somebody took it back meanwhile.
      if (affected === 0) return;
      const data = await revocationOf(db, candidate, kind);
      await this.outbox.add(db, { orgId, type: 'access.revoked', data });
    });
  }
}

function isAsFound({ groupsNow }: Candidate, { groups }: Principal): boolean {
  if (groupsNow === null) return false;
  const found = new Set(groupsNow);
  return found.size === new Set(groups).size && groups.every((group) => found.has(group));
}

/** Auditors are given none. */
function heldWith({ ownerGroups, connectionId, reviewId }: Candidate) {
  return {
    principal: { groups: ownerGroups ?? [], role: 'regular' },
    target: { id: connectionId },
    verb: 'connect',
    isGranted: reviewId !== null,
  } as const;
}
