import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, Repository } from 'typeorm';
import { Settings } from '../config/settings';
import type { Change } from '../http/change';
import { AppError } from '../kernel/app-error';
import type { Principal } from '../kernel/principal';
import { asVotes, keepVote } from './kept-votes';
import { type LockedReview, lockReview, move, noReview, requireState } from './locked-review';
import { outcome } from './outcome';
import type { ReviewVote } from './review-vote.entity';
import { Review } from './review.entity';
import { ReviewAftermath } from './review-aftermath';
import { type TimeWindow, common } from './time-window';
import { isRequester, mayApprove, mayForce, maySee, voiceOf } from './voters';

const TYPE = 'reviews';
const HOUR_MS = 3_600_000;

/** What goes with a yes. */
export interface Approval {
  /** Satisfies at once each rule that lets a group of theirs force it. */
  readonly forced: boolean;
  /** When it may be used; null: no word on it. */
  readonly timeWindow: TimeWindow | null;
}

/**
 * What people say of reviews. Each word is one transaction with a lock on the review's row, so votes come one after
 * another, on however many gateways: none is lost, and one of them settles it. A review is named by its id or its session's.
 * @throws AppError `not_found` to strangers; `forbidden`; `conflict` when the state forbids it. Nothing has changed then.
 */
@Injectable()
export class ReviewDecisions {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly aftermath: ReviewAftermath,
    private readonly settings: Settings,
  ) {}

  /**
   * A yes, in the name of all groups of the actor that the rules name.
   * @throws AppError also `unprocessable` when its time window has no hours in common with those of the others.
   */
  approve(change: Change, id: string, { forced, timeWindow }: Approval): Promise<void> {
    return this.change(change, id, async (db, locked) => {
      const { review, now } = locked;
      const groups = approvingGroups(change.actor, review, forced);
      requireState(locked, 'PENDING');
      await requireConnection(db, review);
      const votes = await keepVote(db, locked, change.actor, {
        verdict: 'APPROVED',
        groups,
        forced,
        timeWindow,
      });
      review.timeWindow = commonWindow(votes);
      if (outcome(review.rules, asVotes(votes)) !== 'APPROVED') return void (await db.save(review));
      review.approvedAt = now;
      review.expiresAt = new Date(now.getTime() + this.settings.APPROVAL_HOURS * HOUR_MS);
      await move(db, locked, 'APPROVED');
      await this.aftermath.approved(db, review);
    });
  }

  /** A no, which ends it: of one who may approve or force, of who asked, or of an admin. */
  reject(change: Change, id: string, reason: string | null): Promise<void> {
    return this.change(change, id, async (db, locked) => {
      const { actor } = change;
      const groups = requireSay(actor, locked.review, 'reject');
      requireState(locked, 'PENDING');
      if (actor.identityType === 'user') {
        await keepVote(db, locked, actor, { verdict: 'REJECTED', groups, forced: false, timeWindow: null });
      }
      locked.review.rejectionReason = reason;
      await move(db, locked, 'REJECTED');
      await this.aftermath.ended(db, locked.review, `The request was rejected by ${nameOf(actor)}.`);
    });
  }

  /** Takes back a request or an approval: who asked, one who may approve or force, or an admin. */
  revoke(change: Change, id: string): Promise<void> {
    return this.change(change, id, async (db, locked) => {
      requireSay(change.actor, locked.review, 'revoke');
      requireState(locked, 'PENDING', 'APPROVED');
      await move(db, locked, 'REVOKED');
      const reason = `The review was revoked by ${nameOf(change.actor)}.`;
      await this.aftermath.ended(db, locked.review, reason);
    });
  }

  private async change(
    change: Change,
    id: string,
    work: (db: EntityManager, locked: LockedReview) => Promise<void>,
  ): Promise<void> {
    const { actor } = change;
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, actor.orgId, id);
      const { review } = locked;
      if (!maySee(actor, review)) throw noReview();
      const before = auditView(review);
      await work(db, locked);
      const after = auditView(review);
      await change.record(db, { type: TYPE, id: review.id, action: 'update', before, after });
    });
  }
}

/** @throws AppError `forbidden`. The requester never approves, whatever else they are. */
function approvingGroups(actor: Principal, review: Review, forced: boolean): string[] {
  if (isRequester(actor, review)) throw new AppError('forbidden', 'nobody approves their own request');
  if (actor.identityType === 'machine')
    throw new AppError('forbidden', 'people approve: an API key does not');
  const groups = voiceOf(actor, review);
  if (forced && !mayForce(review, groups))
    throw new AppError('forbidden', 'none of your groups may force this approval');
  if (!forced && !mayApprove(review, groups))
    throw new AppError('forbidden', 'none of your groups may approve this');
  return groups;
}

/** @throws AppError `forbidden` to those who may only look. */
function requireSay(actor: Principal, review: Review, what: 'reject' | 'revoke'): string[] {
  const groups = voiceOf(actor, review);
  if (groups.length > 0 || actor.role === 'admin' || isRequester(actor, review)) return groups;
  throw new AppError('forbidden', `only its reviewers, who asked for it, or an admin may ${what} this`);
}

/** @throws AppError `conflict`: what nobody can open any more is not approved. It may still be rejected or revoked. */
async function requireConnection(db: EntityManager, review: Review): Promise<void> {
  const found = await db.query<object[]>('SELECT FROM connections WHERE org_id = $1 AND id = $2', [
    review.orgId,
    review.connectionId,
  ]);
  if (found.length === 0)
    throw new AppError('conflict', `the connection ${review.connectionName} was deleted meanwhile`);
}

/** The hours that all who gave some allow: nobody's word is widened by another's. */
function commonWindow(votes: readonly ReviewVote[]): TimeWindow | null {
  let hours: TimeWindow | null = null;
  for (const { timeWindow } of votes) {
    const both: TimeWindow | null | undefined =
      hours === null || timeWindow === null ? (hours ?? timeWindow) : common(hours, timeWindow);
    if (both === undefined)
      throw new AppError('unprocessable', 'time_window has no one stretch in common with another approver’s');
    hours = both;
  }
  return hours;
}

function nameOf(actor: Principal): string {
  return actor.email || actor.subject;
}

function auditView({ status, timeWindow, rejectionReason }: Review): object {
  return { status, time_window: timeWindow, rejection_reason: rejectionReason };
}
