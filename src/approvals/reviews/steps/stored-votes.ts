import type { EntityManager } from 'typeorm';
import type { Principal } from '../../../kernel/principal';
import type { LockedReview } from './locked-review';
import type { StoredVote } from '../machine/review-machine';
import { ReviewVote } from '../machine/review-vote.entity';
import { ReviewGroup } from '../machine/review.entity';

/** Stores a vote on a locked review, and shows it in the rows of the groups for which the person voted. */
export async function storeVote(
  db: EntityManager,
  locked: LockedReview,
  actor: Principal,
  vote: StoredVote,
  groups: readonly string[],
): Promise<void> {
  const { review, now } = locked;
  const key = { orgId: review.orgId, reviewId: review.id };
  await db.upsert(ReviewVote, { ...key, ...vote, votedAt: now }, ['reviewId', 'userId']);
  const rows = await db.findBy(ReviewGroup, key);
  for (const groupName of groups) {
    const shown = shownRow(
      locked,
      actor,
      vote,
      rows.filter((row) => row.groupName === groupName),
      groupName,
    );
    if (shown !== undefined) await db.save(ReviewGroup, { ...key, groupName, ...shown });
  }
}

/**
 * Returns the row of a group to save: the row of the person's earlier vote, else the group's pending row,
 * else a new row. Returns undefined if the vote has no effect for the group.
 */
function shownRow(
  { review, now }: LockedReview,
  actor: Principal,
  { verdict, forced }: StoredVote,
  rows: readonly ReviewGroup[],
  groupName: string,
): Partial<ReviewGroup> | undefined {
  const row =
    rows.find(({ reviewedBy }) => reviewedBy?.id === actor.subject) ??
    rows.find(({ reviewedBy }) => reviewedBy === null);
  const isForced = forced && review.rules.some((rule) => rule.forceApprovalGroups.includes(groupName));
  const isAsked = rows.some((other) => other.isAsked);
  // A group that is not asked can only force, so an approval without force has no effect for it.
  if (!isAsked && !isForced && verdict === 'APPROVED') return undefined;
  return {
    ...(row === undefined ? {} : { id: row.id }),
    isAsked,
    status: verdict,
    forcedReview: isForced,
    reviewDate: now,
    reviewedBy: { id: actor.subject, name: actor.name, email: actor.email, slack_id: '' },
    approverId: verdict === 'APPROVED' ? actor.subject : null,
    approverEmail: verdict === 'APPROVED' ? actor.email : null,
  };
}

/** Creates a pending row for each group that is asked, and for each other group that may only force. */
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
