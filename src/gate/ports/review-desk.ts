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

/** Port: what do the reviewers say? */
export abstract class ReviewDesk {
  abstract ask(request: ReviewRequest): Promise<ReviewAnswer>;
}
