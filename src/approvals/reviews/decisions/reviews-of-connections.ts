import { Injectable } from '@nestjs/common';
import { type EntityManager, In, IsNull, Not } from 'typeorm';
import { personOf } from '../../../platform/events/event';
import type { ChangeEffect } from '../../../platform/http/routes/change';
import type { Principal } from '../../../kernel/principal';
import { lockReview } from '../steps/locked-review';
import { ReviewEffects } from '../steps/review-effects';
import { decidedBy } from '../steps/review-events';
import { expired, withdrawn } from '../machine/review-life';
import { Review } from '../machine/review.entity';
import { storePatch } from '../steps/stored-step';

/**
 * Ends reviews when all access to a connection ends. Runs in the caller's
 * transaction, which has locked the connection.
 */
@Injectable()
export class ReviewsOfConnections {
  constructor(private readonly effects: ReviewEffects) {}

  /**
   * Locks the pending and approved requests for grants and for calls, in the order of their ids, and returns
   * their ids.
   */
  async lockOpen(db: EntityManager, orgId: string, connectionId: string): Promise<string[]> {
    const open = { orgId, connectionId, status: In(['PENDING', 'APPROVED']) };
    const found = await db.find(Review, {
      select: { id: true },
      where: [
        { ...open, type: 'jit' },
        { ...open, callSessionId: Not(IsNull()) },
      ],
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    return found.map(({ id }) => id);
  }

  /**
   * Revokes the review in the actor's name, or lets it expire if its time is over. Returns entries for the
   * audit log, which the caller writes after it has taken all locks.
   */
  async withdraw(db: EntityManager, actor: Principal, id: string, reason: string): Promise<ChangeEffect[]> {
    const locked = await lockReview(db, actor.orgId, id);
    const step = expired(locked) ?? withdrawn(locked, reason);
    // The review was decided after the query.
    if (step === undefined) return [];
    const before = { status: locked.review.status };
    const review = await storePatch(db, locked, step);
    const by = review.status === 'EXPIRED' ? undefined : decidedBy(personOf(actor));
    await this.effects.ended(db, review, step.ending ?? '', by);
    const after = { status: review.status };
    return [{ type: 'reviews', id, action: 'update', before, after }];
  }
}
