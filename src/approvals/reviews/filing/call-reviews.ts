import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AppError } from '../../../kernel/app-error';
import type { CallReviewAnswer, CallReviewRequest } from '../../../gate/ports/review-desk';
import { holdRequests } from './held-requests';
import { type LockedReview, lockReview } from '../steps/locked-review';
import { ReviewFiling } from './review-filing';
import { RequestQueue } from './request-queue';
import { claimed } from '../machine/review-life';
import { storePatch } from '../steps/stored-step';

/** Maximum UTF-16 code units of a call's arguments, so that reviewers can read them. */
const READABLE = 64 * 1024;

/** Selects the last request for a call. $1 organization, $2 and $3 requester, $4 connection, $5 call hash. */
const LAST_OF_CALL = `
  SELECT id FROM reviews
  WHERE org_id = $1 AND requester_type = $2 AND requester_id = $3 AND connection_id = $4 AND input_hash = $5
    AND call_session_id IS NOT NULL
  ORDER BY created_at DESC LIMIT 1`;

/**
 * Reviews of single calls within a live session. A review does not end with its session, because the call may
 * be repeated in another session.
 */
@Injectable()
export class CallReviews {
  private readonly queue = new RequestQueue();

  constructor(
    private readonly database: DataSource,
    private readonly filing: ReviewFiling,
  ) {}

  /** See `ReviewDesk.askCall`. */
  requestCallReview(request: CallReviewRequest): Promise<CallReviewAnswer> {
    const { requester, connection } = request;
    return this.queue.run(requester, connection.id, () => this.file(request));
  }

  private async file(request: CallReviewRequest): Promise<CallReviewAnswer> {
    if (request.call.arguments.length > READABLE)
      return {
        kind: 'rejected',
        message: `the call needs an approval, and its arguments are too long for people to read: ${READABLE} characters at most`,
      };
    // Prepare before the transaction begins, because `prepare` uses another database connection of the pool.
    const prepared = await this.filing.prepare(request);
    return this.database.transaction(async (db) => {
      const { requester, connection } = request;
      await holdRequests(db, requester, connection.id);
      const last = await this.last(db, request);
      const answer = last && (await answerOf(db, last, request));
      if (answer !== undefined) return answer;
      const { id } = await this.filing.file(db, prepared);
      return { kind: 'pending', reviewId: id };
    });
  }

  private async last(db: EntityManager, request: CallReviewRequest): Promise<LockedReview | undefined> {
    const { requester, connection, call } = request;
    const [found] = await db.query<{ id: string }[]>(LAST_OF_CALL, [
      requester.orgId,
      requester.identityType,
      requester.userId,
      connection.id,
      call.hash,
    ]);
    return found && lockReview(db, requester.orgId, found.id);
  }
}

/**
 * Returns the answer to a call from the call's last review.
 * @returns undefined when a new review is needed: the last approval was used, the review expired, or it was
 * rejected for another session
 */
async function answerOf(
  db: EntityManager,
  locked: LockedReview,
  { sessionId, call }: CallReviewRequest,
): Promise<CallReviewAnswer | undefined> {
  const { review, now } = locked;
  const { id: reviewId, status } = review;
  if (status === 'REJECTED' || status === 'REVOKED') {
    if (review.callSessionId !== sessionId && reviewId !== call.knownReview) return undefined;
    const reason = review.rejectionReason === null ? '' : `: ${review.rejectionReason}`;
    return { kind: 'rejected', message: `the review of this call was ${status.toLowerCase()}${reason}` };
  }
  if (review.expiresAt.getTime() <= now.getTime()) return undefined;
  if (status === 'PENDING') return { kind: 'pending', reviewId };
  if (status !== 'APPROVED') return undefined;
  try {
    const step = claimed(locked, call.hash);
    await storePatch(db, locked, { patch: { ...step.patch, callSessionId: sessionId } });
    return { kind: 'claimed', reviewId };
  } catch (error) {
    // The call is approved, but not for this hour of the day.
    if (error instanceof AppError && error.code === 'conflict')
      return { kind: 'rejected', message: error.message };
    throw error;
  }
}
