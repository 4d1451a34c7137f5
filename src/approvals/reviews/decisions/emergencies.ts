import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { AuditService } from '../../../platform/audit/audit.service';
import { lockReview } from '../steps/locked-review';
import { ReviewEffects } from '../steps/review-effects';
import { withdrawn } from '../machine/review-life';
import { Review } from '../machine/review.entity';
import { storePatch } from '../steps/stored-step';

/** An emergency that may still be used. */
export type OpenEmergency = Pick<Review, 'id' | 'requesterId' | 'connectionId'>;

/** Emergencies that may still be used, and the end of those whose requester lost the right to them. */
@Injectable()
export class Emergencies {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly effects: ReviewEffects,
    private readonly audit: AuditService,
  ) {}

  /** There are few: they last for `EMERGENCY_MINUTES`. */
  open(orgId: string): Promise<OpenEmergency[]> {
    return this.reviews.find({
      select: { id: true, requesterId: true, connectionId: true },
      where: { orgId, emergency: true, status: 'APPROVED' },
    });
  }

  /**
   * Revokes it in the name of the gateway, and with it the grant and its sessions. All gateways may try at
   * once; one does it.
   */
  async withdraw(orgId: string, id: string, reason: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, orgId, id);
      const step = withdrawn(locked, reason);
      // Used up, revoked or expired since the query.
      if (step === undefined) return;
      const before = { status: locked.review.status };
      const review = await storePatch(db, locked, step);
      await this.effects.ended(db, review, reason);
      const after = { status: review.status, rejection_reason: reason };
      await this.audit.ownChange(orgId).record(db, { type: 'reviews', id, action: 'update', before, after });
    });
  }
}
