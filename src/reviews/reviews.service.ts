import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { type ReviewView, reviewView } from './review.dto';
import { Review, ReviewGroup } from './review.entity';

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
    if (reviews.length === 0) return new Map();
    const views = await this.views(orgId, reviews);
    return new Map(reviews.map((review, place) => [review.sessionId ?? '', views[place] as ReviewView]));
  }

  private async views(orgId: string, reviews: readonly Review[]): Promise<ReviewView[]> {
    const said = await this.reviews.manager.find(ReviewGroup, {
      where: { orgId, reviewId: In(reviews.map((review) => review.id)) },
      order: { groupName: 'ASC', reviewDate: 'ASC', id: 'ASC' },
    });
    return reviews.map((review) =>
      reviewView(
        review,
        // A group that may force an approval is shown once it did.
        said.filter((group) => group.reviewId === review.id && (group.isAsked || group.reviewedBy !== null)),
      ),
    );
  }

  /** The session is over before anything was run in the review's name: nobody needs to decide any more. */
  async withdraw(orgId: string, sessionId: string): Promise<void> {
    await this.reviews.update(
      { orgId, sessionId, status: In(['PENDING', 'APPROVED']) },
      { status: 'REVOKED', endedAt: () => 'now()' },
    );
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
