import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { CredentialStore } from '../credentials/credential-store';
import type { EventPerson } from '../../platform/events/event';
import type { ReviewedGrant } from '../../approvals/reviews/steps/review-consequences';
import { ConnectSessions } from '../../sessions/list/connect-sessions';
import { AccessNotices } from './access-notices';

/**
 * Ends the credential and all sessions of a grant that was rejected, was revoked, or expired.
 */
@Injectable()
export class GrantRevocations {
  constructor(
    private readonly credentials: CredentialStore,
    private readonly sessions: ConnectSessions,
    private readonly notices: AccessNotices,
  ) {}

  /**
   * Runs in the transaction that ends the review and has locked it.
   * @param reason a sentence for the recordings of the sessions that end
   * @param by the person who decided; absent when the review expired
   */
  async revokeGrant(
    db: EntityManager,
    grant: ReviewedGrant,
    reason: string,
    by?: EventPerson,
  ): Promise<void> {
    // Lock the credential before the search for its sessions, so that no session begins with it afterwards.
    const credential = await this.credentials.lock(db, grant);
    // A missing credential was deleted with its connection, and the deletion ends the sessions.
    if (credential === null || credential.revokedAt !== null) return;
    await this.credentials.revoke(db, grant);
    await this.sessions.endOfCredential(db, grant.orgId, grant.id, reason);
    if (grant.approvedAt !== null) await this.notices.grantEnded(db, grant, credential, by);
  }
}
