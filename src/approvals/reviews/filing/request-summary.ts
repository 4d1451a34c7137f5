import type { ApprovalRule } from '../../../gate/ports/access-decider';
import { requiredGroups } from '../machine/outcome';

/** Summary of a request's rules, for fields of the API that have room for one rule (contract, "Review"). */
export interface RequestSummary {
  readonly ruleName: string;
  readonly minApprovals: number;
  readonly forceApprovalGroups: string[];
}

export function summaryOf(rules: readonly ApprovalRule[]): RequestSummary {
  return {
    ruleName: rules.map(({ name }) => name).join(', '),
    minApprovals: Math.max(0, ...rules.map(shownApprovals)),
    // Show only groups that may force under each rule, because one of their members can force the request.
    forceApprovalGroups: (rules[0]?.forceApprovalGroups ?? []).filter((group) =>
      rules.every((rule) => rule.forceApprovalGroups.includes(group)),
    ),
  };
}

/** Returns the number of approvals to show: one for each group if the rule counts groups, not people. */
function shownApprovals(rule: ApprovalRule): number {
  return rule.minApprovals ?? (rule.allGroupsMustApprove ? requiredGroups(rule).length : 1);
}
