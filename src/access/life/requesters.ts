import { Injectable } from '@nestjs/common';
import { Principals } from '../../identity/auth/users/principals';
import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import { ReviewsService } from '../../approvals/reviews/requests/reviews.service';

/** The people and machines who requested a review, with their current rights. */
@Injectable()
export class Requesters {
  constructor(
    private readonly reviews: ReviewsService,
    private readonly principals: Principals,
  ) {}

  /** @throws AppError `forbidden` when the requester may no longer act. */
  async ofSession(orgId: string, sessionId: string): Promise<Principal> {
    const requester = await this.reviews.requesterOf(orgId, sessionId);
    if (requester === undefined) throw mayNotAct();
    const current = await this.principals.current(requester).catch((error: Error & { code?: string }) => {
      throw error.code === 'unauthenticated' ? mayNotAct() : error;
    });
    // Auditors run nothing (contract, "Who may do what"), so another person cannot start their script either.
    if (current.role === 'auditor') throw mayNotAct();
    return current;
  }
}

function mayNotAct(): AppError {
  return new AppError('forbidden', 'its requester may no longer act');
}
