import type { Principal } from '../../kernel/principal';
import type { ApprovalRule } from './access-decider';

/** What is asked of people. */
export interface ReviewRequest {
  readonly requester: Principal;
  /** What is to be opened. */
  readonly connection: { readonly id: string; readonly name: string; readonly subtype: string };
  /** All of them must be satisfied. The review keeps a copy: a rule that changes meanwhile changes nothing. */
  readonly rules: readonly ApprovalRule[];
  /** Why access is wanted, in the words of who asks. */
  readonly reason: string | null;
  /** `onetime`: this very input, in that session; `jit`: a span of time. */
  readonly what:
    | {
        readonly type: 'onetime';
        readonly sessionId: string;
        /** SHA-256 of all that would run (`inputHash`); it becomes part of the review, so nothing else runs in its name. */
        readonly inputHash: Buffer;
      }
    | {
        readonly type: 'jit';
        /** Seconds. */
        readonly accessDuration: number;
      };
}

export type ReviewAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | { readonly kind: 'rejected'; readonly message: string };

/** One call that a client makes within a live session, for example of a tool. */
export interface ReviewedCall {
  /** For people: what is called. */
  readonly name: string;
  /** For people: all that it is called with. */
  readonly arguments: string;
  /** SHA-256 of all that decides what the call does. What is approved is this, once. */
  readonly hash: Buffer;
}

/** What is asked of people about one call. The session goes on meanwhile. */
export interface CallReviewRequest extends Omit<ReviewRequest, 'what'> {
  /** The live session that makes the call. */
  readonly sessionId: string;
  readonly call: ReviewedCall;
}

export type CallReviewAnswer =
  /** The approval is claimed: the call runs now, and no other does in its name. */
  | { readonly kind: 'claimed'; readonly reviewId: string }
  | Exclude<ReviewAnswer, { readonly kind: 'approved' }>;

/** Port: what do the reviewers say? */
export abstract class ReviewDesk {
  abstract ask(request: ReviewRequest): Promise<ReviewAnswer>;

  /**
   * The first request asks people. The same call of the same requester on the same connection, from whichever session and gateway,
   * is that request again while it waits; once it is approved, one of them claims the approval.
   */
  abstract askCall(request: CallReviewRequest): Promise<CallReviewAnswer>;

  /** The call of a claimed approval is over, however it ended. Idempotent. */
  abstract callOver(orgId: string, reviewId: string): Promise<void>;
}
