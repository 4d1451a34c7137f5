import type { Principal } from '../../kernel/principal';
import type { ApprovalRule } from './access-decider';

/** A request for a review. */
export interface ReviewRequest {
  readonly requester: Principal;
  /** The connection to open. */
  readonly connection: { readonly id: string; readonly name: string; readonly subtype: string };
  /** All of them must be satisfied. The review keeps a copy, so later changes of a rule do not affect it. */
  readonly rules: readonly ApprovalRule[];
  /** Reason of the request, in the words of the requester. */
  readonly reason: string | null;
  /** `onetime`: this input in that session; `jit`: a grant. */
  readonly what:
    | {
        readonly type: 'onetime';
        readonly sessionId: string;
        /**
         * SHA-256 of everything that would run (`inputHash`). The review stores
         * it, so nothing else runs with its approval.
         */
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

/** One call of a client in a live session, for example of a tool. */
export interface ReviewedCall {
  /** Name of the call, for people. */
  readonly name: string;
  /** Arguments of the call, for people. */
  readonly arguments: string;
  /** Fingerprint of the called tool's own description; see `ToolState`. */
  readonly fingerprint?: string;
  /** SHA-256 of everything that decides what the call does. The approval is for this hash, once. */
  readonly hash: Buffer;
  /** The review that the client was given earlier: it gets the outcome of that one, in whichever session. */
  readonly knownReview?: string | undefined;
}

/** A request for a review of one call. The session continues meanwhile. */
export interface CallReviewRequest extends Omit<ReviewRequest, 'what'> {
  /** The live session of the call. */
  readonly sessionId: string;
  readonly call: ReviewedCall;
}

export type CallReviewAnswer =
  /** The approval is claimed: this call runs now, and no other can use the approval. */
  | { readonly kind: 'claimed'; readonly reviewId: string }
  | Exclude<ReviewAnswer, { readonly kind: 'approved' }>;

/** Port: requests reviews. */
export abstract class ReviewDesk {
  abstract requestReview(request: ReviewRequest): Promise<ReviewAnswer>;

  /**
   * The first request asks the reviewers. While it is pending, the same call of the same
   * requester on the same connection, from any session and gateway, is the same request;
   * once it is approved, one of them claims the approval.
   */
  abstract askCall(request: CallReviewRequest): Promise<CallReviewAnswer>;

  /**
   * Returns the reviews among these that nobody decides any more: approved, rejected, revoked, expired or
   * removed.
   */
  abstract decided(reviewIds: readonly string[]): Promise<readonly string[]>;

  /** The call of a claimed approval is over, however it ended. Idempotent. */
  abstract callOver(orgId: string, reviewId: string): Promise<void>;
}
