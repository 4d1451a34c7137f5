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

/** Returns all faults of a rule as messages (contract, "Access request rule"). */
export function accessRuleFaults(rule: Definition): string[] {
  const faults: string[] = [];
  if (rule.connectionNames.length === 0 && rule.attributes.length === 0) {
    faults.push('name at least one connection in connection_names or one of attributes');
  }
  if (rule.reviewersGroups.length === 0) faults.push('reviewers_groups must name at least one group');
  if (!rule.allGroupsMustApprove && (rule.minApprovals ?? 0) < 1) {
    faults.push('min_approvals must be at least 1 unless all_groups_must_approve is true');
  }
  if (rule.skipReviewGroups.length > 0 && rule.approvalRequiredGroups.length > 0) {
    faults.push('skip_review_groups may only be set while approval_required_groups is empty');
  }
  return faults;
}

/** The number of approvals that a rule needs, and the numbers of groups and people who can give them. */
interface Voices {
  readonly minApprovals: number | null;
  /** Number of groups whose members may approve. */
  readonly groups: number;
  /** Number of active members of the groups. Each person counts once, because each approves once. */
  readonly people: number;
}

/**
 * Returns a message if there can never be enough approvals. A rule can be written before its reviewers have
 * signed in, so each group counts as at least one person.
 */
export function unmeetable({ minApprovals, groups, people }: Voices): string | undefined {
  if ((minApprovals ?? 0) <= Math.max(groups, people)) return undefined;
  return `min_approvals can never be reached: there are ${groups} groups with ${people} people in total, and each person approves once`;
}

/** Returns the access types of the rules that would conflict with a rule of this type on a connection. */
export function meetingTypes(type: AccessType): AccessType[] {
  return type === 'jit_command' ? ['jit', 'command', 'jit_command'] : [type, 'jit_command'];
}
