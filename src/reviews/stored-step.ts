import type { EntityManager } from 'typeorm';
import type { LockedReview } from './locked-review';
import type { Step } from './review-machine';
import { Review } from './review.entity';

/** Writes what a step changes of a locked review. Returns the review as it is then. */
export async function storePatch(
  db: EntityManager,
  { review }: LockedReview,
  { patch }: Step,
): Promise<Review> {
  const { orgId, id } = review;
  if (Object.keys(patch).length > 0) await db.update(Review, { orgId, id }, patch);
  return Object.assign(review, patch);
}
