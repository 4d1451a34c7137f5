import type { ApprovalRule } from '../../gate/ports/access-decider';
import { MAX_SECONDS } from './access-rule.dto';
import type { AccessRule, AccessType } from './access-rule.entity';
import type { Verb } from '../../gate/ports/target-directory';

/** The access types of the rules that apply to each verb. */
export const typesFor: Readonly<Record<Verb, readonly AccessType[]>> = {
  exec: ['command', 'jit_command'],
  connect: ['jit', 'jit_command'],
};

/**
 * Whether the rule requires an approval for a principal in these groups. Rows of older versions may have both
 * exempt groups and groups whose approval is required. The exempt groups then have no effect (contract,
 * "Access request rule").
 */
export function asks(
  rule: Pick<AccessRule, 'skipReviewGroups' | 'approvalRequiredGroups'>,
  groups: readonly string[],
): boolean {
  if (rule.approvalRequiredGroups.length > 0) return true;
  return !groups.some((group) => rule.skipReviewGroups.includes(group));
}

/** Converts a stored rule to the type that the gate uses. */
export function approvalRule(rule: AccessRule): ApprovalRule {
  return {
    id: rule.id,
    name: rule.name,
    reviewersGroups: rule.reviewersGroups,
    approvalRequiredGroups: rule.approvalRequiredGroups,
    forceApprovalGroups: rule.forceApprovalGroups,
    allGroupsMustApprove: rule.allGroupsMustApprove,
    minApprovals: rule.minApprovals,
    accessMaxDuration: rule.accessMaxDuration ?? MAX_SECONDS,
  };
}

/** Id of the rule that `approvalOf` makes: no stored rule has it. */
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Creates a rule for a call that needs an approval although no stored rule applies: one member of the group
 * must approve.
 */
export function approvalOf(group: string): ApprovalRule {
  return {
    id: NIL_ID,
    name: `approval by ${group}`,
    reviewersGroups: [group],
    approvalRequiredGroups: [],
    forceApprovalGroups: [],
    allGroupsMustApprove: false,
    minApprovals: 1,
    accessMaxDuration: MAX_SECONDS,
  };
}
