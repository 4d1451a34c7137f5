import type { EntityManager } from 'typeorm';
import { AppError } from '../kernel/app-error';
import { type ReviewStatus, isFinal, mayBecome, stateWords } from './review-state';
import { Review } from './review.entity';

/** A review that nobody else changes until the transaction ends, and the moment at which that began to hold. */
export interface LockedReview {
  readonly review: Review;
  /** By the clock of the database, which all gateways share. */
  readonly now: Date;
}

/** By its own id, or by the id of its session. @throws AppError `not_found` */
export async function lockReview(db: EntityManager, orgId: string, id: string): Promise<LockedReview> {
  const review = await db.findOne(Review, {
    where: [
      { orgId, id },
      { orgId, sessionId: id },
    ],
    lock: { mode: 'for_no_key_update' },
  });
  if (review === null) throw noReview();
  const [clock] = await db.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  return { review, now: clock?.now ?? new Date(Number.NaN) };
}

/** Moves a locked review on. What else changed of it is written too. */
export async function move(
  db: EntityManager,
  { review, now }: LockedReview,
  to: ReviewStatus,
): Promise<void> {
  if (!mayBecome(review.status, to))
    throw new AppError('conflict', `the review ${stateWords[review.status]}`);
  review.status = to;
  if (isFinal(to)) review.endedAt = now;
  await db.save(review);
}

/** @throws AppError `conflict` for one that is in another state, or whose time is over although nobody wrote it down yet. */
export function requireState({ review, now }: LockedReview, ...states: ReviewStatus[]): void {
  if (!states.includes(review.status))
    throw new AppError('conflict', `the review ${stateWords[review.status]}`);
  if (review.expiresAt.getTime() <= now.getTime())
    throw new AppError('conflict', `the review ${stateWords.EXPIRED}`);
}

export function noReview(): AppError {
  return new AppError('not_found', 'there is no review with this id');
}
