import { ApiProperty } from '@nestjs/swagger';
import { ReviewView } from '../../approvals/reviews/requests/review.dto';
import {
  AiAnalysisView,
  GuardrailInfoView,
  HoldView,
  ScriptView,
  SessionMetricsView,
} from './session-parts.dto';

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

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The issued credential that the session came with; null: none.',
  })
  credential_id!: string | null;

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
    items: {},
    description:
      'What was recorded; empty unless expanded. Each element is an array `[<milliseconds since start>, "i"|"o"|"e", <base64>]`; with `event_stream=raw-queries` there is one for each client message, with the SQL text of the message in base64. With `event_stream=utf8` or `base64` there is one element, a string: the joined content.',
  })
  event_stream!: unknown[];

  @ApiProperty({ type: String, nullable: true, description: 'Groups sessions executed simultaneously.' })
  session_batch_id!: string | null;

  @ApiProperty({ type: String, nullable: true })
  correlation_id!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Reason for the session, in the words of the requester; null where none was given.',
  })
  reason!: string | null;

  @ApiProperty({ type: AiAnalysisView, nullable: true })
  ai_analysis!: object | null;

  @ApiProperty({ type: ReviewView, nullable: true, description: 'null when no review exists.' })
  review!: ReviewView | null;

  @ApiProperty({
    type: HoldView,
    nullable: true,
    description: 'The legal hold; null where there is none, and always null for regular users.',
  })
  hold!: HoldView | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description:
      'When the recording was removed, with the input and what rules found in it, because its retention had ended; null: it is there.',
  })
  recording_purged_at!: Date | null;

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
