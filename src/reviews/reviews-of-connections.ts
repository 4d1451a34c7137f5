import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { personOf } from '../events/event';
import type { Change, ChangeEffect } from '../http/change';
import { lockReview } from './locked-review';
import { ReviewAftermath } from './review-aftermath';
import { decidedBy } from './review-events';
import { expired, withdrawn } from './review-life';
import { Review } from './review.entity';
import { ReviewedGrants } from './reviewed-work';
import { storePatch } from './stored-step';

/** The Reviews module's door to those who delete connections. */
@Injectable()
export class ReviewsOfConnections {
  constructor(
    private readonly aftermath: ReviewAftermath,
    private readonly grants: ReviewedGrants,
  ) {}

  /**
   * Takes back all access to a connection that is being deleted: what was asked for, what people approved, and what needed
   * no approval. In the caller's transaction, which has locked the connection, so that nobody asks for more. Returns what the
   * caller puts on the audit log, once nothing else is left to be locked.
   */
  async endAccess(
    db: EntityManager,
    change: Change,
    connection: { id: string; name: string },
  ): Promise<ChangeEffect[]> {
    const { orgId } = change.actor;
    // All of one kind is locked before any of the next (src/database/README.md); lines of the audit log come last.
    const open = await db.find(Review, {
      select: { id: true },
      where: { orgId, connectionId: connection.id, type: 'jit', status: In(['PENDING', 'APPROVED']) },
      order: { id: 'ASC' },
      lock: { mode: 'for_no_key_update' },
    });
    await this.grants.lockAll(db, orgId, connection.id);
    const ended: ChangeEffect[] = [];
    for (const { id } of open) ended.push(...(await this.endOne(db, change, id)));
    await this.grants.endUnreviewed(db, orgId, connection.id, personOf(change.actor));
    return ended;
  }

  private async endOne(db: EntityManager, change: Change, id: string): Promise<ChangeEffect[]> {
    const { actor } = change;
    const locked = await lockReview(db, actor.orgId, id);
    const step = expired(locked) ?? withdrawn(locked, 'The connection was deleted.');
    // Decided since it was found.
    if (step === undefined) return [];
    const before = { status: locked.review.status };
    const review = await storePatch(db, locked, step);
    const by = review.status === 'EXPIRED' ? undefined : decidedBy(personOf(actor));
    await this.aftermath.ended(db, review, step.ending ?? '', by);
    const after = { status: review.status };
    return [{ type: 'reviews', id, action: 'update', before, after }];
  }
}
