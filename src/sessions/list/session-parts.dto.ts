import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

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

  @ApiProperty({ description: 'The matched text, up to 256 characters; or the forbidden fact.' })
  text!: string;
}

/** Finding of a guardrail. Regular users see direction and message only. */
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

  // `type` is no enum, because a stored entry may be damaged or have a kind that this version does not know.
  @ApiPropertyOptional({
    type: 'object',
    properties: {
      type: { type: 'string', description: 'Rule kind.', example: 'deny_words_list' },
      words: { type: 'array', items: { type: 'string' } },
      pattern_regex: { type: 'string' },
    },
    additionalProperties: true,
    description: 'The stored entry with all its keys.',
  })
  rule?: object;

  @ApiPropertyOptional({ type: [String] })
  matched_words?: readonly string[];

  @ApiPropertyOptional({ type: [MatchView] })
  matches?: readonly MatchView[];

  @ApiPropertyOptional({ description: 'Why the rule could not be applied, where that refused the input.' })
  fault?: string;
}

/** Counts of the masked output of the session. */
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

/** A legal hold. Retention does not remove a recording under hold. */
export class HoldView {
  @ApiProperty({ type: String, format: 'date-time', description: 'Since when.' })
  held_at!: Date;

  @ApiProperty({ description: 'Who put it there: e-mail, or subject where there is none.' })
  held_by!: string;

  @ApiProperty({ type: String, nullable: true })
  reason!: string | null;
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
