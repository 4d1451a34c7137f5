import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Repository } from 'typeorm';
import type { ReviewRequest } from '../../../gate/ports/review-desk';
import type { Change } from '../../../platform/http/routes/change';
import type { Principal } from '../../../kernel/principal';
import { type GrantHours, hoursAt } from '../machine/grant-hours';
import { holdRequests } from './held-requests';
import { ReviewDecisions } from '../decisions/review-decisions';
import { ReviewExecutions } from '../decisions/review-executions';
import { ReviewFiling } from './review-filing';
import type { ReviewStatus } from '../machine/review-state';
import { Review } from '../machine/review.entity';
import type { TimeWindow } from '../machine/time-window';

/** A grant that is requested, or approved and valid. Its row is locked until the transaction ends. */
export interface OpenGrant {
  readonly id: string;
  readonly isApproved: boolean;
  /** End of the grant; null: the grant has not started. */
  readonly endsAt: Date | null;
  readonly hours: GrantHours;
  readonly reason: string | null;
  /** Starts the grant, unless it has started. Returns the database's current time, and the grant's end. */
  begin(): Promise<{ readonly begunAt: Date; readonly endsAt: Date }>;
}

/** A grant that was approved, used, and is still valid. */
export type ActiveGrant = Pick<OpenGrant, 'id' | 'hours' | 'reason'> & { readonly endsAt: Date };

interface ActiveGrantRow {
  readonly id: string;
  readonly revoke_at: Date;
  readonly time_window: TimeWindow | null;
  readonly reason: string | null;
  readonly now: Date;
}

/** The state of a request for a grant. */
export interface GrantStanding {
  readonly status: ReviewStatus;
  /** Time at which the pending review, the approval or the grant expires. */
  readonly expiresAt: Date;
}

/** The interface of the Reviews module for grants. */
@Injectable()
export class GrantReviews {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly filing: ReviewFiling,
    private readonly executions: ReviewExecutions,
    private readonly decisions: ReviewDecisions,
  ) {}

  /**
   * Returns the requester's last request for the connection, if it is pending or its approval is valid.
   * Blocks other requests of the requester for this connection until the transaction ends.
   */
  async open(db: EntityManager, requester: Principal, connectionId: string): Promise<OpenGrant | undefined> {
    await holdRequests(db, requester, connectionId);
    const review = await this.executions.openGrant(db, requester, connectionId);
    if (review === null) return undefined;
    const [clock] = await db.query<{ now: Date }[]>('SELECT clock_timestamp() AS now');
    if (clock === undefined) throw new Error('the database returned no time');
    const { now } = clock;
    const { id, status, revokeAt, timeWindow, reason } = review;
    const endsAt = revokeAt ?? endOf(review, now);
    return {
      id,
      isApproved: status === 'APPROVED',
      endsAt: revokeAt,
      hours: hoursAt(timeWindow, now),
      reason,
      begin: async () => {
        if (revokeAt === null) await this.executions.granted(db, review, endsAt);
        return { begunAt: now, endsAt };
      },
    };
  }

  /**
   * Returns the requester's grant for the connection, if it has started and is valid. The row is not locked,
   * because the end of a started grant does not change.
   */
  async begun(requester: Principal, connectionId: string): Promise<ActiveGrant | undefined> {
    const [found] = await this.reviews.query<ActiveGrantRow[]>(
      `SELECT id, revoke_at, time_window, reason, clock_timestamp() AS now FROM reviews
       WHERE org_id = $1 AND requester_type = $2 AND requester_id = $3 AND connection_id = $4 AND type = 'jit'
         AND status = 'APPROVED' AND revoke_at > clock_timestamp()
       ORDER BY created_at DESC LIMIT 1`,
      [requester.orgId, requester.identityType, requester.userId, connectionId],
    );
    if (found === undefined) return undefined;
    const { id, revoke_at, time_window, reason, now } = found;
    return { id, endsAt: revoke_at, hours: hoursAt(time_window, now), reason };
  }

  /** Prepares the review that `fileRequest` stores. Must be called before the transaction begins. */
  prepare(request: ReviewRequest): Promise<Review> {
    return this.filing.prepare(request);
  }

  async fileRequest(db: EntityManager, prepared: Review): Promise<{ id: string; createdAt: Date }> {
    return this.filing.file(db, prepared);
  }

  /** @throws AppError as `ReviewDecisions.revoke` does: `conflict` when the review has ended already */
  async revoke(change: Change, id: string): Promise<void> {
    await this.decisions.revoke(change, id);
  }

  async standing(orgId: string, ids: readonly string[]): Promise<Map<string, GrantStanding>> {
    if (ids.length === 0) return new Map();
    const found = await this.reviews.find({
      select: { id: true, status: true, expiresAt: true },
      where: { orgId, id: In([...ids]) },
    });
    return new Map(found.map((review) => [review.id, review]));
  }
}

/** Returns the end of a grant that starts now. In an emergency, it is not after the end of the emergency. */
function endOf({ emergency, expiresAt, accessDuration }: Review, now: Date): Date {
  const end = new Date(now.getTime() + accessDuration * 1000);
  return emergency && expiresAt < end ? expiresAt : end;
}
