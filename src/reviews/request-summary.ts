import type { ApprovalRule } from '../gate/ports/access-decider';
import { requiredGroups } from './outcome';

/** What several rules come to, in the fields that show one (contract, "Review"). */
export interface RequestSummary {
  readonly ruleName: string;
  readonly minApprovals: number;
  readonly forceApprovalGroups: string[];
}

export function summaryOf(rules: readonly ApprovalRule[]): RequestSummary {
  return {
    ruleName: rules.map(({ name }) => name).join(', '),
    minApprovals: Math.max(0, ...rules.map(shownApprovals)),
    // Those that could force all of it alone.
    forceApprovalGroups: (rules[0]?.forceApprovalGroups ?? []).filter((group) =>
      rules.every((rule) => rule.forceApprovalGroups.includes(group)),
    ),
  };
}

/** Where only groups are counted: one approval for each of them. */
function shownApprovals(rule: ApprovalRule): number {
  return rule.minApprovals ?? (rule.allGroupsMustApprove ? requiredGroups(rule).length : 1);
}
