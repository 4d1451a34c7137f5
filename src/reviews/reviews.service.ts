import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { type ReviewView, reviewView } from './review.dto';
import { Review } from './review.entity';
import { shownGroups } from './shown-groups';

/** The Reviews module's door to the sessions that wait for a decision. */
@Injectable()
export class ReviewsService {
  constructor(@InjectRepository(Review) private readonly reviews: Repository<Review>) {}

  async ofSession(orgId: string, sessionId: string): Promise<ReviewView | null> {
    return (await this.ofSessions(orgId, [sessionId])).get(sessionId) ?? null;
  }

  /** By session; those without a review are absent. */
  async ofSessions(orgId: string, sessionIds: readonly string[]): Promise<Map<string, ReviewView>> {
    const reviews = await this.reviews.findBy({ orgId, sessionId: In([...sessionIds]) });
    const shown = await shownGroups(this.reviews.manager, orgId, reviews);
    return new Map(reviews.map((review) => [review.sessionId ?? '', reviewView(review, shown(review))]));
  }

  /** Those of the sessions whose review has expired. */
  async expiredAmong(orgId: string, sessionIds: readonly string[]): Promise<string[]> {
    const expired = await this.reviews.find({
      select: { id: true, sessionId: true },
      where: { orgId, status: 'EXPIRED', sessionId: In([...sessionIds]) },
    });
    return expired.flatMap(({ sessionId }) => sessionId ?? []);
  }
}
