import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { Target, Verb } from './target-directory';

/**
 * An access request rule as it was when the review was requested. Groups are as its author wrote
 * them; source: specification, section 2.3.
 */
export interface ApprovalRule {
  readonly id: string;
  readonly name: string;
  readonly reviewersGroups: readonly string[];
  readonly approvalRequiredGroups: readonly string[];
  readonly forceApprovalGroups: readonly string[];
  readonly allGroupsMustApprove: boolean;
  /** Number of people; null: one, or no number beyond the groups where all groups must approve. */
  readonly minApprovals: number | null;
  /** Seconds. */
  readonly accessMaxDuration: number;
}

/** The groups whose members may approve under this rule. */
export function votersOf(rule: ApprovalRule): string[] {
  return [...new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups])];
}

/** A closed sum. `message` is for the principal. */
export type AccessDecision =
  | { readonly kind: 'allow'; readonly reasonFor?: string | undefined }
  /** All of the rules must be satisfied; there is at least one, and they are sorted by name. */
  | {
      readonly kind: 'review';
      readonly rules: readonly ApprovalRule[];
      /** Name of a rule that covers the connection and requires a reason. */
      readonly reasonFor?: string | undefined;
    }
  | {
      readonly kind: 'deny';
      readonly code: 'verb_disabled' | 'not_in_access_groups' | 'no_role';
      readonly message: string;
    };

/** Port: decides whether the principal may use the target in this way now. */
export abstract class AccessDecider {
  abstract decide(principal: Principal, target: Target, verb: Verb, now: number): Promise<AccessDecision>;

  /**
   * Whether the principal may make one call in a live session of the target: while clients are allowed. A
   * call needs an approval where a rule requires one for each script, because a call is for a tool what a
   * script is for a database.
   * @param mustReview the call needs an approval in any case. Without a rule, the admins give it.
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
