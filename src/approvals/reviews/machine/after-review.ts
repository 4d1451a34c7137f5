import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import type { ReviewSnapshot, ReviewState } from './review-machine';
import { type Accounts, isRequester, otherAccount, votingGroups } from './voters';

/** Input of a sign-off: a person's comment after a second look. */
export interface SecondLook {
  readonly comment: string;
  /** The requester, and the accounts that forced the approval. */
  readonly others: Accounts;
}

/**
 * Signs off a forced approval or an emergency that cannot be used any more. Allowed to admins, and to people
 * who could have decided. Refused to the requester and to people who forced the approval. Another account of
 * one of these people (same e-mail address, or deleted and created again) is refused, too.
 * @throws AppError `forbidden`; `conflict` when nothing was forced, the approval can still be used, or it was
 * signed off before.
 */
export function signOffBy(
  standing: ReviewSnapshot,
  actor: Principal,
  { comment, others }: SecondLook,
): Pick<ReviewState, 'afterReview' | 'signOff'> {
  const { review, now } = standing;
  requireOther(standing, actor, others);
  if (actor.role !== 'admin' && votingGroups(actor, review).length === 0)
    throw new AppError('forbidden', 'only its reviewers or an admin may sign this review off');
  if (review.afterReview === null)
    throw new AppError('conflict', 'no approval of this review was forced, so there is nothing to sign off');
  if (review.afterReview === 'signed_off')
    throw new AppError('conflict', 'the review was signed off already');
  if (isUsable(standing))
    throw new AppError(
      'conflict',
      'the approval can still be used: sign it off when it was used or has ended, or revoke it first',
    );
  const by = { id: actor.subject, name: actor.name, email: actor.email };
  return { afterReview: 'signed_off', signOff: { by, at: now.toISOString(), comment } };
}

function requireOther({ review, votes }: ReviewSnapshot, actor: Principal, others: Accounts): void {
  if (actor.identityType === 'machine') throw new AppError('forbidden', 'API keys cannot sign off');
  if (isRequester(actor, review)) throw new AppError('forbidden', 'you cannot sign off your own request');
  if (votes.some((vote) => vote.forced && vote.userId === actor.userId))
    throw new AppError('forbidden', 'you cannot sign off an approval that you forced');
  const other = otherAccount(actor, others);
  if (other !== undefined)
    throw new AppError(
      'forbidden',
      `${other} asked for this or forced it, so another person has to sign it off`,
    );
}

/** Whether the approval can still be used. A sign-off reviews the use, so it is possible only afterwards. */
function isUsable({ review: { status, expiresAt }, now }: ReviewSnapshot): boolean {
  return status === 'PROCESSING' || (status === 'APPROVED' && expiresAt.getTime() > now.getTime());
}
