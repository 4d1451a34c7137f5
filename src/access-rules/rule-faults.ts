import type { AccessRule, AccessType } from './access-rule.entity';

type Definition = Pick<
  AccessRule,
  | 'allGroupsMustApprove'
  | 'approvalRequiredGroups'
  | 'reviewersGroups'
  | 'skipReviewGroups'
  | 'minApprovals'
  | 'attributes'
  | 'connectionNames'
>;

/** Everything about a rule that makes no sense, in plain words (contract, "Access request rule"). */
export function faultsOf(rule: Definition): string[] {
  const faults: string[] = [];
  if (rule.connectionNames.length === 0 && rule.attributes.length === 0) {
    faults.push('name at least one connection in connection_names or one of attributes');
  }
  if (rule.reviewersGroups.length === 0) faults.push('reviewers_groups must name at least one group');
  if (!rule.allGroupsMustApprove && (rule.minApprovals ?? 0) < 1) {
    faults.push('min_approvals must be at least 1 unless all_groups_must_approve is true');
  }
  // A group approves once, by one of its members.
  const voices = new Set([...rule.reviewersGroups, ...rule.approvalRequiredGroups]).size;
  if (rule.reviewersGroups.length > 0 && (rule.minApprovals ?? 0) > voices) {
    faults.push(`min_approvals can never be met: there are ${voices} groups, and each approves once`);
  }
  if (rule.skipReviewGroups.length > 0 && rule.approvalRequiredGroups.length > 0) {
    faults.push('skip_review_groups may only be set while approval_required_groups is empty');
  }
  return faults;
}

/** Access types that a rule of this type meets on the same connection. */
export function meetingTypes(type: AccessType): AccessType[] {
  return type === 'jit_command' ? ['jit', 'command', 'jit_command'] : [type, 'jit_command'];
}
