import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { RuleEntryBody } from '../guardrails/rule-entry.dto';
import { ReviewView } from '../reviews/review.dto';
import type { Session } from './session.entity';

export class ScriptView {
  @ApiProperty({ description: 'The input.', example: 'SELECT 1' })
  data!: string;
}

export class AiAnalysisView {
  @ApiProperty({ enum: ['allow_execution', 'block_execution', 'require_access_request'] })
  action!: string;

  @ApiProperty()
  explanation!: string;

  @ApiProperty({ enum: ['low', 'medium', 'high'] })
  risk_level!: string;

  @ApiProperty()
  title!: string;
}

export class MatchView {
  @ApiProperty({
    type: 'integer',
    description: 'Where it begins, in UTF-16 code units of the input or of the stream of output.',
  })
  start!: number;

  @ApiProperty({ type: 'integer', description: 'Where it ends.' })
  end!: number;

  @ApiProperty({ description: 'What was found there, up to 256 characters; or the forbidden fact.' })
  text!: string;
}

/** What a guard rail found. Regular users see direction and message only. */
export class GuardrailInfoView {
  @ApiProperty({ enum: ['input', 'output'] })
  direction!: string;

  @ApiProperty({ description: 'What the person was told.' })
  message!: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The rule, as `GET /guardrails/{id}` knows it.' })
  rule_id?: string;

  @ApiPropertyOptional({ example: 'no-drops', description: 'What the rule was called.' })
  rule_name?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Place of the entry in its rule set, from 0.' })
  entry?: number;

  @ApiPropertyOptional({ type: RuleEntryBody, description: 'The entry as it was.' })
  rule?: object;

  @ApiPropertyOptional({ type: [String] })
  matched_words?: readonly string[];

  @ApiPropertyOptional({ type: [MatchView] })
  matches?: readonly MatchView[];

  @ApiPropertyOptional({ description: 'Why the rule could not be applied, where that refused the input.' })
  fault?: string;
}

/** What was masked in the output of the session. */
export class DataMaskingView {
  @ApiProperty({ type: 'integer', description: 'Pieces of output that were masked.' })
  total_redact_count!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of output that were replaced.' })
  transformed_bytes!: number;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'How often, by name of the detector or type of the entry.',
    example: { email: 2 },
  })
  info_types!: Record<string, number>;
}

export class GuardrailMetricsView {
  @ApiProperty({ type: 'integer', description: 'Inputs judged.' })
  checked!: number;

  @ApiProperty({ type: 'integer', description: 'Hits.' })
  blocked!: number;
}

export class SessionMetricsView {
  @ApiProperty({ type: 'integer', description: 'Stored size in bytes.' })
  event_size!: number;

  @ApiProperty({ type: 'integer', description: 'Events handed to the recorder.' })
  events_received!: number;

  @ApiProperty({ type: 'integer', description: 'Events durable in the store.' })
  events_stored!: number;

  @ApiProperty({ type: 'integer', description: 'Events received and not stored yet.' })
  events_buffered!: number;

  @ApiProperty({ type: GuardrailMetricsView })
  guardrails!: GuardrailMetricsView;

  @ApiProperty({ type: DataMaskingView })
  data_masking!: DataMaskingView;
}

