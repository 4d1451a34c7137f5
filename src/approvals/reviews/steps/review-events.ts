import type { EventPerson, PublishedEvent } from '../../../platform/events/event';
import type { Review } from '../machine/review.entity';
import { namedGroups } from '../machine/voters';

/** Person who decided, and whether the decision rests on force, by this person or by an earlier vote. */
export interface DecidedBy {
  readonly person: EventPerson;
  readonly forced: boolean;
}

/** Returns a decision without force; undefined if no person decided. */
export function decidedBy(person: EventPerson | undefined): DecidedBy | undefined {
  return person === undefined ? undefined : { person, forced: false };
}

/** The webhook event for a requested review. */
export function requestedEvent(review: Review): PublishedEvent {
  return {
    orgId: review.orgId,
    type: 'review.requested',
    data: {
      ...reviewData(review),
      groups: namedGroups(review.rules),
      access_duration: review.type === 'jit' ? review.accessDuration : null,
      expires_at: review.expiresAt.toISOString(),
    },
  };
}

/**
 * Returns the webhook event for a decided review; undefined for states that are not decisions. The use of an
 * approval is not reported here, but by the event of the session.
 * @param by absent when the review expired or the session ended by itself.
 */
export function decidedEvent(review: Review, by: DecidedBy | undefined): PublishedEvent | undefined {
  const { status } = review;
  if (status !== 'APPROVED' && status !== 'REJECTED' && status !== 'REVOKED' && status !== 'EXPIRED')
    return undefined;
  return {
    orgId: review.orgId,
    type: 'review.decided',
    data: {
      ...reviewData(review),
      status,
      decided_by: by?.person ?? null,
      forced: by?.forced ?? false,
      emergency: review.emergency,
      groups: namedGroups(review.rules),
      force_reason: by?.forced === true ? review.forceReason : null,
      expires_at: status === 'APPROVED' ? review.expiresAt.toISOString() : null,
    },
  };
}

/** The webhook event for a forced approval or an emergency that was signed off. */
export function signedOffEvent(review: Review, by: EventPerson): PublishedEvent {
  return {
    orgId: review.orgId,
    type: 'review.signed_off',
    data: {
      ...reviewData(review),
      emergency: review.emergency,
      force_reason: review.forceReason,
      signed_off_by: by,
      comment: review.signOff?.comment ?? '',
    },
  };
}

function reviewData(review: Review) {
  return {
    review_id: review.id,
    session_id: review.sessionId,
    // Without the arguments of the call, because the event leaves the gateway.
    call: review.call && { session_id: review.callSessionId, name: review.call.name },
    review_type: review.type,
    connection: { id: review.connectionId, name: review.connectionName, subtype: review.connectionSubtype },
    requester: requesterOf(review),
    rules: review.rules.map(({ id, name }) => ({ id, name })),
    reason: review.reason,
  };
}

function requesterOf(review: Review): EventPerson {
  return {
    id: review.requesterSubject,
    email: review.requesterEmail,
    name: review.requesterName,
    identity_type: review.requesterType,
  };
}
