import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Principals } from '../../../identity/auth/users/principals';
import { ReviewSettings } from '../../../platform/config/groups';
import { Outbox } from '../../../platform/events/outbox';
import { votersOf } from '../../../gate/ports/access-decider';
import type { CallReviewRequest, ReviewRequest } from '../../../gate/ports/review-desk';
import { AppError } from '../../../kernel/app-error';
import { holdRequests } from './held-requests';
import { askGroups } from '../steps/stored-votes';
import { summaryOf } from './request-summary';
import { requestedEvent } from '../steps/review-events';
import { Review } from '../machine/review.entity';
import { namedGroups } from '../machine/voters';

/** Value of `Retry-After`. It is long, because reviewers are people and need time to decide. */
const RETRY_AFTER_SECONDS = 60;

/** Number of code points of a script that lists of reviews show. */
const START = 300;

/** $1 organization, $2 and $3 requester, $4 connection, $5 limit. Selects pending reviews. */
const PENDING = `
  SELECT id FROM reviews
  WHERE org_id = $1 AND requester_type = $2 AND requester_id = $3 AND connection_id = $4
    AND status = 'PENDING' AND expires_at > now()
  LIMIT $5`;

/** Files reviews and asks the groups that the rules name. A review is pending until these groups decide. */
@Injectable()
export class ReviewFiling {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly principals: Principals,
    private readonly outbox: Outbox,
    private readonly settings: ReviewSettings,
  ) {}

  /** Collects everything that the review needs; no reviewer is asked yet. */
  async prepare(request: ReviewRequest | CallReviewRequest): Promise<Review> {
    const { requester, rules } = request;
    return this.reviews.create({
      sessionId: null,
      inputHash: null,
      callSessionId: null,
      call: null,
      scriptStart: null,
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
      personBehind: await this.principals.personBehind(requester),
      rules,
      reason: request.reason,
      ...summaryOf(rules),
      timeWindow: null,
      rejectionReason: null,
      revokeAt: null,
    });
  }

  /**
   * Stores the prepared review in the caller's transaction. After the commit, its reviewers see it. Must be
   * called only once.
   * @throws AppError `too_many_requests` when the requester has too many pending requests for the connection
   */
  async file(db: EntityManager, review: Review): Promise<Review> {
    await this.checkPending(db, review);
    const { orgId, rules } = review;
    const asked = [...new Set(rules.flatMap(votersOf))];
    const others = namedGroups(rules).filter((group) => !asked.includes(group));
    review.expiresAt = await this.undecidedUntil(db);
    await db.save(review);
    await askGroups(db, orgId, review.id, asked, others);
    await this.outbox.add(db, requestedEvent(review));
    return review;
  }

  private async checkPending(db: EntityManager, review: Review): Promise<void> {
    const { orgId, requesterType, requesterId, connectionId, connectionName } = review;
    if (requesterId === null || connectionId === null) return;
    await holdRequests(db, { identityType: requesterType, userId: requesterId }, connectionId);
    const most = this.settings.pendingRequests;
    const pending = await db.query<unknown[]>(PENDING, [
      orgId,
      requesterType,
      requesterId,
      connectionId,
      most,
    ]);
    if (pending.length < most) return;
    throw new AppError(
      'too_many_requests',
      `${most} requests of yours for the connection ${connectionName} wait for a decision, and no more may`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    );
  }

  /** Returns when a pending review expires, by the database's clock, which all gateways share. */
  private async undecidedUntil(db: EntityManager): Promise<Date> {
    const [row] = await db.query<{ until: Date }[]>('SELECT now() + make_interval(hours => $1) AS until', [
      this.settings.reviewHours,
    ]);
    return row?.until ?? new Date(Number.NaN);
  }
}

function whatIsAsked(request: ReviewRequest | CallReviewRequest): Partial<Review> {
  if ('call' in request) {
    const { name, arguments: given, fingerprint, hash } = request.call;
    const call = { name, arguments: given, ...(fingerprint === undefined ? {} : { fingerprint }) };
    return { type: 'onetime', callSessionId: request.sessionId, call, inputHash: hash, accessDuration: 0 };
  }
  const { what } = request;
  if (what.type === 'jit') return { type: what.type, accessDuration: what.accessDuration };
  const { type, sessionId, inputHash, script } = what;
  return { type, sessionId, inputHash, scriptStart: startOf(script), accessDuration: 0 };
}

/** Returns the first code points of a text. None of them is cut. */
function startOf(text: string): string {
  return Array.from(text.slice(0, 2 * START))
    .slice(0, START)
    .join('');
}
