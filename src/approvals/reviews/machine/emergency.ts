import { hasEmergencyAccess } from '../../../connections/registry/fields/access-groups';
import { AppError } from '../../../kernel/app-error';
import type { Principal } from '../../../kernel/principal';
import {
  connectionWasDeleted,
  type ReviewSnapshot,
  type ReviewTransition,
  moved,
  requireState,
} from './review-machine';

/** An emergency, as the requester declares it. */
export interface Declaration {
  readonly reason: string;
  /**
   * `emergency_access_groups` of the connection now; undefined: the connection was deleted after the request.
   */
  readonly groups: readonly string[] | undefined;
  /** Milliseconds from now until the approval, and all access from it, ends. */
  readonly usableMs: number;
}

/**
 * Approves the actor's own request in place of all reviewers, for a short time, and marks it for a second
 * look. There is no other way to approve one's own request. Only people can declare an emergency: requests of
 * API keys wait for their reviewers.
 * @throws AppError `forbidden`; `conflict` when the request is already decided or its connection was deleted.
 */
export function declareEmergency(
  standing: ReviewSnapshot,
  actor: Principal,
  { reason, groups, usableMs }: Declaration,
): ReviewTransition {
  const { review, now } = standing;
  if (actor.identityType !== 'user' || review.requesterType !== 'user' || review.requesterId !== actor.userId)
    throw new AppError('forbidden', 'only the person who asked may declare an emergency');
  if (groups === undefined) throw connectionWasDeleted(review);
  if (!hasEmergencyAccess(actor, groups))
    throw new AppError(
      'forbidden',
      `none of your groups may open the connection ${review.connectionName} in an emergency`,
    );
  requireState(standing, 'PENDING');
  return {
    patch: {
      ...moved(standing, 'APPROVED'),
      approvedAt: now,
      expiresAt: new Date(now.getTime() + usableMs),
      accessDuration: Math.min(review.accessDuration, Math.floor(usableMs / 1000)),
      timeWindow: null,
      emergency: true,
      forceReason: reason,
      afterReview: 'open',
    },
  };
}
