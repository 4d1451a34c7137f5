import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Principals } from '../../identity/auth/users/principals';
import { databaseOutage } from '../../platform/database/faults/outage';
import { messageOf } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { AccessRevalidator } from './access-revalidator';
import { CredentialWithholding } from './credential-withholding';
import { type Candidate, RevalidationCandidates } from './revalidation-candidates';
import { entriesAtMost } from '../../kernel/runtime/entries-at-most';

/** Entries of about 150 bytes. Candidates beyond that are revalidated with each heartbeat. */
const REMEMBERED = 100_000;

/**
 * Reports credentials that were not revoked but that their owners may not use any more: the owner may not
 * act, or lost the group that gave access. Each credential is reported once, also when several gateways check
 * it. Sessions are cut by `SessionRevalidation`.
 */
@Injectable()
export class CredentialRevalidation {
  private readonly log = new Logger(CredentialRevalidation.name);
  /** Candidates that lost nothing: id → the state in which they were revalidated. */
  private readonly settled = new LRUCache<string, string>(entriesAtMost(REMEMBERED));

  constructor(
    private readonly candidates: RevalidationCandidates,
    private readonly principals: Principals,
    private readonly revalidator: AccessRevalidator,
    private readonly withholding: CredentialWithholding,
  ) {}

  /**
   * Warns once for all credentials that could not be checked. @param userIds The owners; absent: all owners.
   */
  async revalidate(userIds?: readonly string[]): Promise<void> {
    const faults: unknown[] = [];
    try {
      for await (const page of this.candidates.pages(userIds)) await this.revalidatePage(page, faults);
    } catch (error) {
      faults.push(error);
    }
    if (faults.length === 0) return;
    const times = faults.length === 1 ? '' : ` (${faults.length} times)`;
    this.log.warn(`Credentials could not be revalidated${times}: ${messageOf(faults[0])}`);
  }

  /**
   * @throws the fault of a database that cannot be reached: the rest of the page would only wait for it, too.
   */
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
    // Not if the owner came from a stale cache, or an API key has expired by the database's clock alone.
    else if (isAsFound(candidate, await owner)) this.settled.set(candidate.id, candidate.state);
  }
}

function isAsFound({ groupsNow }: Candidate, { groups }: Principal): boolean {
  if (groupsNow === null) return false;
  const found = new Set(groupsNow);
  return found.size === new Set(groups).size && groups.every((group) => found.has(group));
}

/** Auditors are issued no credentials, so the owner was `regular` or an admin. */
function heldWith({ ownerGroups, connectionId, reviewId }: Candidate) {
  return {
    principal: { groups: ownerGroups ?? [], role: 'regular' },
    target: { id: connectionId },
    verb: 'connect',
    isGranted: reviewId !== null,
  } as const;
}
