import type { EntityManager } from 'typeorm';
import type { EventPerson } from '../events/event';

/** A session that waits for its review. */
export interface ReviewedSession {
  readonly orgId: string;
  readonly id: string;
}

/**
 * What becomes of the session of a one-time review; kept by the Sessions module. All of it happens inside the
 * transaction that decides, which has locked the review before: reviews are always locked before their sessions.
 */
export abstract class ReviewedSessions {
  /** The session may be run. @throws AppError `conflict` when it is over, or does not wait yet. */
  abstract ready(db: EntityManager, session: ReviewedSession): Promise<void>;
  /** It will not be run: `done`, its recording closed with that reason. One that is over stays as it is.
   * @throws AppError `conflict` when it does not wait yet. */
  abstract end(db: EntityManager, session: ReviewedSession, reason: string): Promise<void>;
}

/** A span of time that somebody was given, or asked for; who and where as they were called then. */
export interface ReviewedGrant extends ReviewedSession {
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

/** What becomes of the access that a review of a span of time gave; kept by whoever gives it. */
export abstract class ReviewedGrants {
  /**
   * The access is taken back, in the transaction that revokes or expires the review: whatever runs by it ends.
   * @param by Whose word it was; absent: it came by itself.
   */
  abstract end(db: EntityManager, grant: ReviewedGrant, reason: string, by?: EventPerson): Promise<void>;

  /** Locks all access to a connection that is being deleted, and the sessions that are open on it, in this order. */
  abstract lockAll(db: EntityManager, orgId: string, connectionId: string): Promise<void>;

  /** The access to a connection that needed no review is taken back, as the connection is being deleted. */
  abstract endUnreviewed(
    db: EntityManager,
    orgId: string,
    connectionId: string,
    by: EventPerson,
  ): Promise<void>;
}
