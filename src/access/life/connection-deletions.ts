import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { type DeletedConnection, connectionDeleted } from '../../connections/registry/connection-deleted';
import { CredentialStore } from '../credentials/credential-store';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import { personOf } from '../../platform/events/event';
import type { ChangeEffect } from '../../platform/http/routes/change';
import { ReviewsOfConnections } from '../../approvals/reviews/decisions/reviews-of-connections';
import { ConnectSessions } from '../../sessions/list/connect-sessions';
import { AccessNotices } from './access-notices';

/** Reason for which sessions and reviews of a deleted connection end. */
export const CONNECTION_DELETED = 'The connection was deleted.';

/**
 * Revokes all access to a connection that is being deleted: requests, approvals, and credentials that needed
 * no approval. Also ends the sessions of the connection's clients.
 */
@Injectable()
export class ConnectionDeletions {
  constructor(
    events: DomainEvents,
    private readonly reviews: ReviewsOfConnections,
    private readonly credentials: CredentialStore,
    private readonly sessions: ConnectSessions,
    private readonly notices: AccessNotices,
  ) {
    events.handle(connectionDeleted, 'access', (db, deleted) => this.revokeAll(db, deleted));
  }

  /**
   * Locks all reviews first, then all credentials, then all sessions (src/platform/database/README.md).
   * Returns the changes for the audit log.
   */
  private async revokeAll(db: EntityManager, { actor, id }: DeletedConnection): Promise<ChangeEffect[]> {
    const { orgId } = actor;
    const open = await this.reviews.lockOpen(db, orgId, id);
    await this.credentials.lockOnConnection(db, orgId, id);
    await this.sessions.lockOnConnection(db, orgId, id);
    const effects: ChangeEffect[] = [];
    for (const reviewId of open)
      effects.push(...(await this.reviews.withdraw(db, actor, reviewId, CONNECTION_DELETED)));
    for (const credential of await this.credentials.lockUnreviewed(db, orgId, id)) {
      await this.credentials.revoke(db, credential);
      await this.notices.credentialRevoked(db, credential, 'revoked', personOf(actor));
    }
    await this.sessions.endOnConnection(db, orgId, id, CONNECTION_DELETED);
    return effects;
  }
}
