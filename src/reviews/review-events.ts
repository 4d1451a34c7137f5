import type { EventPerson, ToldEvent } from '../events/event';
import type { Review } from './review.entity';
import { namedGroups } from './voters';

/** Whose word a decision was, and whether it used the right to force it. */
export interface DecidedBy {
  readonly person: EventPerson;
  readonly forced: boolean;
}

/** Of a word that forces nothing. */
export function decidedBy(person: EventPerson | undefined): DecidedBy | undefined {
  return person === undefined ? undefined : { person, forced: false };
}

/** What others are told when a review is asked for. */
export function requestedEvent(review: Review): ToldEvent {
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
 * What others are told of each end of a decision; undefined of a state that is none: that it was used is told of its session.
 * @param by absent: time did it, or a session that ended by itself.
 */
export function decidedEvent(review: Review, by: DecidedBy | undefined): ToldEvent | undefined {
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
      expires_at: status === 'APPROVED' ? review.expiresAt.toISOString() : null,
    },
  };
}

function reviewData(review: Review) {
  return {
    review_id: review.id,
    session_id: review.sessionId,
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
