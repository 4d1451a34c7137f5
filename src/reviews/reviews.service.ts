import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { LessThanOrEqual, Repository } from 'typeorm';
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
    const review = await this.reviews.findOneBy({ orgId, sessionId });
    if (review === null) return null;
    const groups = await this.reviews.manager.find(ReviewGroup, {
      where: { orgId, reviewId: review.id },
      order: { groupName: 'ASC' },
    });
    return reviewView(review, groups);
  }

  /** Ends the reviews that nobody decided in time; returns the sessions that waited for them. */
  async expirePending(orgId: string): Promise<string[]> {
    const overdue = {
      orgId,
      status: 'PENDING' as const,
      expiresAt: LessThanOrEqual(new Date(this.clock.now())),
    };
    const expired = await this.reviews
      .createQueryBuilder()
      .update()
      .set({ status: 'EXPIRED' })
      .where(overdue)
      .returning('session_id')
      .execute();
    return (expired.raw as { session_id: string }[]).map((row) => row.session_id);
  }
}
