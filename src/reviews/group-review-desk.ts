import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Principals } from '../auth/principals';
import { Settings } from '../config/settings';
import { votersOf } from '../gate/ports/access-decider';
import { type ReviewAnswer, ReviewDesk, type ReviewRequest } from '../gate/ports/review-desk';
import { askGroups } from './kept-votes';
import { summaryOf } from './request-summary';
import { Review } from './review.entity';
import { namedGroups } from './voters';

/** Puts a request before the groups that the rules name, and leaves it pending until they decide. */
@Injectable()
export class GroupReviewDesk extends ReviewDesk {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly principals: Principals,
    private readonly settings: Settings,
  ) {
    super();
  }

  async ask(request: ReviewRequest): Promise<ReviewAnswer> {
    const { requester, rules } = request;
    const personBehind = await this.principals.personBehind(requester);
    const asked = [...new Set(rules.flatMap(votersOf))];
    const others = namedGroups(rules).filter((group) => !asked.includes(group));
    const review = this.reviews.create({
      ...whatIsAsked(request),
      orgId: requester.orgId,
      status: 'PENDING',
      connectionId: request.connection.id,
      connectionName: request.connection.name,
      connectionSubtype: request.connection.subtype,
      requesterId: requester.userId,
      requesterType: requester.identityType,
      requesterSubject: requester.subject,
      requesterEmail: requester.email,
      requesterName: requester.name,
      personBehind,
      rules,
      ...summaryOf(rules),
      timeWindow: null,
      rejectionReason: null,
      revokeAt: null,
      expiresAt: await this.undecidedUntil(),
    });
    await this.reviews.manager.transaction(async (db) => {
      await db.save(review);
      await askGroups(db, requester.orgId, review.id, asked, others);
      await this.tell(db, review);
    });
    return { kind: 'pending', reviewId: review.id };
  }

  /** By the clock of the database, which all gateways share. */
  private async undecidedUntil(): Promise<Date> {
    const [row] = await this.reviews.query<{ until: Date }[]>(
      'SELECT now() + make_interval(hours => $1) AS until',
      [this.settings.REVIEW_HOURS],
    );
    return row?.until ?? new Date(Number.NaN);
  }

  /** EVENTS: `review.requested` goes to the outbox here, once there is one. */
  private async tell(_db: EntityManager, _review: Review): Promise<void> {}
}

function whatIsAsked({ what }: ReviewRequest) {
  return what.type === 'jit'
    ? { type: what.type, sessionId: null, inputHash: null, accessDuration: what.accessDuration }
    : {
        type: what.type,
        sessionId: what.sessionId,
        inputHash: createHash('sha256').update(what.input).digest(),
        accessDuration: 0,
      };
}
