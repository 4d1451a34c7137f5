import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsObject, IsOptional, ValidateNested } from 'class-validator';
import { DescriptionField, IdsField, NamesField } from '../../platform/http/dto/fields';
import { NameField } from '../../platform/http/dto/name-fields';
import { PageInfo } from '../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../platform/http/validation.pipe';
import type { GuardrailRule } from './guardrail.entity';
import { RuleSetBody, exampleRules } from '../entries/rule-entry.dto';

@AcceptsAndIgnores(
  'id',
  'org_id',
  'managed_by',
  'sidecar_spec',
  'sidecar_targets',
  'created_at',
  'updated_at',
  'warnings',
)
export class GuardrailBody {
  @NameField({ description: 'Unique name of the rule.', max: 128, example: 'no-drops' })
  name!: string;

  @DescriptionField()
  description?: string;

  @ApiPropertyOptional({
    type: RuleSetBody,
    description: 'The entries that judge input.',
    example: exampleRules('input'),
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => RuleSetBody)
  input?: RuleSetBody;

  @ApiPropertyOptional({
    type: RuleSetBody,
    description: 'The entries that screen output.',
    example: exampleRules('output'),
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

/** A guardrail rule (specification, section 2.2). */
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

  @ApiProperty({ type: RuleSetBody, description: 'The input rule set.', example: exampleRules('input') })
  input!: { rules: unknown[] };

  @ApiProperty({ type: RuleSetBody, description: 'The output rule set.', example: exampleRules('output') })
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
    description:
      'The rule in the sidecar’s own vocabulary. Absent: this service distributes no rules to sidecars.',
  })
  sidecar_spec?: Record<string, unknown>;

  @ApiPropertyOptional({
    type: [SidecarTargetView],
    description:
      'Sidecar listeners the rule is bound to. Absent: this service distributes no rules to sidecars.',
  })
  sidecar_targets?: SidecarTargetView[];

  @ApiProperty({ type: String, format: 'date-time', description: 'Creation time.' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'Last update time.' })
  updated_at!: Date;
}

/** A rule with warnings for its author. */
export class CheckedGuardrailView extends GuardrailView {
  @ApiProperty({
    type: [String],
    description: 'Possible mistakes: entries that have no effect on connections that the rule applies to.',
    example: ['entries that name arguments of tool calls (input.rules 0) have no effect on orders'],
  })
  warnings!: string[];
}

export class GuardrailPage {
  @ApiProperty({ type: [GuardrailView] })
  data!: GuardrailView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

/** Counters of a rule, summed over all gateways. */
export class GuardrailStatsView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: 'integer',
    description: 'Number of inputs and output streams that the rule checked.',
  })
  checked!: number;

  @ApiProperty({ type: 'integer', description: 'Number of blocks and masks.' })
  hit!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'When it last hit.' })
  last_hit!: Date | null;
}

export function guardrailView(rule: GuardrailRule, connectionIds: string[]): GuardrailView {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    attributes: rule.attributes,
    connection_ids: connectionIds,
    input: rule.input,
    output: rule.output,
    managed_by: rule.managedBy,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  };
}
