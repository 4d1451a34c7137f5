import type { EntityManager } from 'typeorm';
import type { Principal } from '../kernel/principal';
import type { Vote } from './outcome';
import type { LockedReview } from './locked-review';
import { ReviewGroup } from './review.entity';
import { ReviewVote } from './review-vote.entity';

type Said = Pick<ReviewVote, 'verdict' | 'groups' | 'forced' | 'timeWindow'>;

/**
 * Keeps what somebody says of a locked review, and returns all that was said. Who says it again adds groups and force to
 * what they said, and may give another time window.
 */
export async function keepVote(
  db: EntityManager,
  locked: LockedReview,
  actor: Principal,
  said: Said,
): Promise<ReviewVote[]> {
  const { review, now } = locked;
  const key = { orgId: review.orgId, reviewId: review.id };
  const before = await db.findOneBy(ReviewVote, { ...key, userId: actor.userId });
  await db.save(ReviewVote, {
    ...key,
    userId: actor.userId,
    verdict: said.verdict,
    groups: [...new Set([...(before?.groups ?? []), ...said.groups])],
    forced: said.forced || (before?.forced ?? false),
    timeWindow: said.timeWindow ?? before?.timeWindow ?? null,
    votedAt: now,
  });
  for (const group of said.groups) await markGroup(db, locked, actor, group, said);
  return db.findBy(ReviewVote, key);
}

export function asVotes(kept: readonly ReviewVote[]): Vote[] {
  return kept.map(({ userId, verdict, groups, forced }) => ({ person: userId, verdict, groups, forced }));
}

/** Shows what was said in the name of a group: in its row that waits, or in one of its own. */
async function markGroup(
  db: EntityManager,
  { review, now }: LockedReview,
  actor: Principal,
  groupName: string,
  { verdict, forced }: Said,
): Promise<void> {
  const { orgId, id: reviewId } = review;
  const key = { orgId, reviewId, groupName };
  const rows = await db.findBy(ReviewGroup, key);
  const row =
    rows.find(({ reviewedBy }) => reviewedBy?.id === actor.subject) ??
    rows.find(({ reviewedBy }) => reviewedBy === null);
  const isForced = forced && review.rules.some((rule) => rule.forceApprovalGroups.includes(groupName));
  // A group that may force and is not asked says nothing without force.
  const isAsked = rows.some((other) => other.isAsked);
  if (!isAsked && !isForced && verdict === 'APPROVED') return;
  await db.save(ReviewGroup, {
    ...(row === undefined ? { ...key, isAsked } : { id: row.id }),
    status: verdict,
    forcedReview: isForced || (row?.forcedReview ?? false),
    reviewDate: now,
    reviewedBy: { id: actor.subject, name: actor.name, email: actor.email, slack_id: '' },
  });
}

/** Rows for groups that are asked and for those that may only force. */
export async function askGroups(
  db: EntityManager,
  orgId: string,
  reviewId: string,
  asked: readonly string[],
  others: readonly string[],
): Promise<void> {
  const row = (isAsked: boolean) => (groupName: string) => ({
    orgId,
    reviewId,
    groupName,
    isAsked,
    status: 'PENDING' as const,
    forcedReview: false,
  });
  await db.insert(ReviewGroup, [...asked.map(row(true)), ...others.map(row(false))]);
}
