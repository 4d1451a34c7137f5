import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import type { Principal } from '../../../kernel/principal';
import { type ReviewView, reviewView } from './review.dto';
import { Review } from '../machine/review.entity';
import { shownGroups } from './shown-groups';

/** Fields of a session by which its review can be found. */
export interface ReviewableSession {
  readonly id: string;
  readonly credentialId: string | null;
}

/** Lets other modules read the reviews of sessions, and who requested them. */
@Injectable()
export class ReviewsService {
  constructor(@InjectRepository(Review) private readonly reviews: Repository<Review>) {}

  /** Returns who requested a session's review; undefined without a review, or if the person is unknown. */
  async requesterOf(
    orgId: string,
    sessionId: string,
  ): Promise<Pick<Principal, 'identityType' | 'userId'> | undefined> {
    const review = await this.reviews.findOneBy({ orgId, sessionId });
    return review === null || review.requesterId === null
      ? undefined
      : { identityType: review.requesterType, userId: review.requesterId };
  }

  /** SQL condition: whether `ofSession` finds a review for the row `s` of `sessions`. */
  readonly existsForSession = `EXISTS (SELECT FROM reviews AS own WHERE own.org_id = s.org_id AND own.session_id = s.id)
    OR s.credential_id IS NOT NULL AND EXISTS (
      SELECT FROM reviews AS granted WHERE granted.org_id = s.org_id AND granted.type = 'jit' AND granted.id = s.credential_id)`;

  async ofSession(orgId: string, session: ReviewableSession): Promise<ReviewView | null> {
    return (await this.ofSessions(orgId, [session])).get(session.id) ?? null;
  }

  /** Whether the review asks one of the groups, or lets one of them force an approval. */
  async names(orgId: string, reviewId: string, groups: readonly string[]): Promise<boolean> {
    const found = await this.reviews.query<object[]>(
      `SELECT FROM reviews AS review WHERE org_id = $1 AND id = $2 AND (force_approval_groups && $3::text[] OR EXISTS (
         SELECT FROM review_groups AS said WHERE said.org_id = review.org_id AND said.review_id = review.id
           AND said.group_name = ANY ($3::text[])))`,
      [orgId, reviewId, [...groups]],
    );
    return found.length > 0;
  }

  /**
   * Returns the reviews of sessions, by session id. Sessions without a review are missing. A session that was
   * opened with a grant has the review of the grant.
   */
  async ofSessions(
    orgId: string,
    sessions: readonly ReviewableSession[],
    db: EntityManager = this.reviews.manager,
  ): Promise<Map<string, ReviewView>> {
    const grants = sessions.flatMap(({ credentialId }) => credentialId ?? []);
    const reviews = await db.findBy(Review, [
      { orgId, sessionId: In(sessions.map(({ id }) => id)) },
      // The credential of a grant has the id of the grant's review.
      ...(grants.length === 0 ? [] : [{ orgId, type: 'jit' as const, id: In(grants) }]),
    ]);
    const shown = await shownGroups(db, orgId, reviews);
    const views = new Map(
      reviews.map((review) => [review.sessionId ?? review.id, reviewView(review, shown(review))]),
    );
    return new Map(
      sessions.flatMap(({ id, credentialId }) => {
        const view = views.get(id) ?? views.get(credentialId ?? '');
        return view === undefined ? [] : [[id, view] as const];
      }),
    );
  }

  /** Ids of the given sessions whose review has expired. */
  async expiredAmong(orgId: string, sessionIds: readonly string[]): Promise<string[]> {
    const expired = await this.reviews.find({
      select: { id: true, sessionId: true },
      where: { orgId, status: 'EXPIRED', sessionId: In([...sessionIds]) },
    });
    return expired.flatMap(({ sessionId }) => sessionId ?? []);
  }
}
