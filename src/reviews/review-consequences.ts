import { DomainEvent } from '../database/domain-events';
import type { EventPerson } from '../events/event';

/** A session that waits for its review. */
export interface ReviewedSession {
  readonly orgId: string;
  readonly id: string;
}

/** Access for a while that somebody was given, or asked for; who and where as they were called then. */
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
  /** null: it never was. */
  readonly approvedAt: Date | null;
}

/** A review that was rejected or revoked, or that expired. */
export interface EndedReview {
  readonly review: ReviewedGrant & {
    readonly type: 'onetime' | 'jit';
    /** null: the review is about a span of time. */
    readonly sessionId: string | null;
  };
  /** A sentence for the recordings of the sessions that end. */
  readonly reason: string;
  /** Who decided; absent: its time is over. */
  readonly by?: EventPerson | undefined;
}

/**
 * Both are published in the transaction that decides, which has locked the review: reviews are always locked before their
 * sessions.
 *
 * The session of a one-time review may be run. Handlers throw AppError `conflict` when it is over, or is still being recorded.
 */
export const reviewApproved = new DomainEvent<ReviewedSession>('review approved', ['access']);

/**
 * What the review is about will not be run, or may not be used any more. Handlers leave a session alone that is over, and throw
 * AppError `conflict` when it is still being recorded.
 */
export const reviewEnded = new DomainEvent<EndedReview>('review ended', ['access']);
