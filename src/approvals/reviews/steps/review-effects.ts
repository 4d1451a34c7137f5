import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { DomainEvents } from '../../../platform/database/feed/domain-events';
import { Outbox } from '../../../platform/events/outbox';
import { reviewApproved, reviewEnded } from './review-consequences';
import type { EventPerson } from '../../../platform/events/event';
import { type DecidedBy, decidedEvent, signedOffEvent } from './review-events';
import type { Review } from '../machine/review.entity';

/** Publishes the effects of a decision, in the transaction of the decision. */
@Injectable()
export class ReviewEffects {
  constructor(
    private readonly events: DomainEvents,
    private readonly outbox: Outbox,
  ) {}

  async approved(db: EntityManager, review: Review, by: DecidedBy): Promise<void> {
    const { orgId, sessionId } = review;
    if (sessionId !== null) await this.events.publish(db, reviewApproved, { orgId, id: sessionId });
    await this.publishDecision(db, review, by);
  }

  /**
   * Publishes the end of a review that was rejected, revoked or expired.
   * @param by person who decided; absent when the review expired.
   */
  async ended(db: EntityManager, review: Review, reason: string, by?: DecidedBy): Promise<void> {
    await this.events.publish(db, reviewEnded, { review, reason, by: by?.person });
    await this.publishDecision(db, review, by);
  }

  /** Publishes the sign-off of a forced approval or an emergency. */
  async signedOff(db: EntityManager, review: Review, by: EventPerson): Promise<void> {
    await this.outbox.add(db, signedOffEvent(review, by));
  }

  /** Publishes only the webhook event of a decision whose other effects have already happened. */
  async publishDecision(db: EntityManager, review: Review, by?: DecidedBy): Promise<void> {
    const event = decidedEvent(review, by);
    if (event !== undefined) await this.outbox.add(db, event);
  }
}
