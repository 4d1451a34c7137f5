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

/** Finds open emergencies, and revokes emergencies whose requester has lost the right to them. */
@Injectable()
export class Emergencies {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly effects: ReviewEffects,
    private readonly audit: AuditService,
  ) {}

  /** Returns all open emergencies without paging. There are few, because each lasts `EMERGENCY_MINUTES`. */
  open(orgId: string): Promise<OpenEmergency[]> {
    return this.reviews.find({
      select: { id: true, requesterId: true, connectionId: true },
      where: { orgId, emergency: true, status: 'APPROVED' },
    });
  }

  /**
   * Revokes an emergency, its grant and its sessions, in the name of the gateway. All gateways may try in
   * parallel; one succeeds.
   */
  async withdraw(orgId: string, id: string, reason: string): Promise<void> {
    await this.reviews.manager.transaction(async (db) => {
      const locked = await lockReview(db, orgId, id);
      const step = withdrawn(locked, reason);
      // The emergency was used up, was revoked or expired after the query.
      if (step === undefined) return;
      const before = { status: locked.review.status };
      const review = await storePatch(db, locked, step);
      await this.effects.ended(db, review, reason);
      const after = { status: review.status, rejection_reason: reason };
      await this.audit.ownChange(orgId).record(db, { type: 'reviews', id, action: 'update', before, after });
    });
  }
}
