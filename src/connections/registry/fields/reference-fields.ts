const MASKING = 'guardrail rules with the action mask hide what they find in results';
const APPROVAL = 'access request rules that name the connection require approval';

/** Fields of connections that only the reference system has, each with its replacement in this gateway. */
export const REFERENCE_ONLY: Readonly<Record<string, string>> = {
  agent_id: 'there are no agents, the gateway connects to targets itself',
  command: 'the gateway runs scripts itself, no command is started',
  default_database: 'DB in the secret names the database',
  redact_enabled: MASKING,
  redact_types: `${MASKING}, their detectors say which data`,
  reviewers: `${APPROVAL}, reviewers_groups says whom`,
  tags: 'connection_tags takes tags, each with a key and a value',
  jira_issue_template_id: 'there is no integration with Jira, the metadata of a session can name an issue',
  min_review_approvals: `${APPROVAL}, min_approvals is their number`,
  force_approve_groups: `${APPROVAL}, force_approval_groups need no others`,
  access_max_duration: `${APPROVAL}, access_max_duration limits the access`,
  mandatory_metadata_fields:
    'no metadata is demanded, access request rules with reason_required demand a reason',
};
