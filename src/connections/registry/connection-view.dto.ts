import { ApiProperty } from '@nestjs/swagger';
import { RECORDING_SCOPES } from '../../gate/ports/target-directory';
import { PageInfo } from '../../platform/http/dto/page';
import { targetSubtypes, targetTypes } from '../../targets/kinds';
import { type ConnectionState, MCP_AUTH_STATUS } from './connection-states';
import type { Connection } from './connection.entity';
import { McpPolicyView, mcpPolicyView } from './fields/mcp-policy.dto';
import { RECORDING_MODE, RECORD_RESULTS, RETENTION_DAYS } from './fields/recording-fields';

export const SWITCH = ['enabled', 'disabled'] as const;

export const MCP_POLICY_RULE =
  'What clients of an MCP server may use, and its limits. Only for the subtype `mcpproxy`; null for all others.';

export const CATALOG_ENTRY =
  'Name of the entry of `GET /mcp-catalog` that the connection was made from; null where there is none.';

/** The token with which the gateway reaches an MCP server (`MCP_AUTH=exchange`, `oauth`). */
export class McpAuthView {
  @ApiProperty({
    enum: MCP_AUTH_STATUS,
    description:
      '`ok`: the gateway has a token, or gets the next one by itself. `needs_reauth`: it was refused one, and somebody has to act. `none`: it never needed one.',
  })
  status!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null while `status` is `none`.',
  })
  since!: Date | null;
}

export class ConnectionView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty({ example: 'pg-prod' })
  name!: string;

  @ApiProperty({ enum: targetTypes })
  type!: string;

  @ApiProperty({ enum: targetSubtypes })
  subtype!: string;

  @ApiProperty()
  description!: string;

  @ApiProperty({
    type: 'object',
    // Not an enumeration: a Rust client cannot parse an enumeration with only the empty string.
    additionalProperties: { type: 'string', maxLength: 0 },
    description: 'Names of the secret’s values; the values are never shown.',
    example: { HOST: '', PASS: '' },
  })
  secret!: Record<string, string>;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  connection_tags!: Record<string, string>;

  @ApiProperty({ type: [String] })
  attributes!: string[];

  @ApiProperty({ type: 'array', items: { type: 'string', format: 'uuid' } })
  guardrail_rules!: string[];

  @ApiProperty({ type: [String] })
  access_groups!: string[];

  @ApiProperty({
    type: [String],
    description: 'Groups whose members may open their own requests in an emergency.',
  })
  emergency_access_groups!: string[];

  @ApiProperty({ enum: SWITCH })
  access_mode_connect!: string;

  @ApiProperty({ enum: SWITCH })
  access_mode_exec!: string;

  @ApiProperty({ enum: SWITCH })
  access_mode_runbooks!: string;

  @ApiProperty({ enum: SWITCH })
  access_schema!: string;

  @ApiProperty()
  resource_name!: string;

  @ApiProperty({ enum: RECORDING_SCOPES })
  recording!: string;

  @ApiProperty(RECORDING_MODE)
  recording_mode!: string | null;

  @ApiProperty(RETENTION_DAYS)
  retention_days!: number | null;

  @ApiProperty({ description: RECORD_RESULTS })
  record_results!: boolean;

  @ApiProperty({ type: McpPolicyView, nullable: true, description: MCP_POLICY_RULE })
  mcp_policy!: McpPolicyView | null;

  @ApiProperty({ type: String, nullable: true, description: CATALOG_ENTRY })
  catalog!: string | null;

  @ApiProperty({
    enum: ['online', 'offline', 'unknown'],
    description:
      'Whether the gateway could open the target when it last tried: for a script, for a PostgreSQL client, or for the test of the connection. `offline`: the target did not answer, or refused the secret. `unknown`: no attempt since the connection was created or its secret changed.',
  })
  status!: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'Time of `status`; repeated results are stored once a minute. Null while `status` is `unknown`.',
  })
  status_at!: Date | null;

  @ApiProperty({
    type: McpAuthView,
    nullable: true,
    description:
      'What became of the gateway’s sign-in at the MCP server: with the token of the caller, where each has one, or with the shared one. Null for all other kinds.',
  })
  mcp_auth!: McpAuthView | null;

  @ApiProperty({ type: String, nullable: true })
  managed_by!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: Date;
}

/** A connection after it was written, with warnings for its author. */
export class CheckedConnectionView extends ConnectionView {
  @ApiProperty({
    type: [String],
    description:
      'Possible mistakes: a connection that only admins may open, or settings without effect. Fields of other gateways that have no effect here are accepted, and listed here with their replacements.',
    example: [
      'only admins may open this connection: access_groups is empty; ["*"] opens it to everybody who is signed in',
    ],
  })
  warnings!: string[];
}

export class ConnectionPage {
  @ApiProperty({ type: [ConnectionView] })
  data!: ConnectionView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function connectionView(
  connection: Connection,
  guardrailRules: string[],
  { reachability, mcpAuth }: ConnectionState = {},
): ConnectionView {
  return {
    id: connection.id,
    org_id: connection.orgId,
    name: connection.name,
    type: connection.type,
    subtype: connection.subtype,
    description: connection.description,
    secret: Object.fromEntries(connection.secretNames.map((name) => [name, ''])),
    connection_tags: connection.tags,
    attributes: connection.attributes,
    guardrail_rules: guardrailRules,
    access_groups: connection.accessGroups,
    emergency_access_groups: connection.emergencyAccessGroups,
    access_mode_connect: connection.accessModeConnect,
    access_mode_exec: connection.accessModeExec,
    access_mode_runbooks: connection.accessModeRunbooks,
    access_schema: connection.accessSchema,
    resource_name: connection.resourceName,
    recording: connection.recording,
    recording_mode: connection.recordingMode,
    retention_days: connection.retentionDays,
    record_results: connection.recordResults,
    mcp_policy: connection.mcpPolicy === null ? null : mcpPolicyView(connection.mcpPolicy),
    catalog: connection.catalog,
    status: reachability?.status ?? 'unknown',
    status_at: reachability?.statusAt ?? null,
    mcp_auth: connection.mcpPolicy === null ? null : (mcpAuth ?? { status: 'none', since: null }),
    managed_by: connection.managedBy,
    created_at: connection.createdAt,
    updated_at: connection.updatedAt,
  };
}
