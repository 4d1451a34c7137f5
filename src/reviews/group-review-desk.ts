import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { type ReviewAnswer, ReviewDesk, type ReviewRequest } from '../gate/ports/review-desk';
import { Clock } from '../kernel/clock';
import { Review, ReviewGroup } from './review.entity';

/** How long a request waits for reviewers before it expires. */
const UNDECIDED_FOR_MS = 24 * 3_600_000;

/** Puts a request before the groups that the rule names, and leaves it pending until they decide. */
@Injectable()
export class GroupReviewDesk extends ReviewDesk {
  constructor(
    @InjectRepository(Review) private readonly reviews: Repository<Review>,
    private readonly clock: Clock,
  ) {
    super();
  }

  async ask({ requester, sessionId, rule, type, input }: ReviewRequest): Promise<ReviewAnswer> {
    const { orgId } = requester;
    const review = this.reviews.create({
      orgId,
      sessionId,
      type,
      status: 'PENDING',
      accessDuration: type === 'jit' ? rule.accessMaxDuration : 0,
      ruleName: rule.name,
      minApprovals: rule.allGroupsMustApprove ? rule.reviewersGroups.length : rule.minApprovals,
      forceApprovalGroups: [...rule.forceApprovalGroups],
      inputHash: createHash('sha256').update(input).digest(),
      timeWindow: null,
      rejectionReason: null,
      revokeAt: null,
      expiresAt: new Date(this.clock.now() + UNDECIDED_FOR_MS),
    });
    await this.reviews.manager.transaction(async (db) => {
      await db.save(review);
      await db.insert(
        ReviewGroup,
        rule.reviewersGroups.map((groupName) => ({
          orgId,
          reviewId: review.id,
          groupName,
          status: 'PENDING' as const,
        })),
      );
    });
    return { kind: 'pending', reviewId: review.id };
  }
}
