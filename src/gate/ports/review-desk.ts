import type { Principal } from '../../kernel/principal';
import type { ApprovalRule } from './access-decider';

export interface ReviewRequest {
  readonly requester: Principal;
  readonly sessionId: string;
  readonly rule: ApprovalRule;
  /** `onetime`: this very input; `jit`: a span of time. */
  readonly type: 'onetime' | 'jit';
  /** The bytes that would run; their SHA-256 becomes part of the review, so nothing else runs in their name. */
  readonly input: string;
}

export type ReviewAnswer =
  | { readonly kind: 'approved' }
  | { readonly kind: 'pending'; readonly reviewId: string }
  | { readonly kind: 'rejected'; readonly message: string };

/** Port: what do the reviewers say? */
export abstract class ReviewDesk {
  abstract ask(request: ReviewRequest): Promise<ReviewAnswer>;
}
