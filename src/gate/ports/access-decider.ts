import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { Target, Verb } from './target-directory';

/**
 * A copy of an access request rule from the time when a review was requested. Group names are spelled as the
 * rule's author wrote them (specification, section 2.3).
 */
export interface ApprovalRule {
  readonly id: string;
  readonly name: string;
  readonly reviewersGroups: readonly string[];
  readonly approvalRequiredGroups: readonly string[];
  readonly forceApprovalGroups: readonly string[];
  readonly allGroupsMustApprove: boolean;
  /**
   * Minimum number of people who approve. null: one person; if all groups must approve, no minimum beyond one
   * approval for each group.
   */
  readonly minApprovals: number | null;
  /** Maximum duration of access, in seconds. */
  readonly accessMaxDuration: number;
}

/** The groups whose members may approve under this rule. */
export function votersOf(rule: ApprovalRule): string[] {
  return [...new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups])];
}

/** The result of an access decision. `message` is for the principal. */
export type AccessDecision =
  | { readonly kind: 'allow'; readonly reasonFor?: string | undefined }
  /** All of `rules` must be satisfied. There is at least one rule, and they are sorted by name. */
  | {
      readonly kind: 'review';
      readonly rules: readonly ApprovalRule[];
      /** Name of a rule that covers the connection and requires a reason. */
      readonly reasonFor?: string | undefined;
    }
  | {
      readonly kind: 'deny';
      readonly code: 'verb_disabled' | 'not_in_access_groups' | 'no_role' | 'deleted';
      readonly message: string;
    };

/** Port: decides whether the principal may now use the target for a verb, such as `exec`. */
export abstract class AccessDecider {
  abstract decide(principal: Principal, target: Target, verb: Verb, now: number): Promise<AccessDecision>;

  /**
   * Decides whether the principal may make one call in a live session of the target. The target must allow
   * clients. Rules that require an approval for each script require it for each call too, because a call of a
   * tool corresponds to a script for a database.
   * @param mustReview whether the call needs an approval even without a rule; then the admins approve it.
   */
  abstract decideCall(principal: Principal, target: Target, mustReview: boolean): Promise<AccessDecision>;
}

/** @throws AppError `unprocessable` when a rule requires a reason and there is none. */
export function requireReason(reasonFor: string | undefined, reason: string | null): void {
  if (reasonFor !== undefined && reason === null)
    throw new AppError(
      'unprocessable',
      `reason is missing: the access request rule ${reasonFor} requires one`,
    );
}
