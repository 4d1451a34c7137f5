import { DomainEvent } from '../../../platform/database/feed/domain-events';
import type { EventPerson } from '../../../platform/events/event';

/** A session with a review. */
export interface ReviewedSession {
  readonly orgId: string;
  readonly id: string;
}

/** A requested or approved grant, with the names of person and connection at the time of the request. */
export interface ReviewedGrant {
  readonly orgId: string;
  readonly id: string;
  readonly status: string;
  readonly connectionName: string;
  readonly connectionSubtype: string;
  readonly requesterType: 'user' | 'machine';
  readonly requesterSubject: string;
  readonly requesterEmail: string;
  readonly requesterName: string;
  /** When the grant was approved; null: it was never approved. */
  readonly approvedAt: Date | null;
}

/** A review that was rejected, revoked, or expired. */
export interface EndedReview {
  readonly review: ReviewedGrant & {
    readonly type: 'onetime' | 'jit';
    /** The session that waits; null: the review is about a grant. */
    readonly sessionId: string | null;
  };
  /** A sentence for the recordings of the sessions that end. */
  readonly reason: string;
  /** Person who decided; absent when the review expired. */
  readonly by?: EventPerson | undefined;
}

/**
 * Published when the session of an approved one-time review may run. Handlers throw AppError `conflict` when
 * the session has ended or a gateway still records into it.
 *
 * This event and `reviewEnded` are published in the transaction of the decision, which has locked the review,
 * because a review is always locked before its sessions.
 */
export const reviewApproved = new DomainEvent<ReviewedSession>('review approved', ['access']);

/**
 * Published when a script will not be run, or a grant cannot be used any more. Handlers ignore a session that
 * has ended, and throw AppError `conflict` when a gateway still records into it.
 */
export const reviewEnded = new DomainEvent<EndedReview>('review ended', ['access']);
