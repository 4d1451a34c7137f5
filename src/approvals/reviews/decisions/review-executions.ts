import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Raw, Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service';
import type { EventPerson } from '../../../platform/events/event';
import type { Principal } from '../../../kernel/principal';
import { EXIT_BLOCKED } from '../../../gate/ports/session-end';
import { lockReview, readReview } from '../steps/locked-review';
import type { ReviewedSession } from '../steps/review-consequences';
import { ReviewEffects } from '../steps/review-effects';
import { decidedBy } from '../steps/review-events';
import { claimed, executed, expired } from '../machine/review-life';
import { withoutInput } from '../machine/review-machine';
import { Review } from '../machine/review.entity';
import { storePatch } from '../steps/stored-step';

const AT_ONCE = 1_000;

/** A review whose session ended. */
export interface EndedSessionReview {
  readonly id: string;
  /** Exit code of the session. */
  readonly exitCode: number | null;
  /** Person who ended the session; null: no person. */
  readonly stoppedBy: EventPerson | null;
}

/** Changes reviews without a decision of people: claims approvals, ends executions, and expires reviews. */
@Injectable()
export class ReviewExecutions {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly effects: ReviewEffects,
    private readonly audit: AuditService,
  ) {}

  /**
   * Makes the checks of `claim` without a lock. The review may change afterwards, so `claim` checks again.
   * @throws AppError as `claim`
   */
  async requireUsable({ orgId, id }: ReviewedSession, inputHash: Buffer): Promise<void> {
    claimed(await readReview(this.reviews.manager, orgId, id), inputHash);
  }

  /**
   * Claims an approval for its one execution: of all gateways that try, exactly one succeeds. Runs in the
   * caller's transaction, which must not have locked anything before. A rollback leaves the approval unused.
   * @param id id of the review or of its session
   * @param inputHash SHA-256 of the input to run
   * @throws AppError `not_found`; `conflict` with the reason: not approved, expired, used, outside the
   * approved hours, another input.
   */
  async claim(db: EntityManager, orgId: string, id: string, inputHash: Buffer): Promise<Review> {
    const locked = await lockReview(db, orgId, id);
    return storePatch(db, locked, claimed(locked, inputHash));
  }

  /**
   * Claims an approval like `claim`, in a transaction of its own.
   * @param alongside makes other claims in this transaction; if it throws, nothing is claimed
   */
  claimWith<T>(
    { orgId, id }: ReviewedSession,
    inputHash: Buffer,
    alongside: (db: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.reviews.manager.transaction(async (db) => {
      await this.claim(db, orgId, id, inputHash);
      return alongside(db);
    });
  }

  /** Records that the one execution is over, however it ended. Idempotent. @throws AppError `not_found` */
  async executed(orgId: string, id: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, orgId, id);
      const step = executed(locked);
      if (step !== undefined) await storePatch(db, locked, step);
    });
  }

  /**
   * Returns the requester's last grant request for a connection, locked, if it is pending or its approval is
   * valid; null: access must be requested again.
   */
  async openGrant(db: EntityManager, requester: Principal, connectionId: string): Promise<Review | null> {
    return db.findOne(Review, {
      where: {
        orgId: requester.orgId,
        requesterType: requester.identityType,
        requesterId: requester.userId,
        connectionId,
        type: 'jit',
        status: In(['PENDING', 'APPROVED']),
        expiresAt: Raw((column) => `${column} > clock_timestamp()`),
      },
      order: { createdAt: 'DESC' },
      lock: { mode: 'for_no_key_update' },
    });
  }

  /** Records that a grant started. The approval then expires when the grant ends. */
  async granted(db: EntityManager, review: Review, revokeAt: Date): Promise<void> {
    await db.update(
      Review,
      { orgId: review.orgId, id: review.id, status: 'APPROVED' },
      { revokeAt, expiresAt: revokeAt },
    );
  }

  /**
   * Ends reviews whose time is over, with their sessions, at most 1 000 reviews per call. All gateways may do
   * this in parallel; each review is ended by one of them.
   * @throws the first error, after all reviews were tried, so that one failure does not keep others open
   */
  async expire(orgId: string): Promise<void> {
    const due = await this.reviews.query<{ id: string }[]>(
      `SELECT id FROM reviews WHERE org_id = $1 AND status IN ('PENDING', 'APPROVED') AND expires_at <= now()
       ORDER BY expires_at LIMIT ${AT_ONCE}`,
      [orgId],
    );
    const faults: unknown[] = [];
    for (const { id } of due) {
      await this.expireOne(orgId, id).catch((fault: unknown) => faults.push(fault));
    }
    if (faults.length > 0) throw faults[0];
  }

  /** Closes open reviews whose session has ended, because it was killed or its gateway died. */
  async settleEnded(orgId: string, ended: readonly EndedSessionReview[]): Promise<void> {
    const sessions = new Map(ended.map((session) => [session.id, session]));
    await this.reviews.manager.transaction(async (db) => {
      const open = await db.find(Review, {
        where: { orgId, id: In([...sessions.keys()]), status: In(['PENDING', 'APPROVED', 'PROCESSING']) },
        order: { id: 'ASC' },
        lock: { mode: 'for_no_key_update' },
      });
      for (const review of open) {
        const session = sessions.get(review.id);
        // The outcome of one call is unknown, because the session's exit code does not belong to this call.
        const isUnknown = review.callSessionId !== null || session?.exitCode === EXIT_BLOCKED;
        const wasRun = isUnknown ? 'UNKNOWN' : 'EXECUTED';
        review.status = review.status === 'PROCESSING' ? wasRun : 'REVOKED';
        const { id, status } = review;
        await db.update(Review, { orgId, id }, { status, endedAt: () => 'now()', ...withoutInput(review) });
        await this.effects.publishDecision(db, review, decidedBy(session?.stoppedBy ?? undefined));
      }
    });
  }

  private async expireOne(orgId: string, id: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, orgId, id);
      // The review may have been decided, used or prolonged since the query.
      const step = expired(locked);
      if (step === undefined) return;
      const before = { status: locked.review.status };
      const review = await storePatch(db, locked, step);
      await this.effects.ended(db, review, step.ending ?? '');
      await this.audit.ownChange(orgId).record(db, {
        type: 'reviews',
        id,
        action: 'update',
        before,
        after: { status: review.status },
      });
    });
  }
}
