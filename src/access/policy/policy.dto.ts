import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsIn,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { GuardrailBody } from '../../guardrails/rules/guardrail.dto';
import { ACTIONS, exampleRules } from '../../guardrails/entries/rule-entry.dto';
import { USUAL_LANGUAGE, WRITTEN_LANGUAGES } from '../../guardrails/rules/rule-inspector';
import { HasNoNul, MaxTextLength, IdsField } from '../../platform/http/dto/fields';

const VERBS = ['exec', 'connect'] as const;
const DIRECTIONS = ['input', 'output'] as const;
const MAX_REPLAYED = 1_000;
/** Maximum number of characters of a text that is tested against rules. */
export const MAX_SCRIPT_TEXT = 1024 * 1024;

export class PolicyQuery {
  @ApiPropertyOptional({
    description:
      'Subject identifier or e-mail of the user; by default the caller. Only auditors and admins may ask about others.',
    maxLength: 256,
    example: 'grace@example.com',
  })
  @IsOptional()
  @IsString()
  @MinLength(1)
  @MaxLength(256)
  user?: string;

  @ApiPropertyOptional({
    enum: VERBS,
    description: 'What the user would do on the connection.',
    default: 'exec',
  })
  @IsOptional()
  @IsIn(VERBS)
  verb: 'exec' | 'connect' = 'exec';
}

export class ReasonView {
  @ApiProperty({
    enum: [
      'no_rule_applies',
      'review_required',
      'emergency_access',
      'review_skipped',
      'verb_disabled',
      'not_in_access_groups',
      'no_role',
      'user_inactive',
      'auditors_only_read',
      'access_groups_not_enforced',
      'access_rules_not_enforced',
    ],
  })
  code!: string;

  @ApiProperty()
  message!: string;
}

export class OriginView {
  @ApiProperty({ enum: ['id', 'attribute', 'name'], description: 'How the rule is bound to the connection.' })
  by!: string;

  @ApiProperty({ description: 'The id, attribute or name that rule and connection share.' })
  value!: string;
}

export class AppliedGuardrailView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty({ type: OriginView })
  origin!: OriginView;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the rule cannot be applied; while this is set, the connection refuses everything.',
  })
  fault!: string | null;

  @ApiProperty({
    type: [String],
    description: 'What of the rule has no effect on this connection.',
    example: ['entries that name arguments of tool calls (input.rules 0) have no effect here'],
  })
  warnings!: string[];
}

export class AppliedAccessRuleView {
  @ApiProperty()
  name!: string;

  @ApiProperty({ enum: ['jit', 'command', 'jit_command'] })
  access_type!: string;

  @ApiProperty({ type: OriginView })
  origin!: OriginView;
}

/** The decision that the gate would make if the user opened the connection now. */
export class EffectivePolicyView {
  @ApiProperty({ description: 'Name of the connection.' })
  connection!: string;

  @ApiProperty({ description: 'Subject identifier of the user.' })
  user!: string;

  @ApiProperty({ enum: ['open', 'review', 'refused'] })
  outcome!: string;

  @ApiProperty({
    type: [ReasonView],
    description: 'The reasons for the decision, then settings without effect because a feature is off.',
  })
  reasons!: ReasonView[];

  @ApiProperty({
    type: [AppliedGuardrailView],
    description: 'Shown to auditors and admins; empty for others.',
  })
  guardrails!: AppliedGuardrailView[];

  @ApiProperty({
    type: [AppliedAccessRuleView],
    description: 'Shown to auditors and admins; empty for others, to whom `reasons` name the rules that ask.',
  })
  access_rules!: AppliedAccessRuleView[];

  @ApiProperty({ type: [String], description: 'Groups that would be asked when a review is needed.' })
  reviewers_groups!: string[];

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      "The role of the target as which the user's sessions would act (`ROLE` in the secret). Null: they act as the connection's account, or the user has no role there.",
    example: 'app_analytics',
  })
  target_role!: string | null;
}

/** A draft rule or stored rules, and the text to test them on. */
export class DryRunBody {
  @ApiPropertyOptional({
    type: GuardrailBody,
    description: 'A draft rule; give either this or `rule_ids`.',
    example: { name: 'draft', input: exampleRules('input') },
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => GuardrailBody)
  rule?: GuardrailBody;

  @IdsField('Stored rules.')
  rule_ids?: string[];

  @ApiProperty({ enum: DIRECTIONS })
  @IsString()
  @IsIn(DIRECTIONS)
  direction!: 'input' | 'output';

  @ApiProperty({ maxLength: MAX_SCRIPT_TEXT, example: 'DROP TABLE customers' })
  @IsString()
  @MaxTextLength(MAX_SCRIPT_TEXT)
  @HasNoNul()
  text!: string;

  @ApiPropertyOptional({
    enum: WRITTEN_LANGUAGES,
    default: USUAL_LANGUAGE,
    description:
      'What an input is written in: SQL, a shell script, or an operation on files as recordings have it.',
  })
  @IsOptional()
  @IsIn(WRITTEN_LANGUAGES)
  language: string = USUAL_LANGUAGE;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_REPLAYED,
    description:
      'Also test this many of the last recorded sessions, and report which would have been blocked.',
  })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MAX_REPLAYED)
  sessions?: number;
}

export class DryRunHitView {
  @ApiProperty({ description: 'What the person would be told.' })
  message!: string;

  @ApiProperty()
  rule_name!: string;

  @ApiProperty({ type: 'integer', description: 'Index of the entry in its rule set, from 0.' })
  entry!: number;

  @ApiProperty({ type: 'integer', description: 'Where the match begins, in UTF-16 code units.' })
  start!: number;

  @ApiProperty({ type: 'integer', description: 'Where the match ends, in UTF-16 code units.' })
  end!: number;

  @ApiProperty({ description: 'The matched text, up to 256 characters; or the forbidden fact.' })
  matched!: string;

  @ApiProperty({ enum: ACTIONS, description: 'What the entry does with the match.' })
  action!: string;
}

export class ReplayView {
  @ApiProperty({ type: 'integer', description: 'Sessions replayed.' })
  sessions!: number;

  @ApiProperty({ type: 'integer', description: 'Sessions that would have been blocked.' })
  blocked!: number;

  @ApiProperty({
    type: 'array',
    items: { type: 'string', format: 'uuid' },
    description: 'Sessions that would have been blocked.',
  })
  session_ids!: string[];
}

export class DryRunView {
  @ApiProperty({ enum: ['pass', 'block', 'mask'] })
  verdict!: 'pass' | 'block' | 'mask';

  @ApiProperty({ type: [DryRunHitView] })
  hits!: DryRunHitView[];

  @ApiPropertyOptional({ type: ReplayView })
  replay?: ReplayView;
}
