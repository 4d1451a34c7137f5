import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, LessThanOrEqual, Repository } from 'typeorm';
import { Clock } from '../kernel/clock';
import { type ReviewView, reviewView } from './review.dto';
import { Review, ReviewGroup } from './review.entity';

/** The Reviews module's door to the sessions that wait for a decision. */
@Injectable()
export class ReviewsService {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly clock: Clock,
  ) {}

  async ofSession(orgId: string, sessionId: string): Promise<ReviewView | null> {
    return (await this.ofSessions(orgId, [sessionId])).get(sessionId) ?? null;
  }

  /** By session; those without a review are absent. */
  async ofSessions(orgId: string, sessionIds: readonly string[]): Promise<Map<string, ReviewView>> {
    const reviews = await this.reviews.findBy({ orgId, sessionId: In([...sessionIds]) });
    if (reviews.length === 0) return new Map();
    const said = await this.reviews.manager.find(ReviewGroup, {
      where: { orgId, reviewId: In(reviews.map((review) => review.id)) },
      order: { groupName: 'ASC' },
    });
    return new Map(
      reviews.map((review) => {
        const groups = said.filter((group) => group.reviewId === review.id);
        return [review.sessionId, reviewView(review, groups)];
      }),
    );
  }

  /** The session is over before anything was run in the review's name: nobody needs to decide any more. */
  async withdraw(orgId: string, sessionId: string): Promise<void> {
    await this.reviews.update(
      { orgId, sessionId, status: In(['PENDING', 'APPROVED']) },
      { status: 'REVOKED' },
    );
  }

  /** Ends the reviews that nobody decided in time. */
  async expirePending(orgId: string): Promise<void> {
    await this.reviews.update(
      { orgId, status: 'PENDING', expiresAt: LessThanOrEqual(new Date(this.clock.now())) },
      { status: 'EXPIRED' },
    );
  }

  /** Those of the sessions whose review has expired. */
  async expiredAmong(orgId: string, sessionIds: readonly string[]): Promise<string[]> {
    const expired = await this.reviews.find({
      select: { id: true, sessionId: true },
      where: { orgId, status: 'EXPIRED', sessionId: In([...sessionIds]) },
    });
    return expired.map((review) => review.sessionId);
  }
}
