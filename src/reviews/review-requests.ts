import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { newestFirst } from '../database/newest-first';
import type { Change } from '../http/change';
import { pageOf, pageWindow } from '../http/page';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { whereEitherId, reviewNotFound, ofSession } from './locked-review';
import { type PageOffers, offersOf } from './page-offers';
import type { ReviewBody } from './review-body.dto';
import { ReviewDecisions } from './review-decisions';
import { type ReviewQuery, narrow } from './review-query';
import { type ReviewCommand, commandOf } from './review-command';
import { type RequestView, type ReviewPage, requestView } from './review.dto';
import { Review } from './review.entity';
import { shownGroups } from './shown-groups';
import { maySee } from './voters';

const TYPE = 'reviews';

/** Lists reviews for people, and carries out their decisions. */
@Injectable()
export class ReviewRequests {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly decisions: ReviewDecisions,
    private readonly clock: Clock,
  ) {}

  async list(actor: Principal, query: ReviewQuery): Promise<ReviewPage> {
    const [rows, total] = await newestFirst(this.reviews, actor.orgId, pageWindow(query), (builder) =>
      narrow(builder, actor, query),
    );
    return pageOf(query, await this.views(actor.orgId, rows), total);
  }

  /** @throws AppError `not_found`, also to people who may not see the review. */
  async get(actor: Principal, id: string): Promise<RequestView> {
    const [view] = await this.views(actor.orgId, [await this.visible(actor, id)]);
    return view as RequestView;
  }

  /** The same for the page of the review, with what the page offers. @throws AppError `not_found` */
  async page(actor: Principal, id: string): Promise<{ review: RequestView; offers: PageOffers }> {
    const review = await this.visible(actor, id);
    const [view] = await this.views(actor.orgId, [review]);
    return { review: view as RequestView, offers: offersOf(actor, review, this.clock.now()) };
  }

  /** @throws AppError as `ReviewDecisions` and `commandOf` do. */
  async decide(change: Change, id: string, body: ReviewBody): Promise<RequestView> {
    change.concerns({ type: TYPE, id }, 'update');
    await this.carryOut(change, id, commandOf(body));
    return this.get(change.actor, id);
  }

  async decideOfSession(change: Change, sessionId: string, body: ReviewBody): Promise<RequestView> {
    change.concerns({ type: TYPE, id: sessionId }, 'update');
    const review = await this.reviews.findOneBy(ofSession(change.actor.orgId, sessionId));
    if (review === null) throw reviewNotFound();
    return this.decide(change, review.id, body);
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
