import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type CallReviewAnswer,
  type CallReviewRequest,
  type ReviewAnswer,
  ReviewDesk,
  type ReviewRequest,
} from '../../../gate/ports/review-desk';
import { CallReviews } from './call-reviews';
import { ReviewExecutions } from '../decisions/review-executions';
import { ReviewFiling } from './review-filing';

/** Selects the reviews that are still pending among the ids in $1. */
const PENDING = `SELECT id FROM reviews WHERE id = ANY($1::uuid[]) AND status = 'PENDING' AND expires_at > now()`;

/** Implements the gate's review desk. The groups named in the rules decide. */
@Injectable()
export class GroupReviewDesk extends ReviewDesk {
  constructor(
    private readonly database: DataSource,
    private readonly filing: ReviewFiling,
    private readonly calls: CallReviews,
    private readonly executions: ReviewExecutions,
  ) {
    super();
  }

  async requestReview(request: ReviewRequest): Promise<ReviewAnswer> {
    const review = await this.filing.prepare(request);
    await this.database.transaction((db) => this.filing.file(db, review));
    return { kind: 'pending', reviewId: review.id };
  }

  askCall(request: CallReviewRequest): Promise<CallReviewAnswer> {
    return this.calls.requestCallReview(request);
  }

  async decided(reviewIds: readonly string[]): Promise<readonly string[]> {
    const rows = await this.database.query<{ id: string }[]>(PENDING, [reviewIds]);
    const pending = new Set(rows.map(({ id }) => id));
    return reviewIds.filter((id) => !pending.has(id));
  }

  callOver(orgId: string, reviewId: string): Promise<void> {
    return this.executions.executed(orgId, reviewId);
  }
}
