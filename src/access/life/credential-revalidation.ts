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

/** Maximum number of cached results, about 150 bytes each. Other candidates are checked each heartbeat. */
const REMEMBERED = 100_000;

/**
 * Reports unrevoked credentials that their owners may not use any more, because the owner may not act, or
 * lost the group that gave access. Each credential is reported once, even if several gateways check it.
 * Sessions are ended by `SessionRevalidation`, not here.
 */
@Injectable()
export class CredentialRevalidation {
  private readonly log = new Logger(CredentialRevalidation.name);
  /** Candidates that still have access: id → the state in which they were revalidated. */
  private readonly settled = new LRUCache<string, string>(entriesAtMost(REMEMBERED));

  constructor(
    private readonly candidates: RevalidationCandidates,
    private readonly principals: Principals,
    private readonly revalidator: AccessRevalidator,
    private readonly withholding: CredentialWithholding,
  ) {}

  /**
   * Logs at most one warning, for all credentials that could not be checked.
   * @param userIds the owners; absent: all owners
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
   * @throws the error of an unreachable database, because all other credentials would fail with it too
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
    // The credential was deleted with its connection.
    if (loss?.kind === 'connection_deleted') return;
    if (loss !== undefined) await this.withholding.withhold(candidate, loss.kind);
    // Not cached if the owner's groups differ from those in the database query: the owner may come from a
    // stale cache, or be an API key that has expired only by the database's clock.
    else if (isAsFound(candidate, await owner)) this.settled.set(candidate.id, candidate.state);
  }
}

function isAsFound({ groupsNow }: Candidate, { groups }: Principal): boolean {
  if (groupsNow === null) return false;
  const found = new Set(groupsNow);
  return found.size === new Set(groups).size && groups.every((group) => found.has(group));
}

/** Returns the access to check. The role is always `regular`, because auditors get no credentials. */
function heldWith({ ownerGroups, connectionId, reviewId }: Candidate) {
  return {
    principal: { groups: ownerGroups ?? [], role: 'regular' },
    target: { id: connectionId },
    verb: 'connect',
    isRoleDecided: false,
    isGranted: reviewId !== null,
  } as const;
}
