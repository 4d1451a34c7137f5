import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import { type ReviewView, reviewView } from './review.dto';
import { Review, ReviewGroup } from './review.entity';

/** A session, as far as it can have a review. */
export interface ReviewedVisit {
  readonly id: string;
  readonly credentialId: string | null;
}

/** The Reviews module's door to the sessions that wait for a decision. */
@Injectable()
export class ReviewsService {
  constructor(@InjectRepository(Review) private readonly reviews: Repository<Review>) {}

  async ofSession(orgId: string, session: ReviewedVisit): Promise<ReviewView | null> {
    return (await this.ofSessions(orgId, [session])).get(session.id) ?? null;
  }

  /** By session; those without a review are absent. What came by leave for a span of time has the review of that. */
  async ofSessions(orgId: string, sessions: readonly ReviewedVisit[]): Promise<Map<string, ReviewView>> {
    const grants = sessions.flatMap(({ credentialId }) => credentialId ?? []);
    const reviews = await this.reviews.findBy([
      { orgId, sessionId: In(sessions.map(({ id }) => id)) },
      // A credential that stands for a review bears its id.
      ...(grants.length === 0 ? [] : [{ orgId, type: 'jit' as const, id: In(grants) }]),
    ]);
    if (reviews.length === 0) return new Map();
    const views = await this.views(orgId, reviews);
    const viewOf = new Map(reviews.map((review, place) => [review.sessionId ?? review.id, views[place]]));
    return new Map(
      sessions.flatMap(({ id, credentialId }) => {
        const view = viewOf.get(id) ?? viewOf.get(credentialId ?? '');
        return view === undefined ? [] : [[id, view] as const];
      }),
    );
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
