import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import type { ReviewSnapshot, ReviewState } from './review-machine';
import { isRequester, votingGroups } from './voters';

/**
 * Signs a forced approval off, whatever became of it since. Allowed to admins and to people who could have decided, but not to those who
 * forced it, nor to the requester.
 * @throws AppError `forbidden`; `conflict` when nothing was forced, or it was signed off before.
 */
export function signOffBy(
  { review, votes, now }: ReviewSnapshot,
  actor: Principal,
  comment: string,
): Pick<ReviewState, 'afterReview' | 'signOff'> {
  if (actor.identityType === 'machine') throw new AppError('forbidden', 'API keys cannot sign off');
  if (isRequester(actor, review)) throw new AppError('forbidden', 'you cannot sign off your own request');
  if (votes.some((vote) => vote.forced && vote.userId === actor.userId))
    throw new AppError('forbidden', 'you cannot sign off an approval that you forced');
  if (actor.role !== 'admin' && votingGroups(actor, review).length === 0)
    throw new AppError('forbidden', 'only its reviewers or an admin may sign this review off');
  if (review.afterReview === null)
    throw new AppError('conflict', 'no approval of this review was forced, so there is nothing to sign off');
  if (review.afterReview === 'signed_off')
    throw new AppError('conflict', 'the review was signed off already');
  const by = { id: actor.subject, name: actor.name, email: actor.email };
  return { afterReview: 'signed_off', signOff: { by, at: now.toISOString(), comment } };
}
