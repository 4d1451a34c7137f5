import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../database/domain-events';
import { Outbox } from '../events/outbox';
import { reviewApproved, reviewEnded } from './review-consequences';
import { type DecidedBy, decidedEvent } from './review-events';
import type { Review } from './review.entity';

/** What follows from a decision, in the very transaction that makes it. */
@Injectable()
export class ReviewEffects {
  constructor(
    private readonly events: DomainEvents,
    private readonly outbox: Outbox,
  ) {}

  async approved(db: EntityManager, review: Review, by: DecidedBy): Promise<void> {
    const { orgId, sessionId } = review;
    if (sessionId !== null) await this.events.publish(db, reviewApproved, { orgId, id: sessionId });
    await this.tell(db, review, by);
  }

  /** It is rejected, revoked or expired. @param by Who decided; absent: its time is over. */
  async ended(db: EntityManager, review: Review, reason: string, by?: DecidedBy): Promise<void> {
    await this.events.publish(db, reviewEnded, { review, reason, by: by?.person });
    await this.tell(db, review, by);
  }

  /** Others learn of it, where all that follows was done already. */
  async tell(db: EntityManager, review: Review, by?: DecidedBy): Promise<void> {
    const event = decidedEvent(review, by);
    if (event !== undefined) await this.outbox.add(db, event);
  }
}
