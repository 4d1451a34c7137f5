import { Injectable } from '@nestjs/common';
import { type EntityManager, In } from 'typeorm';
import { personOf } from '../events/event';
import type { Change } from '../http/change';
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
   * no approval. In the caller's transaction, which has locked the connection, so that nobody asks for more.
   */
  async endAccess(
    db: EntityManager,
    change: Change,
    connection: { id: string; name: string },
  ): Promise<void> {
    const { orgId } = change.actor;
    const open = await db.find(Review, {
      select: { id: true },
      where: { orgId, connectionId: connection.id, type: 'jit', status: In(['PENDING', 'APPROVED']) },
      order: { id: 'ASC' },
    });
    for (const { id } of open) await this.endOne(db, change, id);
    await this.grants.endUnreviewed(db, orgId, connection.id, personOf(change.actor));
  }

  private async endOne(db: EntityManager, change: Change, id: string): Promise<void> {
    const { actor } = change;
    const locked = await lockReview(db, actor.orgId, id);
    const step = expired(locked) ?? withdrawn(locked, 'The connection was deleted.');
    // Decided since it was found.
    if (step === undefined) return;
    const before = { status: locked.review.status };
    const review = await storePatch(db, locked, step);
    const by = review.status === 'EXPIRED' ? undefined : decidedBy(personOf(actor));
    await this.aftermath.ended(db, review, step.ending ?? '', by);
    const after = { status: review.status };
    await change.record(db, { type: 'reviews', id, action: 'update', before, after });
  }
}
