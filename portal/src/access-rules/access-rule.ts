import type { components } from '../api/schema';

type Schemas = components['schemas'];
export type AccessRule = Schemas['AccessRuleView'];
export type CheckedAccessRule = Schemas['CheckedAccessRuleView'];
export type AccessRuleBody = Schemas['AccessRuleBody'];

/** An access rule in the form, with the input that the user has typed so far. */
export type Draft = Required<AccessRuleBody>;

export const NEW_DRAFT: Draft = {
  name: '',
  description: '',
  access_type: 'jit',
  access_max_duration: null,
  all_groups_must_approve: false,
  approval_required_groups: [],
  reviewers_groups: [],
  force_approval_groups: [],
  skip_review_groups: [],
  min_approvals: 1,
  reason_required: false,
  attributes: [],
  connection_names: [],
};

export function draftOf(rule: AccessRule): Draft {
  return {
    name: rule.name,
    description: rule.description,
    access_type: rule.access_type,
    access_max_duration: rule.access_max_duration,
    all_groups_must_approve: rule.all_groups_must_approve,
    approval_required_groups: rule.approval_required_groups,
    reviewers_groups: rule.reviewers_groups,
    force_approval_groups: rule.force_approval_groups,
    skip_review_groups: rule.skip_review_groups,
    min_approvals: rule.min_approvals,
    reason_required: rule.reason_required,
    attributes: rule.attributes,
    connection_names: rule.connection_names,
  };
}
