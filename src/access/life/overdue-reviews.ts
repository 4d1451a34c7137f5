import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EventPerson } from '../../platform/events/event';
import { ReviewExecutions } from '../../approvals/reviews/decisions/review-executions';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';
import { AbandonedSessions } from '../../sessions/list/abandoned-sessions';

/**
 * $1 organization. Reviews that are open although their session ended more than a minute ago. The minute is
 * for the gateway that ends the session, which closes the review itself. One join: otherwise each heartbeat
 * would carry the ids of all waiting reviews. A call that waits, or is approved, does not end with its
 * session, because it may be repeated in another; one that was running does.
 */
const ENDED_ELSEWHERE = `
  SELECT review.id, ended.exit_code AS "exitCode", ended.stopped_by AS "stoppedBy"
  FROM reviews AS review JOIN sessions AS ended
    ON ended.org_id = review.org_id AND ended.id = coalesce(review.session_id, review.call_session_id)
  WHERE review.org_id = $1 AND ended.status = 'done'
    AND (review.status = 'PROCESSING' OR review.session_id IS NOT NULL AND review.status IN ('PENDING', 'APPROVED'))
    AND ended.end_date BETWEEN review.created_at AND now() - interval '1 minute'
  ORDER BY review.id`;

/** Ends reviews that expired without a decision, and their sessions. */
@Injectable()
export class OverdueReviews {
  constructor(
    private readonly executions: ReviewExecutions,
    private readonly reviews: ReviewsService,
    private readonly sessions: AbandonedSessions,
    private readonly database: DataSource,
  ) {}

  expire(orgId: string): Promise<void> {
    return this.executions.expire(orgId);
  }

  /** Closes reviews whose session was killed, or whose gateway died. */
  async settleEnded(orgId: string): Promise<void> {
    const ended = await this.database.query<
      { id: string; exitCode: number | null; stoppedBy: EventPerson | null }[]
    >(ENDED_ELSEWHERE, [orgId]);
    if (ended.length > 0) await this.executions.settleEnded(orgId, ended);
  }

  /**
   * Ends sessions that wait although their review has expired. Only a gateway of an older version leaves such
   * sessions: it ended the two one after the other.
   */
  async endUndecidedSessions(orgId: string): Promise<void> {
    const waiting = await this.sessions.waiting(orgId);
    const undecided = waiting.length === 0 ? [] : await this.reviews.expiredAmong(orgId, waiting);
    await this.sessions.endWaiting(orgId, undecided, 'Nobody decided on the review in time.');
  }
}
