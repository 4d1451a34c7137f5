import { AppError } from '../../../kernel/app-error';
import { type ReviewSnapshot, type ReviewTransition, moved, requireState } from './review-machine';
import { isWithin } from './time-window';

/**
 * Claims an approval for its one execution.
 * @param inputHash SHA-256 of the input to run.
 * @throws AppError `conflict` with the reason: not approved, expired, already used, outside the approved
 * hours, or approved for another input.
 */
export function claimed(standing: ReviewSnapshot, inputHash: Buffer): ReviewTransition {
  const { review, now } = standing;
  requireState(standing, 'APPROVED');
  if (review.inputHash === null || !review.inputHash.equals(inputHash))
    throw new AppError('conflict', 'this is not the input that was approved');
  if (review.timeWindow !== null && !isWithin(review.timeWindow, now.getTime())) {
    const { start_time, end_time } = review.timeWindow.configuration;
    throw new AppError('conflict', `the approval can be used from ${start_time} to ${end_time} UTC only`);
  }
  return { patch: { ...moved(standing, 'PROCESSING'), takenAt: now } };
}

/** Ends the execution of an approved input. Returns undefined if no execution is running. */
export function executed(standing: ReviewSnapshot): ReviewTransition | undefined {
  return standing.review.status === 'PROCESSING' ? { patch: moved(standing, 'EXECUTED') } : undefined;
}

/** Revokes the review, for example when its connection is deleted. Returns undefined if it is not open. */
export function withdrawn(standing: ReviewSnapshot, why: string): ReviewTransition | undefined {
  const { status } = standing.review;
  if (status !== 'PENDING' && status !== 'APPROVED') return undefined;
  return { patch: { ...moved(standing, 'REVOKED'), rejectionReason: why }, ending: why };
}

/** Expires the review. Returns undefined if the time of the review is not over, or if it is not open. */
export function expired(standing: ReviewSnapshot): ReviewTransition | undefined {
  const { review, now } = standing;
  const isOpen = review.status === 'PENDING' || review.status === 'APPROVED';
  if (!isOpen || review.expiresAt.getTime() > now.getTime()) return undefined;
  const unused =
    review.status === 'PENDING'
      ? 'Nobody decided on the review in time.'
      : 'The approval was not used in time.';
  return {
    patch: moved(standing, 'EXPIRED'),
    ending: review.revokeAt === null ? unused : 'The access ended.',
  };
}
