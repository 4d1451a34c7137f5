import type { Principal } from '../kernel/principal';
import type { Command } from './command';
import type { AccessDecision } from './ports/access-decider';
import type { ReviewDesk, ReviewedCall } from './ports/review-desk';
import type { Target } from './ports/target-directory';
import type { InputRefusal } from './refusal';
import { inputHash } from './script-input';

/** The gate's decision on a call: forward it, wait for a review, or refuse it. */
export type CallAdmission =
  | {
      readonly kind: 'forward';
      /**
       * Set for an approved call. Must be called when the call has ended, whether it succeeded or failed,
       * otherwise the outcome of the call stays unknown.
       */
      readonly over?: () => Promise<void>;
    }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | InputRefusal;

/** Requests a review of each input of a session, if the session's access decision requires it. */
export class ApprovalDemand {
  constructor(
    private readonly desk: ReviewDesk,
    private readonly requester: Principal,
    private readonly connection: Target,
    private readonly access: AccessDecision,
    private readonly reason: string | null,
  ) {}

  /** The refusal of all inputs of the session; undefined if access is not denied. */
  get denial(): InputRefusal | undefined {
    return this.access.kind === 'deny' ? refusedBy(this.access.message) : undefined;
  }

  /** Requests a review of an input, if a rule requires it. @returns undefined if the input is admitted. */
  async requestApproval(
    sessionId: string,
    command: Command,
  ): Promise<{ readonly kind: 'pending'; readonly reviewId: string } | InputRefusal | undefined> {
    if (this.access.kind !== 'review') return undefined;
    const answer = await this.desk.requestReview({
      requester: this.requester,
      connection: this.connection,
      rules: this.access.rules,
      reason: this.reason,
      what: { type: 'onetime', sessionId, ...(await scriptOf(command)) },
    });
    switch (answer.kind) {
      case 'approved':
        return undefined;
      case 'pending':
        return answer;
      case 'rejected':
        return refusedBy(answer.message);
    }
  }
}

/** Requests reviews of single calls of a live session. */
export class CallApprovals {
  constructor(
    private readonly desk: ReviewDesk,
    private readonly requester: Principal,
    private readonly connection: Target,
    private readonly reason: string | null,
    private readonly asks: {
      /** Decides access at the time of the call; see `AccessDecider.decideCall`. */
      readonly decide: (mustReview: boolean) => Promise<AccessDecision>;
      /** See `CallDecisions.decided`. */
      readonly decided: (reviewId: string, signal: AbortSignal) => Promise<boolean>;
    },
  ) {}

  /** See `CallDecisions.decided`. */
  decided(reviewId: string, signal: AbortSignal): Promise<boolean> {
    return this.asks.decided(reviewId, signal);
  }

  /** Decides on a call, and requests a review if needed. Rejects only if the decision or request fails. */
  async requestAdmission(sessionId: string, call: ReviewedCall, mustReview: boolean): Promise<CallAdmission> {
    const { desk, requester, connection, reason } = this;
    const access = await this.asks.decide(mustReview);
    if (access.kind === 'deny') return refusedBy(access.message);
    if (access.reasonFor !== undefined && reason === null)
      return refusedBy(
        `calls need a reason, because the access request rule ${access.reasonFor} requires one`,
      );
    if (access.kind === 'allow') return { kind: 'forward' };
    const { rules } = access;
    const answer = await desk.askCall({ requester, connection, rules, reason, sessionId, call });
    switch (answer.kind) {
      case 'claimed':
        return { kind: 'forward', over: () => desk.callOver(requester.orgId, answer.reviewId) };
      case 'pending':
        return answer;
      case 'rejected':
        return refusedBy(answer.message);
    }
  }
}

function refusedBy(message: string): InputRefusal {
  return { kind: 'refused', reason: 'access', message };
}

/** Returns the script with the hash of the whole of it, because reviewers approve the whole text. */
async function scriptOf(command: Command): Promise<{ readonly script: string; readonly inputHash: Buffer }> {
  if (command.kind !== 'statement' || typeof command.text !== 'string')
    throw new Error('only scripts can be approved');
  const script = command.text;
  return { script, inputHash: await inputHash({ script, arguments: [], environment: {} }) };
}
