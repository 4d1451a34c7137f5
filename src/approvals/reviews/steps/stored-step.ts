import type { EntityManager } from 'typeorm';
import type { LockedReview } from './locked-review';
import type { ReviewTransition } from '../machine/review-machine';
import { Review } from '../machine/review.entity';

/** Stores the changes of a transition of a locked review. Returns the changed review. */
export async function storePatch(
  db: EntityManager,
  { review }: LockedReview,
  { patch }: ReviewTransition,
): Promise<Review> {
  const { orgId, id } = review;
  if (Object.keys(patch).length > 0) await db.update(Review, { orgId, id }, patch);
  return Object.assign(review, patch);
}
