import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, PartialType } from '@nestjs/swagger';
import { IsIn, IsObject, IsOptional, IsString } from 'class-validator';
import { RECORDING_SCOPES, type RecordingMode, type RecordingScope } from '../gate/ports/target-directory';
import { DescriptionField, IdsField, NamesField, ResourceNameField, StringMapField } from '../http/fields';
import { NameField } from '../http/name-fields';
import { PageInfo } from '../http/page';
import { AcceptsAndIgnores, AcceptsWithoutEffect } from '../http/validation.pipe';
import type { ConnectionReachability } from './connection-reachability.entity';
import type { Connection, Switch } from './connection.entity';
import { REFERENCE_ONLY } from './reference-fields';
import {
  RECORDING_MODE,
  RECORD_RESULTS,
  RETENTION_DAYS,
  RecordResultsField,
  RecordingField,
  RecordingModeField,
  RetentionDaysField,
} from './recording-fields';
import { targetSubtypes, targetTypes } from '../targets/kinds';

const SWITCH = ['enabled', 'disabled'] as const;

function SwitchField(description: string): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ enum: SWITCH, description: `${description} Default: enabled.` }),
    IsOptional(),
    IsString(),
    IsIn(SWITCH),
  );
}

const READ_ONLY = [
  'id',
  'org_id',
  'status',
  'status_at',
  'managed_by',
  'created_at',
  'updated_at',
  'warnings',
];

/** A new connection. */
@AcceptsAndIgnores(...READ_ONLY)
@AcceptsWithoutEffect(REFERENCE_ONLY)
export class ConnectionBody {
  @ResourceNameField('Unique name, by which people open the connection.', 'pg-prod')
  name!: string;

  @ApiProperty({ enum: targetTypes, example: 'database' })
  @IsString()
  @IsIn(targetTypes)
  type!: string;

  @ApiProperty({ enum: targetSubtypes, example: 'postgres' })
  @IsString()
  @IsIn(targetSubtypes)
  subtype!: string;

  @DescriptionField()
  description?: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'How to reach the target. `NAME` has plain text, `envvar:NAME` base64. Postgres: HOST PORT USER PASS DB SSLMODE SSLROOTCERT. MCP proxy: REMOTE_URL MCP_TRANSPORT MCP_AUTH HEADER_*. Write-only: reads show the names with empty values, and an empty value for a name that is stored keeps it.',
    example: { HOST: 'db.internal', PORT: '5432', USER: 'app', PASS: 'secret', DB: 'orders' },
  })
  @IsObject()
  secret!: Record<string, string>;

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
}

/** Some fields of a connection; absent ones stay as they are. Of `secret`, names that are absent stay too. */
@AcceptsAndIgnores(...READ_ONLY)
@AcceptsWithoutEffect(REFERENCE_ONLY)
export class ConnectionPatchBody extends PartialType(ConnectionBody) {}

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
    additionalProperties: { type: 'string', enum: [''] },
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

  @ApiProperty({ type: String, nullable: true })
  managed_by!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time' })
  updated_at!: Date;
}

/** A connection as it was written, with what its author should know. */
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
  reachability: ConnectionReachability | undefined,
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
    access_mode_connect: connection.accessModeConnect,
    access_mode_exec: connection.accessModeExec,
    access_mode_runbooks: connection.accessModeRunbooks,
    access_schema: connection.accessSchema,
    resource_name: connection.resourceName,
    recording: connection.recording,
    recording_mode: connection.recordingMode,
    retention_days: connection.retentionDays,
    record_results: connection.recordResults,
    status: reachability?.status ?? 'unknown',
    status_at: reachability?.statusAt ?? null,
    managed_by: connection.managedBy,
    created_at: connection.createdAt,
    updated_at: connection.updatedAt,
  };
}
