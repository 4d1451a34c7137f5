import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsNotEmpty,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import {
  AccessReasonField,
  HasNoNul,
  ResourceNameField,
  StringMapField,
} from '../../platform/http/dto/fields';
import { MetadataField } from '../../platform/http/dto/metadata-field';
import { MayBeAbsent } from '../../platform/http/validation.pipe';
import { OUTPUT_KINDS, type OutputKind } from '../../targets/contract/script-runner';
import { MAX_RESULTS } from './output-collector';

/** A script to run on a connection. */
export class ExecBody {
  @ResourceNameField('Name of the connection.', 'demo')
  connection!: string;

  @ApiProperty({
    description: 'What to run; for postgres, one or more statements; for ssh, a script for a shell.',
    example: 'SELECT 1',
  })
  @IsString()
  @IsNotEmpty()
  @HasNoNul()
  script!: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Must be empty: the connection alone sets the environment of its scripts.',
  })
  @IsOptional()
  @IsObject()
  env_vars?: Record<string, string>;

  @ApiPropertyOptional({
    type: [String],
    description: 'Must be empty: the connection alone sets the arguments of its scripts.',
  })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  client_args?: string[];

  @StringMapField('Labels of the session.', { entries: 20, key: 64, value: 256 }, { ticket: 'OPS-12' })
  labels?: Record<string, string>;

  @MetadataField()
  metadata?: Record<string, unknown>;

  @ApiPropertyOptional({ maxLength: 128, description: 'Groups sessions executed simultaneously.' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  @HasNoNul()
  session_batch_id?: string;

  @ApiPropertyOptional({ maxLength: 128, description: 'The caller’s own reference.' })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  @HasNoNul()
  correlation_id?: string;

  @AccessReasonField()
  reason?: string | null;
}

/**
 * Optional copy of the approved input. An omitted field means the approved value. A given field must equal
 * the approved value byte for byte, so that the caller can be sure which script runs.
 */
@MayBeAbsent()
export class ApprovedExecBody {
  @ApiPropertyOptional({ description: 'The script that was approved.', example: 'SELECT 1' })
  @IsOptional()
  @IsString()
  @HasNoNul()
  script?: string;

  @StringMapField('The environment that was approved.', { entries: 100, key: 256, value: 32_768 }, {})
  env_vars?: Record<string, string>;

  @ApiPropertyOptional({ type: [String], description: 'The arguments that were approved.' })
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(100)
  @IsString({ each: true })
  client_args?: string[];
}

export const OUTPUT_STATUSES = ['success', 'failed', 'blocked', 'running', 'waiting'] as const;

/** The output of one statement of a script, or messages from the target. */
export class ScriptResultView {
  @ApiProperty({
    enum: OUTPUT_KINDS,
    description:
      '`rows`: a line of names, then a line for each row, in the text format of COPY; `command`: what a statement without rows says; `text`: the output of COPY and of servers, and what no statement can be named for; `message`: notices and errors.',
  })
  kind!: OutputKind;

  @ApiProperty({ example: 'id\tname\n1\tGrace\n' })
  output!: string;

  @ApiProperty({ description: 'Whether `output` is not all: it was cut, or the statement did not end.' })
  truncated!: boolean;
}

/** The result of a script. */
export class ExecView {
  @ApiProperty({ format: 'uuid' })
  session_id!: string;

  @ApiProperty({ description: 'Output and error output, up to 1 MiB; the recording has everything.' })
  output!: string;

  @ApiProperty({ enum: OUTPUT_STATUSES })
  output_status!: (typeof OUTPUT_STATUSES)[number];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      '0 clean, 1 a statement failed, 2 the target could not be reached or was lost, 254 blocked or internal; null while running. Of a script on a server, the exit code of the script; 128 and the number of the signal that ended it.',
  })
  exit_code!: number | null;

  @ApiProperty({ type: 'integer', description: 'Milliseconds.' })
  execution_time!: number;

  @ApiProperty({ description: 'Whether `output` was truncated.' })
  truncated!: boolean;

  @ApiProperty({
    type: [ScriptResultView],
    maxItems: MAX_RESULTS + 1,
    description: `The same output by statement, in the order in which they ran, up to 1 MiB together. Messages stand where they came. Output behind ${MAX_RESULTS} results is one more, of kind \`text\`, and so are results that one mask joins.`,
  })
  results!: ScriptResultView[];

  @ApiProperty({ description: 'Whether the script waits for a review.' })
  has_review!: boolean;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Review that the script waits for, or that approved it.',
  })
  review_id!: string | null;
}
