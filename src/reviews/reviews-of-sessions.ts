import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { EventPerson } from '../events/event';
import type { Principal } from '../kernel/principal';
import { ReviewAftermath } from './review-aftermath';
import { decidedBy } from './review-events';
import { Review } from './review.entity';
import type { ReviewedSession } from './reviewed-work';

/** The Reviews module's door to those who run or end the sessions that were asked about. */
@Injectable()
export class ReviewsOfSessions {
  constructor(private readonly aftermath: ReviewAftermath) {}

  /** Who asked; undefined where nobody did, or where they are not known any more. */
  async requester(
    db: EntityManager,
    { orgId, id }: ReviewedSession,
  ): Promise<Pick<Principal, 'identityType' | 'userId'> | undefined> {
    const review = await db.findOneBy(Review, { orgId, sessionId: id });
    return review === null || review.requesterId === null
      ? undefined
      : { identityType: review.requesterType, userId: review.requesterId };
  }

  /**
   * Ends a session that nobody runs any more, and with it what was asked about it, in the caller's transaction: the review
   * is locked before the session, as everywhere. What was not used yet is taken back; of what was being executed nobody
   * knows how far it came.
   * @param end Ends the session; false: somebody else did, and the review is left to them.
   * @param by Whose word it is; absent: it comes by itself.
   */
  async endWith(
    db: EntityManager,
    { orgId, id }: ReviewedSession,
    reason: string,
    end: () => Promise<boolean>,
    by?: EventPerson,
  ): Promise<boolean> {
    const review = await db.findOne(Review, {
      where: { orgId, sessionId: id },
      lock: { mode: 'for_no_key_update' },
    });
    if (!(await end())) return false;
    const isUnused = review?.status === 'PENDING' || review?.status === 'APPROVED';
    if (review === null || (!isUnused && review.status !== 'PROCESSING')) return true;
    review.status = isUnused ? 'REVOKED' : 'UNKNOWN';
    await db.update(Review, { orgId, id: review.id }, { status: review.status, endedAt: () => 'now()' });
    if (isUnused) await this.aftermath.ended(db, review, reason, decidedBy(by));
    return true;
  }
}
