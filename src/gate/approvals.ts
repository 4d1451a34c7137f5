import { Injectable } from '@nestjs/common';
import type { Principal } from '../kernel/principal';
import { ApprovalDemand, CallApprovals } from './approval';
import { CallDecisions } from './call-decisions';
import { Entrance } from './entrance';
import type { AccessDecision } from './ports/access-decider';
import { ReviewDesk } from './ports/review-desk';
import type { Target } from './ports/target-directory';

/** Creates the objects with which a session requests reviews. */
@Injectable()
export class Approvals {
  constructor(
    private readonly reviews: ReviewDesk,
    private readonly decisions: CallDecisions,
    private readonly entrance: Entrance,
  ) {}

  /** Creates the object that requests reviews of a session's inputs. Access is already decided. */
  ofInputs(
    requester: Principal,
    target: Target,
    decision: AccessDecision,
    reason: string | null,
  ): ApprovalDemand {
    return new ApprovalDemand(this.reviews, requester, target, decision, reason);
  }

  /** Creates the object that requests reviews of calls in a live session. Each call decides access again. */
  ofCalls(requester: Principal, target: Target, reason: string | null): CallApprovals {
    return new CallApprovals(this.reviews, requester, target, reason, {
      decide: (mustReview) => this.decideCall(requester, target, mustReview),
      decided: (reviewId, signal) => this.decisions.decided(reviewId, signal),
    });
  }

  /** Decides by the current connection, because its attributes and switches may change during the session. */
  private async decideCall(
    requester: Principal,
    target: Target,
    mustReview: boolean,
  ): Promise<AccessDecision> {
    const now = await this.entrance.targetById(requester.orgId, target.id);
    if (now === undefined)
      return { kind: 'deny', code: 'deleted', message: `the connection ${target.name} was deleted` };
    return this.entrance.decideCall(requester, now, mustReview);
  }
}
