import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThan, Not, Repository } from 'typeorm';
import { newestFirst } from '../../../platform/database/newest-first';
import { ReplicaReads } from '../../../platform/database/pools/replica';
import type { Change } from '../../../platform/http/routes/change';
import { pageOf, pageWindow } from '../../../platform/http/dto/page';
import { Clock } from '../../../kernel/async/clock';
import type { Principal } from '../../../kernel/principal';
import { whereEitherId, reviewNotFound, ofSession } from '../steps/locked-review';
import { type PageOffers, offersOf } from './page-offers';
import type { ReviewBody } from './review-body.dto';
import { ReviewDecisions } from '../decisions/review-decisions';
import { type ReviewQuery, narrow, ownNames } from './review-query';
import { type ReviewCommand, commandOf } from './review-command';
import { type RequestView, type ReviewPage, requestView } from './request.dto';
import { Review } from '../machine/review.entity';
import { shownGroups } from './shown-groups';
import { maySee } from '../machine/voters';

const TYPE = 'reviews';

/** Maximum number of earlier requests shown with a request, by the same requester for the same connection. */
const EARLIER = 10;
const SESSIONS = 20;

/** A request, with the sessions that ran under it and with earlier requests. */
export interface RequestPast {
  readonly request: RequestView;
  /** Subtype of the connection at the time of the request. */
  readonly subtype: string;
  /** Requests of the same requester for the same connection that were approved, newest first. */
  readonly earlier: RequestView[];
  /** Sessions that ran under the grant of the request, newest first. The caller may not see all of them. */
  readonly sessionIds: readonly string[];
}

/** Lists reviews for people, and carries out their decisions. */
@Injectable()
export class ReviewRequests {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly decisions: ReviewDecisions,
    private readonly clock: Clock,
    private readonly replica: ReplicaReads,
  ) {}

  async list(actor: Principal, query: ReviewQuery): Promise<ReviewPage> {
    const window = { ...pageWindow(query), isOldestFirst: query.order === 'oldest' };
    const [rows, total] = await this.replica.read(async (db) => {
      const names = await ownNames(db, actor, query.mine);
      return newestFirst(db.getRepository(Review), actor.orgId, window, (builder) =>
        narrow(builder, actor, query, names),
      );
    });
    return pageOf(query, await this.views(actor.orgId, rows), total);
  }

  /** @throws AppError `not_found`, also to people who may not see the review. */
  async get(actor: Principal, id: string): Promise<RequestView> {
    const [view] = await this.views(actor.orgId, [await this.visible(actor, id)]);
    return view as RequestView;
  }

  /** Returns a review with its sessions and earlier requests. @throws AppError `not_found` */
  async past(actor: Principal, id: string): Promise<RequestPast> {
    const review = await this.visible(actor, id);
    const { orgId } = actor;
    const earlier = (await this.earlierOf(review)).filter((one) => maySee(actor, one)).slice(0, EARLIER);
    const [request, ...views] = await this.views(orgId, [review, ...earlier]);
    const sessions = await this.reviews.query<{ session_id: string }[]>(
      `SELECT session_id FROM granted_sessions WHERE org_id = $1 AND review_id = $2
       ORDER BY session_start DESC LIMIT ${SESSIONS}`,
      [orgId, review.id],
    );
    return {
      request: request as RequestView,
      subtype: review.connectionSubtype,
      earlier: views,
      sessionIds: sessions.map(({ session_id }) => session_id),
    };
  }

  /** Returns a review for its page, with the actions that the page offers. @throws AppError `not_found` */
  async page(actor: Principal, id: string): Promise<{ review: RequestView; offers: PageOffers }> {
    const review = await this.visible(actor, id);
    const [view] = await this.views(actor.orgId, [review]);
    const others = await this.decisions.otherAccounts(actor, review);
    return { review: view as RequestView, offers: offersOf(actor, review, others, this.clock.now()) };
  }

  /** @throws AppError as `ReviewDecisions` and `commandOf` do. */
  async decide(change: Change, id: string, body: ReviewBody): Promise<RequestView> {
    change.concerns({ type: TYPE, id }, 'update');
    await this.carryOut(change, id, commandOf(body));
    return this.get(change.actor, id);
  }

  /** @throws AppError as `ReviewDecisions.declareEmergency` does. */
  async declareEmergency(change: Change, id: string, reason: string): Promise<RequestView> {
    change.concerns({ type: TYPE, id }, 'update');
    await this.decisions.declareEmergency(change, id, reason);
    return this.get(change.actor, id);
  }

  /** @throws AppError as `ReviewDecisions.signOff` does. */
  async signOff(change: Change, id: string, comment: string): Promise<RequestView> {
    change.concerns({ type: TYPE, id }, 'update');
    await this.decisions.signOff(change, id, comment);
    return this.get(change.actor, id);
  }

  async decideOfSession(change: Change, sessionId: string, body: ReviewBody): Promise<RequestView> {
    change.concerns({ type: TYPE, id: sessionId }, 'update');
    const review = await this.reviews.findOneBy(ofSession(change.actor.orgId, sessionId));
    if (review === null) throw reviewNotFound();
    return this.decide(change, review.id, body);
  }

  /** Reads more reviews than are shown, because the actor may not see all of them. */
  private async earlierOf(review: Review): Promise<Review[]> {
    const { orgId, requesterType, requesterId, connectionId, createdAt } = review;
    if (requesterId === null || connectionId === null) return [];
    return this.reviews.find({
      where: {
        orgId,
        requesterType,
        requesterId,
        connectionId,
        createdAt: LessThan(createdAt),
        approvedAt: Not(IsNull()),
      },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: 4 * EARLIER,
    });
  }

  private async visible(actor: Principal, id: string): Promise<Review> {
    const review = await this.reviews.findOneBy(whereEitherId(actor.orgId, id));
    if (review === null || !maySee(actor, review)) throw reviewNotFound();
    return review;
  }

  private carryOut(change: Change, id: string, command: ReviewCommand): Promise<void> {
    switch (command.kind) {
      case 'approve':
        return this.decisions.approve(change, id, command);
      case 'reject':
        return this.decisions.reject(change, id, command.reason);
      case 'revoke':
        return this.decisions.revoke(change, id, command.reason);
    }
  }

  private async views(orgId: string, reviews: readonly Review[]): Promise<RequestView[]> {
    const shown = await shownGroups(this.reviews.manager, orgId, reviews);
    return reviews.map((review) => requestView(review, shown(review)));
  }
}
