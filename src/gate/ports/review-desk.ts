import type { Principal } from '../../kernel/principal';
import type { ApprovalRule } from './access-decider';

/** A request for a review. */
export interface ReviewRequest {
  readonly requester: Principal;
  /** The connection to open. */
  readonly connection: { readonly id: string; readonly name: string; readonly subtype: string };
  /** Rules that must all be satisfied. The review keeps a copy, so that later changes do not affect it. */
  readonly rules: readonly ApprovalRule[];
  /** Reason of the request, in the words of the requester. */
  readonly reason: string | null;
  /** The object of the review. `onetime`: one input in one session; `jit`: a grant. */
  readonly what:
    | {
        readonly type: 'onetime';
        readonly sessionId: string;
        /**
         * SHA-256 of everything that would run (`inputHash`). The review stores it, so that its approval is
         * valid for no other input.
         */
        readonly inputHash: Buffer;
        /** The script, of which lists of reviews show the beginning. */
        readonly script: string;
      }
    | {
        readonly type: 'jit';
        /** Requested duration of access, in seconds. */
        readonly accessDuration: number;
      };
}

export type ReviewAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | { readonly kind: 'rejected'; readonly message: string };

/** One call of a client in a live session, for example of a tool. */
export interface ReviewedCall {
  /** Name of the call, as people read it. */
  readonly name: string;
  /** Arguments of the call, as people read them. */
  readonly arguments: string;
  /** Fingerprint of the tool's description, as its MCP server sends it; see `ToolState`. */
  readonly fingerprint?: string;
  /** SHA-256 of everything that determines the effect of the call. An approval is valid for one such call. */
  readonly hash: Buffer;
  /** Id of a review that the client received earlier. Its outcome applies to this call, in any session. */
  readonly knownReview?: string | undefined;
}

/** A request for a review of one call. The session continues meanwhile. */
export interface CallReviewRequest extends Omit<ReviewRequest, 'what'> {
  /** The live session of the call. */
  readonly sessionId: string;
  readonly call: ReviewedCall;
}

export type CallReviewAnswer =
  /** The approval is claimed: this call runs now, and no other call can use the approval. */
  | { readonly kind: 'claimed'; readonly reviewId: string }
  | Exclude<ReviewAnswer, { readonly kind: 'approved' }>;

/** Port: requests reviews. */
export abstract class ReviewDesk {
  abstract requestReview(request: ReviewRequest): Promise<ReviewAnswer>;

  /**
   * Requests a review of a call. The first request notifies the reviewers. While it is pending, an identical
   * call by the same requester on the same connection, from any session and gateway, counts as the same
   * request. After the approval, exactly one of these calls claims it.
   */
  abstract askCall(request: CallReviewRequest): Promise<CallReviewAnswer>;

  /**
   * Returns the given reviews that are no longer pending: approved, rejected, revoked, expired or removed.
   */
  abstract decided(reviewIds: readonly string[]): Promise<readonly string[]>;

  /** Reports that the call of a claimed approval is over, with any outcome. Idempotent. */
  abstract callOver(orgId: string, reviewId: string): Promise<void>;
}
