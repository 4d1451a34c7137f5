import { AppError } from '../../kernel/app-error';
import type { AccessRuleBody } from './access-rule.dto';
import { accessRuleFaults } from './rule-faults';

/** Converts a request body to a rule. @throws AppError `unprocessable` that lists all faults of the rule */
export function accessRuleDefinition(body: AccessRuleBody) {
  const unique = (names: string[] | undefined): string[] => [...new Set(names)];
  const definition = {
    name: body.name,
    description: body.description ?? '',
    accessType: body.access_type,
    accessMaxDuration: body.access_max_duration ?? null,
    allGroupsMustApprove: body.all_groups_must_approve ?? false,
    approvalRequiredGroups: unique(body.approval_required_groups),
    reviewersGroups: unique(body.reviewers_groups),
    forceApprovalGroups: unique(body.force_approval_groups),
    skipReviewGroups: unique(body.skip_review_groups),
    minApprovals: body.min_approvals ?? null,
    reasonRequired: body.reason_required ?? false,
    attributes: unique(body.attributes),
    connectionNames: unique(body.connection_names),
  };
  const faults = accessRuleFaults(definition);
  if (faults.length > 0) throw new AppError('unprocessable', faults.join('; '));
  return definition;
}
