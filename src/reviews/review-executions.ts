import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, In, Raw, Repository } from 'typeorm';
import { AuditService } from '../audit/audit.service';
import type { EventPerson } from '../events/event';
import type { Principal } from '../kernel/principal';
import { lockReview } from './locked-review';
import { ReviewAftermath } from './review-aftermath';
import { decidedBy } from './review-events';
import { executed, expired, take } from './review-life';
import { Review } from './review.entity';
import { storePatch } from './stored-step';

const AT_ONCE = 1_000;

/** What becomes of reviews without anybody's word: they are used once, or their time is over. */
@Injectable()
export class ReviewExecutions {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly aftermath: ReviewAftermath,
    private readonly audit: AuditService,
  ) {}

  /**
   * Takes an approval for its one execution: of all who try, on whichever gateway, one does. In the caller's transaction,
   * before anything else is locked in it; what the caller then finds wrong takes it back with a rollback.
   * @param id Of the review, or of its session.
   * @param inputHash SHA-256 of what would run.
   * @throws AppError `not_found`; `conflict` with the reason: not approved, expired, used, other hours, another input.
   */
  async take(db: EntityManager, orgId: string, id: string, inputHash: Buffer): Promise<Review> {
    const locked = await lockReview(db, orgId, id);
    return storePatch(db, locked, take(locked, inputHash));
  }

  /** Its one execution is over, however it ended. Saying so twice changes nothing. @throws AppError `not_found` */
  async executed(orgId: string, id: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, orgId, id);
      const step = executed(locked);
      if (step !== undefined) await storePatch(db, locked, step);
    });
  }

  /**
   * What somebody asked last of a connection for a span of time, if it still waits or holds; locked.
   * null: there is none, and it has to be asked for.
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

  /** A span of time began: the approval holds until then, and not for the hours in which it had to be used. */
  async granted(db: EntityManager, review: Review, revokeAt: Date): Promise<void> {
    await db.update(
      Review,
      { orgId: review.orgId, id: review.id, status: 'APPROVED' },
      { revokeAt, expiresAt: revokeAt },
    );
  }

  /**
   * Ends those whose time is over. Every gateway may try at once; each review is ended by one of them, with its session.
   * @throws the first fault, after all were tried: one that cannot be ended must not keep the others.
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

  /**
   * Ends those whose session ended on another way: it was killed, or its gateway died. After a minute, in which whoever
   * ended it says so first.
   */
  async follow(orgId: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const [ended] = await db.query<[{ id: string; stopped_by: EventPerson | null }[], number]>(
        `UPDATE reviews AS review SET ended_at = now(), status = CASE WHEN review.status <> 'PROCESSING' THEN 'REVOKED'
           WHEN session.exit_code = 254 THEN 'UNKNOWN' ELSE 'EXECUTED' END
       FROM sessions AS session
       WHERE review.id = ANY (ARRAY(
           SELECT over.id FROM reviews AS over JOIN sessions AS ended ON ended.org_id = over.org_id AND ended.id = over.session_id
           WHERE over.org_id = $1 AND over.status IN ('PENDING', 'APPROVED', 'PROCESSING') AND ended.status = 'done'
             AND ended.end_date BETWEEN over.created_at AND now() - interval '1 minute'
           ORDER BY over.id FOR NO KEY UPDATE OF over))
         AND review.status IN ('PENDING', 'APPROVED', 'PROCESSING')
         AND session.org_id = review.org_id AND session.id = review.session_id
       RETURNING review.id, session.stopped_by`,
        [orgId],
      );
      const by = new Map(ended.map(({ id, stopped_by }) => [id, decidedBy(stopped_by ?? undefined)]));
      for (const review of await db.findBy(Review, { orgId, id: In([...by.keys()]) }))
        await this.aftermath.tell(db, review, by.get(review.id));
    });
  }

  private async expireOne(orgId: string, id: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, orgId, id);
      // Decided, used or prolonged since it was found.
      const step = expired(locked);
      if (step === undefined) return;
      const before = { status: locked.review.status };
      const review = await storePatch(db, locked, step);
      await this.aftermath.ended(db, review, step.ending ?? '');
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
