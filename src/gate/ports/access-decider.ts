import { AppError } from '../../kernel/app-error';
import type { Principal } from '../../kernel/principal';
import type { Target, Verb } from './target-directory';

/**
 * An access request rule that asks for people's approval, as it was when it was asked for. Groups as its author wrote
 * them; source: specification, section 2.3.
 */
export interface ApprovalRule {
  readonly id: string;
  readonly name: string;
  readonly reviewersGroups: readonly string[];
  readonly approvalRequiredGroups: readonly string[];
  readonly forceApprovalGroups: readonly string[];
  readonly allGroupsMustApprove: boolean;
  /** People; null: one, or no number beyond the groups where all groups must approve. */
  readonly minApprovals: number | null;
  /** Seconds. */
  readonly accessMaxDuration: number;
}

/** The groups whose members may approve by this rule. */
export function votersOf(rule: ApprovalRule): string[] {
  return [...new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups])];
}

/** A closed sum: what an access decision can be. `message` is for the person who asked. */
export type AccessDecision =
  | { readonly kind: 'allow'; readonly reasonFor?: string | undefined }
  /** All of the rules must be satisfied; there is at least one, and they come by name. */
  | {
      readonly kind: 'review';
      readonly rules: readonly ApprovalRule[];
      /** Name of a rule that covers the connection and requires a reason. */
      readonly reasonFor?: string | undefined;
    }
  | {
      readonly kind: 'deny';
      readonly code: 'verb_disabled' | 'not_in_access_groups';
      readonly message: string;
    };

/** Port: may this principal do that there, now? */
export abstract class AccessDecider {
  abstract decide(principal: Principal, target: Target, verb: Verb, now: number): Promise<AccessDecision>;
}

/** @throws AppError `unprocessable` when a rule demands a reason and there is none. */
export function requireReason(reasonFor: string | undefined, reason: string | null): void {
  if (reasonFor !== undefined && reason === null)
    throw new AppError(
      'unprocessable',
      `reason is missing: the access request rule ${reasonFor} demands one`,
    );
}