/** A session (specification, section 2.4). */
export class SessionView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ format: 'uuid' })
  org_id!: string;

  @ApiProperty({ enum: ['open', 'ready', 'done'] })
  status!: string;

  @ApiProperty({ enum: ['connect', 'exec'] })
  verb!: string;

  @ApiProperty({ description: 'Connection type of the session.', example: 'database' })
  type!: string;

  @ApiProperty({ deprecated: true, description: 'Connection name; use `role_name`.' })
  connection!: string;

  @ApiProperty({ description: 'Role name; same as the connection name.', example: 'pg-prod' })
  role_name!: string;

  @ApiProperty({ description: 'Resource name associated with the connection.' })
  resource_name!: string;

  @ApiProperty({ description: 'Subtype of the connection.', example: 'postgres' })
  connection_subtype!: string;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' } })
  connection_tags!: Record<string, string>;

  @ApiProperty({ description: 'User e-mail of the session.', example: 'admin@example.com' })
  user!: string;

  @ApiProperty({ description: 'Subject identifier of the user.' })
  user_id!: string;

  @ApiProperty({ description: 'Display name of the user.' })
  user_name!: string;

  @ApiProperty({ enum: ['user', 'machine'] })
  identity_type!: string;

  @ApiProperty({ type: String, format: 'date-time', description: 'When the execution started.' })
  start_date!: Date;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null while the session is running.',
  })
  end_date!: Date | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: '0 clean, 254 blocked or internal, else the target’s own.',
  })
  exit_code!: number | null;

  @ApiProperty({ type: ScriptView, nullable: true, description: 'Input; set only for verb `exec`.' })
  script!: ScriptView | null;

  @ApiProperty({ type: 'integer', description: 'Input size in bytes.' })
  script_size!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Stored size in bytes; the parsed size when a parse was asked for.',
  })
  event_size!: number;

  @ApiProperty({
    type: 'array',
    items: {
      oneOf: [
        {
          type: 'array',
          minItems: 3,
          maxItems: 3,
          items: { oneOf: [{ type: 'number' }, { type: 'string' }] },
          description: '`[<milliseconds since start>, "i"|"o"|"e", <base64>]`',
        },
        { type: 'string', description: 'The joined content, where a parse was asked for.' },
      ],
    },
    description: 'Output of the execution; empty unless expanded.',
  })
  event_stream!: unknown[];

  @ApiProperty({ type: String, nullable: true, description: 'Groups sessions executed simultaneously.' })
  session_batch_id!: string | null;

  @ApiProperty({ type: String, nullable: true })
  correlation_id!: string | null;

  @ApiProperty({ type: AiAnalysisView, nullable: true })
  ai_analysis!: object | null;

  @ApiProperty({ type: ReviewView, nullable: true, description: 'null when no review exists.' })
  review!: ReviewView | null;

  @ApiProperty({ type: [GuardrailInfoView] })
  guardrails_info!: GuardrailInfoView[];

  @ApiProperty({ type: 'object', additionalProperties: true })
  integrations_metadata!: Record<string, unknown>;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    deprecated: true,
    description: 'Use `metrics` and `metadata`.',
  })
  labels!: Record<string, string>;

  @ApiProperty({ type: 'object', additionalProperties: true })
  metadata!: Record<string, unknown>;

  @ApiProperty({ type: SessionMetricsView })
  metrics!: SessionMetricsView;
}

/** Everything of a session but its recording. */
export type SessionHead = Omit<SessionView, 'event_stream' | 'event_size'>;

export function sessionHead(
  session: Session,
  review: ReviewView | null,
  sees: { script: boolean; ruleDetails: boolean },
): SessionHead {
  return {
    id: session.id,
    org_id: session.orgId,
    status: session.status,
    verb: session.verb,
    type: session.type,
    connection: session.connectionName,
    role_name: session.connectionName,
    resource_name: session.resourceName,
    connection_subtype: session.connectionSubtype,
    connection_tags: session.connectionTags,
    user: session.userEmail,
    user_id: session.userSubject,
    user_name: session.userName,
    identity_type: session.identityType,
    start_date: session.startDate,
    end_date: session.endDate,
    exit_code: session.exitCode,
    script: sees.script && session.script !== null ? { data: session.script } : null,
    script_size: session.scriptSize,
    session_batch_id: session.sessionBatchId,
    correlation_id: session.correlationId,
    ai_analysis: session.aiAnalysis,
    review,
    guardrails_info: session.guardrailsInfo.map((info) =>
      sees.ruleDetails ? info : { direction: info.direction, message: info.message },
    ),
    integrations_metadata: session.integrationsMetadata,
    labels: session.labels,
    metadata: session.metadata,
    metrics: {
      event_size: session.eventSize,
      events_received: session.eventsReceived,
      events_stored: session.eventsStored,
      events_buffered: session.eventsReceived - session.eventsStored,
      guardrails: { checked: session.guardrailsChecked, blocked: session.guardrailsBlocked },
      data_masking: { total_redact_count: 0, transformed_bytes: 0, info_types: {}, ...session.dataMasking },
    },
  };
}
