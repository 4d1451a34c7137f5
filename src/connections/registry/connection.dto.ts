import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsObject, IsOptional, IsString, ValidateIf, ValidateNested } from 'class-validator';
import type { RecordingMode, RecordingScope } from '../../gate/ports/target-directory';
import {
  DescriptionField,
  IdsField,
  NamesField,
  ResourceNameField,
  StringMapField,
} from '../../platform/http/dto/fields';
import { NameField } from '../../platform/http/dto/name-fields';
import { AcceptsAndIgnores, AcceptsWithoutEffect } from '../../platform/http/validation.pipe';
import { CATALOG_ENTRY, MCP_POLICY_RULE, SWITCH } from './connection-view.dto';
import type { Switch } from './connection.entity';
import { McpPolicyBody } from './fields/mcp-policy.dto';
import { REFERENCE_ONLY } from './fields/reference-fields';
import {
  RecordResultsField,
  RecordingField,
  RecordingModeField,
  RetentionDaysField,
} from './fields/recording-fields';
import { targetSubtypes, targetTypes } from '../../targets/kinds';

function SwitchField(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ enum: SWITCH, description: `${description} Default: enabled.` }),
    IsOptional(),
    IsString(),
    IsIn(SWITCH),
  );
}

const WITHOUT_CATALOG = 'Required unless `catalog` is given.';

/** Returns the condition to validate a field. With `catalog`, absent fields are not validated. */
function isWanted(field: 'type' | 'subtype' | 'secret') {
  return (body: ConnectionBody): boolean => !body.catalog || (body[field] ?? undefined) !== undefined;
}

const READ_ONLY = [
  'id',
  'org_id',
  'status',
  'status_at',
  'mcp_auth',
  'managed_by',
  'created_at',
  'updated_at',
  'warnings',
];

/**
 * A whole connection. With `catalog`, kind, address, transport and auth mode
 * come from the catalog where the body has none.
 */
@AcceptsAndIgnores(...READ_ONLY)
@AcceptsWithoutEffect(REFERENCE_ONLY)
export class ConnectionBody {
  @ResourceNameField('Unique name, by which people open the connection.', 'pg-prod')
  name!: string;

  @ApiPropertyOptional({ enum: targetTypes, example: 'database', description: WITHOUT_CATALOG })
  @ValidateIf(isWanted('type'))
  @IsString()
  @IsIn(targetTypes)
  type?: string;

  @ApiPropertyOptional({ enum: targetSubtypes, example: 'postgres', description: WITHOUT_CATALOG })
  @ValidateIf(isWanted('subtype'))
  @IsString()
  @IsIn(targetSubtypes)
  subtype?: string;

  @DescriptionField()
  description?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: `How to reach the target. \`NAME\` has plain text, \`envvar:NAME\` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT ROLE (as which each session acts; \`{group:PREFIX}\` is the rest of the name of the person's group that begins so, \`{subject}\` the subject). SSH: HOST PORT USER, PASS or PRIVATE_KEY with PASSPHRASE or AUTH=certificate, HOST_KEY SHELL_COMMAND CLIENT_MAY TERMINAL_INPUT FORWARD_TO FORWARD_FROM. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*; with MCP_AUTH=exchange MCP_TOKEN_URL MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_SUBJECT MCP_AUDIENCE MCP_RESOURCE MCP_SCOPE; with MCP_AUTH=oauth MCP_ISSUER MCP_CLIENT_ID MCP_CLIENT_SECRET MCP_OAUTH_GRANT MCP_OAUTH_SUBJECT MCP_SCOPE. Write-only: reads show the names with empty values, and an empty value for a name that is stored keeps it. MCP_ALLOWED_TOOLS and its like are moved to \`mcp_policy\`. ${WITHOUT_CATALOG}`,
    example: { HOST: 'db.internal', PORT: '5432', USER: 'app', PASS: 'secret', DB: 'orders' },
  })
  @ValidateIf(isWanted('secret'))
  @IsObject()
  secret?: Record<string, string>;

  @StringMapField(
    'Labels of the connection.',
    { entries: 10, key: 64, value: 256, areNames: true },
    { environment: 'production' },
  )
  connection_tags?: Record<string, string>;

  @NamesField('Attributes: labels that join connections to rules.', ['pii'])
  attributes?: string[];

  @IdsField('Guardrail rules of the connection.')
  guardrail_rules?: string[];

  @NamesField(
    'Groups that may open the connection, while the access control feature is on. None: admins only. `*`: all signed-in callers.',
    ['dba'],
  )
  access_groups?: string[];

  @NamesField(
    'Groups whose members may open the connection in an emergency without waiting for its reviewers: `POST /reviews/{id}/emergency`. `*`: all signed-in people. They need access otherwise, too.',
    ['on-call'],
  )
  emergency_access_groups?: string[];

  @SwitchField('Whether clients of the target’s own protocol may connect.')
  access_mode_connect?: Switch;

  @SwitchField('Whether scripts may be run.')
  access_mode_exec?: Switch;

  @SwitchField('Whether runbooks may be run.')
  access_mode_runbooks?: Switch;

  @SwitchField('Whether the schema may be browsed.')
  access_schema?: Switch;

  @NameField({
    description: 'Name of the resource behind the connection. Default: empty.',
    optional: true,
    empty: true,
  })
  resource_name?: string;

  @RecordingField()
  recording?: RecordingScope;

  @RecordingModeField()
  recording_mode?: RecordingMode | null;

  @RetentionDaysField()
  retention_days?: number | null;

  @RecordResultsField()
  record_results?: boolean;

  @ApiPropertyOptional({
    type: McpPolicyBody,
    nullable: true,
    description: `${MCP_POLICY_RULE} Default: everything is allowed.`,
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => McpPolicyBody)
  mcp_policy?: McpPolicyBody | null;

  @NameField({
    description: `${CATALOG_ENTRY} Fills \`type\`, \`subtype\`, and REMOTE_URL, MCP_TRANSPORT and MCP_AUTH of \`secret\`, where the body has none. It cannot be changed.`,
    optional: true,
    nullable: true,
  })
  catalog?: string | null;
}

/** Some fields of a connection. Absent fields, and absent names in `secret`, stay as they are. */
@AcceptsAndIgnores(...READ_ONLY)
@AcceptsWithoutEffect(REFERENCE_ONLY)
export class ConnectionPatchBody extends PartialType(ConnectionBody) {}
