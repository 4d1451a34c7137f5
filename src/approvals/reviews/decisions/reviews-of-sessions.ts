import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventPerson } from '../../../platform/events/event';
import type { ReviewedSession } from '../steps/review-consequences';
import { ReviewEffects } from '../steps/review-effects';
import { decidedBy } from '../steps/review-events';
import { Review } from '../machine/review.entity';

/** Settles reviews when their sessions are closed, in the caller's transaction. */
@Injectable()
export class ReviewsOfSessions {
  constructor(private readonly effects: ReviewEffects) {}

  /** Locks the review. The caller locks the session afterwards, because all code locks reviews first. */
  async lock(db: EntityManager, session: ReviewedSession): Promise<void> {
    await this.lockOne(db, session);
  }

  /**
   * Settles the review of a closed session: an unused request or approval is revoked, and a running execution
   * gets the status `UNKNOWN`.
   * @param closed `by`: the person who closed the session; absent when it ended by itself
   */
  async settleClosed(
    db: EntityManager,
    closed: ReviewedSession & { readonly reason: string; readonly by?: EventPerson | undefined },
  ): Promise<void> {
    const review = await this.lockOne(db, closed);
    const isUnused = review?.status === 'PENDING' || review?.status === 'APPROVED';
    if (review === null || (!isUnused && review.status !== 'PROCESSING')) return;
    const { orgId, id } = review;
    review.status = isUnused ? 'REVOKED' : 'UNKNOWN';
    await db.update(Review, { orgId, id }, { status: review.status, endedAt: () => 'now()' });
    if (isUnused) await this.effects.ended(db, review, closed.reason, decidedBy(closed.by));
  }

  private lockOne(db: EntityManager, { orgId, id }: ReviewedSession): Promise<Review | null> {
    return db.findOne(Review, {
      where: { orgId, sessionId: id },
      lock: { mode: 'for_no_key_update' },
    });
  }
}
