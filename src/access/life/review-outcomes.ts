import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../platform/database/feed/domain-events';
import {
  type EndedReview,
  reviewApproved,
  reviewEnded,
} from '../../approvals/reviews/steps/review-consequences';
import { PendingSessions } from '../../sessions/list/pending-sessions';
import { GrantRevocations } from './grant-revocations';

/** Applies the consequences of a decision: the session becomes ready or is closed, the grant is revoked. */
@Injectable()
export class ReviewOutcomes {
  constructor(
    events: DomainEvents,
    private readonly sessions: PendingSessions,
    private readonly grants: GrantRevocations,
  ) {
    events.handle(reviewApproved, 'access', (db, session) => this.sessions.ready(db, session));
    events.handle(reviewEnded, 'access', (db, ended) => this.endSessions(db, ended));
  }

  /** Locks reviews before credentials, and credentials before sessions (src/platform/database/README.md). */
  private async endSessions(db: EntityManager, { review, reason, by }: EndedReview): Promise<void> {
    const { orgId, sessionId } = review;
    if (review.type === 'jit') await this.grants.revokeGrant(db, review, reason, by);
    if (sessionId !== null) await this.sessions.close(db, { orgId, id: sessionId }, reason);
  }
}
