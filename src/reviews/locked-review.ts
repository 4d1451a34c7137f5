import type { EntityManager } from 'typeorm';
import { AppError } from '../kernel/app-error';
import type { Standing } from './review-machine';
import { ReviewVote } from './review-vote.entity';
import { Review } from './review.entity';

/** A review that nobody else changes until the transaction ends. */
export interface LockedReview extends Standing {
  readonly review: Review;
}

/**
 * By its own id, or by the id of its session. The moment is that of the database's clock, which all gateways share, once the
 * lock is held.
 * @throws AppError `not_found`
 */
export async function lockReview(db: EntityManager, orgId: string, id: string): Promise<LockedReview> {
  const review = await db.findOne(Review, {
    where: byEitherId(orgId, id),
    lock: { mode: 'for_no_key_update' },
  });
  if (review === null) throw noReview();
  const votes = await db.findBy(ReviewVote, { orgId, reviewId: review.id });
  const [clock] = await db.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  if (clock === undefined) throw new Error('the database told no time');
  return { review, votes, now: clock.now };
}

export function byEitherId(orgId: string, id: string): { orgId: string; id?: string; sessionId?: string }[] {
  return [
    { orgId, id },
    { orgId, sessionId: id },
  ];
}

export function noReview(): AppError {
  return new AppError('not_found', 'there is no review with this id');
}
