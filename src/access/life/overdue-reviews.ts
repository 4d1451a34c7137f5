import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { EventPerson } from '../../platform/events/event';
import { ReviewExecutions } from '../../approvals/reviews/decisions/review-executions';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';
import { AbandonedSessions } from '../../sessions/list/abandoned-sessions';

/**
 * Selects open reviews of organization $1 whose session ended more than a minute ago. Until then, the gateway
 * that ends the session should close the review itself. A pending or approved review of a call is not
 * selected, because the call may be repeated in another session; it is selected if the call was running. The
 * join is in SQL, so that a heartbeat does not transfer the ids of all waiting reviews.
 */
const ENDED_ELSEWHERE = `
  SELECT review.id, ended.exit_code AS "exitCode", ended.stopped_by AS "stoppedBy"
  FROM reviews AS review JOIN sessions AS ended
    ON ended.org_id = review.org_id AND ended.id = coalesce(review.session_id, review.call_session_id)
  WHERE review.org_id = $1 AND ended.status = 'done'
    AND (review.status = 'PROCESSING' OR review.session_id IS NOT NULL AND review.status IN ('PENDING', 'APPROVED'))
    AND ended.end_date BETWEEN review.created_at AND now() - interval '1 minute'
  ORDER BY review.id`;

/** Ends reviews that have expired or whose session has ended, and sessions that wait for such a review. */
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
   * Ends sessions that wait although their review has expired. Only gateways of older versions leave such
   * sessions, because they ended a review and its session in two separate steps.
   */
  async endUndecidedSessions(orgId: string): Promise<void> {
    const waiting = await this.sessions.waiting(orgId);
    const undecided = waiting.length === 0 ? [] : await this.reviews.expiredAmong(orgId, waiting);
    await this.sessions.endWaiting(orgId, undecided, 'Nobody decided on the review in time.');
  }
}
