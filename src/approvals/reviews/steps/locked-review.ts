import { type EntityManager, type FindOptionsWhere, Raw } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import type { ReviewSnapshot } from '../machine/review-machine';
import { ReviewVote } from '../machine/review-vote.entity';
import { Review } from '../machine/review.entity';

/** A review that is locked until the transaction ends. */
export interface LockedReview extends ReviewSnapshot {
  readonly review: Review;
}

/**
 * Locks a review, found by its id or by the id of one of its sessions. After the lock is taken, `now` is read
 * from the database's clock, which all gateways share.
 * @throws AppError `not_found`
 */
export async function lockReview(db: EntityManager, orgId: string, id: string): Promise<LockedReview> {
  const review = await db.findOne(Review, {
    where: whereEitherId(orgId, id),
    lock: { mode: 'for_no_key_update' },
  });
  return snapshotOf(db, review);
}

/** Reads a review as `lockReview` does, but locks nothing. @throws AppError `not_found` */
export async function readReview(db: EntityManager, orgId: string, id: string): Promise<ReviewSnapshot> {
  return snapshotOf(db, await db.findOneBy(Review, whereEitherId(orgId, id)));
}

async function snapshotOf(
  db: EntityManager,
  review: Review | null,
): Promise<ReviewSnapshot & { readonly review: Review }> {
  if (review === null) throw reviewNotFound();
  const votes = await db.findBy(ReviewVote, { orgId: review.orgId, reviewId: review.id });
  const [clock] = await db.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
  if (clock === undefined) throw new Error('the database returned no time');
  return { review, votes, now: clock.now };
}

type Which = FindOptionsWhere<Review>;

export function whereEitherId(orgId: string, id: string): Which[] {
  return [{ orgId, id }, ...ofSession(orgId, id)];
}

/** Conditions that find the review for which a session waits, or with whose grant it was opened. */
export function ofSession(orgId: string, sessionId: string): Which[] {
  const stoodFor = (column: string): string =>
    `${column} = (SELECT review_id FROM granted_sessions WHERE org_id = :ofOrg AND session_id = :ofSession)`;
  return [
    { orgId, sessionId },
    { orgId, type: 'jit', id: Raw(stoodFor, { ofOrg: orgId, ofSession: sessionId }) },
  ];
}

export function reviewNotFound(): AppError {
  return new AppError('not_found', 'there is no review with this id');
}
