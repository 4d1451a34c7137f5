import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { Review } from './review.entity';
import { ReviewedGrants, ReviewedSessions } from './reviewed-work';

/** What follows from a decision, in the very transaction that makes it. */
@Injectable()
export class ReviewAftermath {
  constructor(
    private readonly sessions: ReviewedSessions,
    private readonly grants: ReviewedGrants,
  ) {}

  async approved(db: EntityManager, review: Review): Promise<void> {
    if (review.type === 'onetime') await this.sessions.ready(db, sessionOf(review));
    await this.tell(db, review);
  }

  /** It is rejected, revoked or expired. */
  async ended(db: EntityManager, review: Review, reason: string): Promise<void> {
    if (review.sessionId !== null) await this.sessions.end(db, sessionOf(review), reason);
    if (review.type === 'jit') await this.grants.end(db, review, reason);
    await this.tell(db, review);
  }

  /** EVENTS: `review.decided` goes to the outbox here, once there is one. */
  private async tell(_db: EntityManager, _review: Review): Promise<void> {}
}

function sessionOf({ orgId, sessionId }: Review): { orgId: string; id: string } {
  if (sessionId === null) throw new Error('a one-time review is about a session');
  return { orgId, id: sessionId };
}
