import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CredentialStore } from '../credentials/credential-store';
import type { EventPerson } from '../../platform/events/event';
import type { ReviewedGrant } from '../../approvals/reviews/steps/review-consequences';
import { ConnectSessions } from '../../sessions/list/connect-sessions';
import { AccessNotices } from './access-notices';

/**
 * Ends the credential of a grant that was rejected or revoked, or that
 * expired, and every session that came with it.
 */
@Injectable()
export class GrantRevocations {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly sessions: ConnectSessions,
    private readonly notices: AccessNotices,
  ) {}

  /**
   * In the transaction that ends the review, which is locked.
   * @param reason A sentence for the recordings of the sessions that end.
   * @param by Who decided; absent: its time is over.
   */
  async revokeGrant(
    db: EntityManager,
    grant: ReviewedGrant,
    reason: string,
    by?: EventPerson,
  ): Promise<void> {
    // Locked before its sessions are searched: from here on, no session begins with it.
    const credential = await this.credentials.lock(db, grant);
    // Deleted with its connection, whose deletion ends the sessions.
    if (credential === null || credential.revokedAt !== null) return;
    await this.credentials.revoke(db, grant);
    await this.sessions.endOfCredential(db, grant.orgId, grant.id, reason);
    if (grant.approvedAt !== null) await this.notices.grantEnded(db, grant, credential, by);
  }
}
