import type { ApprovalRule } from '../../../gate/ports/access-decider';
import { requiredGroups } from '../machine/outcome';

/** Several rules combined into fields that have room for only one rule (contract, "Review"). */
export interface RequestSummary {
  readonly ruleName: string;
  readonly minApprovals: number;
  readonly forceApprovalGroups: string[];
}

export function summaryOf(rules: readonly ApprovalRule[]): RequestSummary {
  return {
    ruleName: rules.map(({ name }) => name).join(', '),
    minApprovals: Math.max(0, ...rules.map(shownApprovals)),
    // Groups that all rules name, so that one member can force the whole request.
    forceApprovalGroups: (rules[0]?.forceApprovalGroups ?? []).filter((group) =>
      rules.every((rule) => rule.forceApprovalGroups.includes(group)),
    ),
  };
}

/** Returns the number of approvals to show: one for each group if the rule counts groups, not people. */
function shownApprovals(rule: ApprovalRule): number {
  return rule.minApprovals ?? (rule.allGroupsMustApprove ? requiredGroups(rule).length : 1);
}
