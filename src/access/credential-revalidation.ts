import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Principals } from '../auth/principals';
import { databaseOutage } from '../database/outage';
import { messageOf } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { AccessRevalidator } from './access-revalidator';
import { CredentialWithholding } from './credential-withholding';
import { type Candidate, RevalidationCandidates } from './revalidation-candidates';

/** Of more than these, some are judged again with each heartbeat. About 150 bytes each. */
const REMEMBERED = 100_000;

/**
 * Tells others of credentials that their owners may not use any more although nobody revoked them: they may not act, or lost a
 * group for it. Once for each credential, whichever gateways look, and whether or not a session runs by it; those are cut by
 * `SessionRevalidation`.
 */
@Injectable()
export class CredentialRevalidation {
  private readonly log = new Logger(CredentialRevalidation.name);
  /** Candidates that had lost nothing, by id, with the state they were judged in. */
  private readonly settled = new LRUCache<string, string>({ max: REMEMBERED });
  private isChecking = false;

  constructor(
    private readonly candidates: RevalidationCandidates,
    private readonly principals: Principals,
    private readonly revalidator: AccessRevalidator,
    private readonly withholding: CredentialWithholding,
  ) {}

  /** One round at a time. */
  async revalidateAll(): Promise<void> {
    if (this.isChecking) return;
    this.isChecking = true;
    await this.revalidate();
    this.isChecking = false;
  }

  /** Warns once, however many could not be checked. @param userId Whose; absent: all. */
  async revalidate(userId?: string): Promise<void> {
    const faults: unknown[] = [];
    try {
      for await (const page of this.candidates.pages(userId)) await this.revalidatePage(page, faults);
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
  private async revalidatePage(page: readonly Candidate[], faults: unknown[]): Promise<void> {
    const owners = new Map<string, Promise<Principal>>();
    for (const candidate of page) {
      if (this.settled.get(candidate.id) === candidate.state) continue;
      const owner = owners.get(candidate.userId) ?? this.principals.current(candidate);
      owners.set(candidate.userId, owner);
      try {
        await this.revalidateOne(candidate, owner);
      } catch (error) {
        if (databaseOutage(error) !== undefined) throw error;
        faults.push(error);
      }
    }
  }

  private async revalidateOne(candidate: Candidate, owner: Promise<Principal>): Promise<void> {
    const loss = await this.revalidator.revalidate(heldWith(candidate), owner);
    if (loss !== undefined) await this.withholding.withhold(candidate, loss.kind);
    // An owner who was remembered from before a change, or an API key that only this gateway's clock spares, settles nothing.
    else if (isAsFound(candidate, await owner)) this.settled.set(candidate.id, candidate.state);
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
