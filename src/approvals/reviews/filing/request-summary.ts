import type { ApprovalRule } from '../../../gate/ports/access-decider';
import { requiredGroups } from '../machine/outcome';

/** Several rules combined in the fields that can show only one (contract, "Review"). */
export interface RequestSummary {
  readonly ruleName: string;
  readonly minApprovals: number;
  readonly forceApprovalGroups: string[];
}

export function summaryOf(rules: readonly ApprovalRule[]): RequestSummary {
  return {
    ruleName: rules.map(({ name }) => name).join(', '),
    minApprovals: Math.max(0, ...rules.map(shownApprovals)),
    // Groups that could force the whole request alone.
    forceApprovalGroups: (rules[0]?.forceApprovalGroups ?? []).filter((group) =>
      rules.every((rule) => rule.forceApprovalGroups.includes(group)),
    ),
  };
}

/** If the rule counts groups instead of people, one approval for each group. */
function shownApprovals(rule: ApprovalRule): number {
  return rule.minApprovals ?? (rule.allGroupsMustApprove ? requiredGroups(rule).length : 1);
}
