import type { Principal } from '../../kernel/principal';
import type { Target, Verb } from './target-directory';

/** The access request rule that asks for people's approval. */
export interface ApprovalRule {
  readonly id: string;
  readonly name: string;
  readonly reviewersGroups: readonly string[];
  readonly forceApprovalGroups: readonly string[];
  readonly allGroupsMustApprove: boolean;
  readonly minApprovals: number;
  /** Seconds. */
  readonly accessMaxDuration: number;
}

/** A closed sum: what an access decision can be. `message` is for the person who asked. */
export type AccessDecision =
  | { readonly kind: 'allow' }
  | { readonly kind: 'review'; readonly rule: ApprovalRule }
  | {
      readonly kind: 'deny';
      readonly code: 'verb_disabled' | 'not_in_access_groups';
      readonly message: string;
    };

/** Port: may this principal do that there, now? */
export abstract class AccessDecider {
  abstract decide(principal: Principal, target: Target, verb: Verb, now: number): Promise<AccessDecision>;
}
