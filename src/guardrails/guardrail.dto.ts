import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsObject,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { DescriptionField, HasNoNul, IdsField, NamesField } from '../http/fields';
import { PageInfo } from '../http/page';
import { AcceptsAndIgnores } from '../http/validation.pipe';
import type { GuardrailRule } from './guardrail.entity';
import { ENTRY_TYPES, type EntryType } from './rule-entry';

const MAX_ENTRIES = 200;

/** One entry of a rule set (specification, section 2.2.1). */
export class RuleEntryBody {
  @ApiProperty({ enum: ENTRY_TYPES, description: 'Rule kind.' })
  @IsString()
  @IsIn(ENTRY_TYPES)
  type!: EntryType;

  @ApiProperty({
    type: [String],
    description: 'Words that are denied, anywhere and in any case; empty for pattern rules.',
  })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @HasNoNul(true)
  words: string[] = [];

  @ApiProperty({ description: 'RE2 regular expression; empty string for word-list rules.', example: '' })
  @IsOptional()
  @IsString()
  @HasNoNul()
  pattern_regex: string = '';

  @ApiPropertyOptional({ description: 'Name of the entry.', maxLength: 128 })
  @IsOptional()
  @IsString()
  @MaxLength(128)
  @HasNoNul()
  name?: string;

  @ApiPropertyOptional({ description: 'Text shown to the user when this entry is hit.', maxLength: 1024 })
  @IsOptional()
  @IsString()
  @MaxLength(1024)
  @HasNoNul()
  message?: string;
}

export class RuleSetBody {
  @ApiProperty({ type: [RuleEntryBody], maxItems: MAX_ENTRIES })
  @IsArray()
  @ArrayMaxSize(MAX_ENTRIES)
  @ValidateNested({ each: true })
  @Type(() => RuleEntryBody)
  rules: RuleEntryBody[] = [];
}

const EXAMPLE_INPUT = {
  rules: [
    {
      type: 'deny_words_list',
      words: ['DROP TABLE'],
      pattern_regex: '',
      message: 'Tables are not dropped here.',
    },
  ],
};

@AcceptsAndIgnores(
  'id',
  'org_id',
  'managed_by',
  'sidecar_spec',
  'sidecar_targets',
  'created_at',
  'updated_at',
)
export class GuardrailBody {
  @ApiProperty({ description: 'Unique name of the rule.', minLength: 1, maxLength: 128, example: 'no-drops' })
  @IsString()
  @Length(1, 128)
  @HasNoNul()
  name!: string;

  @DescriptionField()
  description?: string;

  @ApiPropertyOptional({
    type: RuleSetBody,
    description: 'What is held against input.',
    example: EXAMPLE_INPUT,
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => RuleSetBody)
  input?: RuleSetBody;

  @ApiPropertyOptional({
    type: RuleSetBody,
    description: 'What is held against output.',
    example: { rules: [] },
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => RuleSetBody)
  output?: RuleSetBody;

  @NamesField('The rule applies to connections that share one of these.', ['pii'])
  attributes?: string[];

  @IdsField('Connections that the rule applies to.')
  connection_ids?: string[];
}

export class SidecarTargetView {
  @ApiProperty()
  listener_name!: string;

  @ApiProperty({ format: 'uuid' })
  sidecar_id!: string;
}

/** A guard rail rule (specification, section 2.2). */
export class GuardrailView {
  @ApiProperty({ format: 'uuid', description: 'Resource identifier.' })
  id!: string;

  @ApiProperty({ description: 'Unique name of the rule.', example: 'no-drops' })
  name!: string;

  @ApiProperty({ description: 'Rule description.' })
  description!: string;

  @ApiProperty({ type: [String], description: 'Attributes associated with the rule.' })
  attributes!: string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'Connections the rule applies to.',
  })
  connection_ids!: string[];

  @ApiProperty({ type: RuleSetBody, description: 'The input rule set.', example: EXAMPLE_INPUT })
  input!: { rules: unknown[] };

  @ApiProperty({ type: RuleSetBody, description: 'The output rule set.', example: { rules: [] } })
  output!: { rules: unknown[] };

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Set to `gateway` when a protection profile manages the rule, which is then read-only.',
  })
  managed_by!: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The rule in the sidecar’s own vocabulary. Present only in a control plane.',
  })
  sidecar_spec?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: [SidecarTargetView],
    description: 'Sidecar listeners the rule is bound to. Present only in a control plane.',
  })
  sidecar_targets?: SidecarTargetView[];

  @ApiProperty({ type: String, format: 'date-time', description: 'Creation time.' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'Last update time.' })
  updated_at!: Date;
}

export class GuardrailPage {
  @ApiProperty({ type: [GuardrailView] })
  data!: GuardrailView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function guardrailView(
  rule: GuardrailRule,
  connectionIds: string[],
  controlPlane: boolean,
): GuardrailView {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    attributes: rule.attributes,
    connection_ids: connectionIds,
    input: rule.input,
    output: rule.output,
    managed_by: rule.managedBy,
    ...(controlPlane ? { sidecar_spec: rule.sidecarSpec ?? {}, sidecar_targets: rule.sidecarTargets } : {}),
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  };
}
