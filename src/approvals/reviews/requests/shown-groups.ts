import { type EntityManager, In } from 'typeorm';
import { type Review, ReviewGroup } from '../machine/review.entity';

/**
 * Returns the decisions of groups on each review, ordered by group and then by time. A group that may force
 * an approval but is not asked is missing until one of its members has voted.
 */
export async function shownGroups(
  db: EntityManager,
  orgId: string,
  reviews: readonly Review[],
): Promise<(review: Review) => ReviewGroup[]> {
  if (reviews.length === 0) return () => [];
  const said = await db.find(ReviewGroup, {
    where: { orgId, reviewId: In(reviews.map(({ id }) => id)) },
    order: { groupName: 'ASC', reviewDate: 'ASC', id: 'ASC' },
  });
  const shown = new Map<string, ReviewGroup[]>(reviews.map(({ id }) => [id, []]));
  for (const group of said) {
    if (group.isAsked || group.reviewedBy !== null) shown.get(group.reviewId)?.push(group);
  }
  return ({ id }) => shown.get(id) ?? [];
}
