import { texts } from '../texts';

/**
 * Labels of fields by API name. They are the labels of the forms, so that a difference uses the same words as
 * the form.
 */
export type FieldLabels = Readonly<Record<string, string>>;

const {
  adminConnections: c,
  guardrails: g,
  accessRules: r,
  people,
  groups,
  machineKeys,
  issued,
  webhooks,
} = texts;

export const guardrailLabels: FieldLabels = {
  name: g.name,
  description: g.description,
  attributes: g.attributes,
  connection_ids: g.connections,
  input: g.directions.input,
  output: g.directions.output,
};

export const accessRuleLabels: FieldLabels = {
  name: r.name,
  description: r.description,
  access_type: r.type,
  connection_names: r.connections,
  attributes: r.attributes,
  access_max_duration: r.duration,
  reason_required: r.reason,
  reviewers_groups: r.reviewers,
  min_approvals: r.minimum,
  approval_required_groups: r.required,
  all_groups_must_approve: r.all,
  force_approval_groups: r.force,
  skip_review_groups: r.skip,
};

export const connectionLabels: FieldLabels = {
  name: c.name,
  description: c.description,
  subtype: c.kind,
  secret: c.secret.title,
  connection_tags: c.tags.title,
  attributes: c.attributes,
  guardrail_rules: c.guardrails,
  access_groups: c.groups,
  emergency_access_groups: c.emergencyGroups,
  ...c.switches,
  resource_name: c.resource,
  recording: c.scope,
  recording_mode: c.mode,
  retention_days: c.retention,
  record_results: c.results,
  mcp_policy: c.policy.title,
};

/** Labels by resource type of the audit log. Fields without an input in a form keep their API names. */
const BY_TYPE: Readonly<Record<string, FieldLabels>> = {
  guardrails: guardrailLabels,
  'access-requests/rules': accessRuleLabels,
  connections: connectionLabels,
  users: { name: people.name, email: people.email, status: people.status, groups: people.groups },
  groups: { name: groups.name, description: groups.description },
  'api-keys': { name: issued.name, groups: machineKeys.groups, expires_at: issued.expires },
  'scim-tokens': { name: issued.name, expires_at: issued.expires },
  webhooks: {
    url: webhooks.url,
    events: webhooks.events,
    format: webhooks.format,
    description: webhooks.description,
    enabled: webhooks.enabled,
    secret: webhooks.secret,
  },
};

export function labelsOf(type: string): FieldLabels {
  return BY_TYPE[type] ?? {};
}

export function labelOf(field: string, labels: FieldLabels): string {
  // A field name from a user may equal an inherited property, such as `constructor`.
  return (Object.hasOwn(labels, field) ? labels[field] : undefined) ?? field;
}
