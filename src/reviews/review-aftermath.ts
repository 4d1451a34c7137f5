import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { Outbox } from '../events/outbox';
import { type DecidedBy, decidedEvent } from './review-events';
import type { Review } from './review.entity';
import { ReviewedGrants, ReviewedSessions } from './reviewed-work';

/** What follows from a decision, in the very transaction that makes it. */
@Injectable()
export class ReviewAftermath {
  constructor(
    private readonly sessions: ReviewedSessions,
    private readonly grants: ReviewedGrants,
    private readonly outbox: Outbox,
  ) {}

  async approved(db: EntityManager, review: Review, by: DecidedBy): Promise<void> {
    if (review.type === 'onetime') await this.sessions.ready(db, sessionOf(review));
    await this.tell(db, review, by);
  }

  /** It is rejected, revoked or expired. @param by Whose word it was; absent: its time is over. */
  async ended(db: EntityManager, review: Review, reason: string, by?: DecidedBy): Promise<void> {
    if (review.sessionId !== null) await this.sessions.end(db, sessionOf(review), reason);
    if (review.type === 'jit') await this.grants.end(db, review, reason, by?.person);
    await this.tell(db, review, by);
  }

  /** Others learn of it, where all that follows was done already. */
  async tell(db: EntityManager, review: Review, by?: DecidedBy): Promise<void> {
    const event = decidedEvent(review, by);
    if (event !== undefined) await this.outbox.add(db, event);
  }
}

function sessionOf({ orgId, sessionId }: Review): { orgId: string; id: string } {
  if (sessionId === null) throw new Error('a one-time review is about a session');
  return { orgId, id: sessionId };
}
