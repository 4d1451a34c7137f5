import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min } from 'class-validator';
import { DescriptionField, NamesField, ResourceNameField } from '../../platform/http/dto/fields';
import { PageInfo } from '../../platform/http/dto/page';
import { AcceptsAndIgnores } from '../../platform/http/validation.pipe';
import { ACCESS_TYPES, type AccessRule, type AccessType } from './access-rule.entity';

const MIN_SECONDS = 60;
/** Two days in seconds: the longest access, and the default of `access_max_duration`. */
export const MAX_SECONDS = 172_800;

@AcceptsAndIgnores('id', 'org_id', 'managed_by', 'created_at', 'updated_at', 'warnings')
export class AccessRuleBody {
  @ResourceNameField('Unique name of the rule.', 'prod-databases')
  name!: string;

  @DescriptionField()
  description?: string;

  @ApiProperty({
    enum: ACCESS_TYPES,
    description: '`jit`: time-boxed connect; `command`: each exec; `jit_command`: both.',
  })
  @IsString()
  @IsIn(ACCESS_TYPES)
  access_type!: AccessType;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: MIN_SECONDS,
    maximum: MAX_SECONDS,
    description: `Longest access, in seconds; null means ${MAX_SECONDS}.`,
    example: 1800,
  })
  @IsOptional()
  @IsInt()
  @Min(MIN_SECONDS)
  @Max(MAX_SECONDS)
  access_max_duration?: number | null;

  @ApiPropertyOptional({ description: 'Whether every approval-required group must approve. Default: false.' })
  @IsOptional()
  @IsBoolean()
  all_groups_must_approve?: boolean;

  @NamesField('Groups whose approval is required.', [])
  approval_required_groups?: string[];

  @NamesField('Groups that may review; at least one.', ['dba'])
  reviewers_groups?: string[];

  @NamesField('Groups that may force an approval.', ['security'])
  force_approval_groups?: string[];

  @NamesField('Groups that need no review; only while `approval_required_groups` is empty.', [])
  skip_review_groups?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    description: 'Minimum number of people who approve; at least 1 unless all groups must approve.',
    example: 1,
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  min_approvals?: number | null;

  @ApiPropertyOptional({
    description: 'Whether requests for access must give a `reason`. Default: false.',
  })
  @IsOptional()
  @IsBoolean()
  reason_required?: boolean;

  @NamesField('The rule covers connections that share one of these.', ['pii'])
  attributes?: string[];

  @NamesField('Names of the connections the rule covers.', ['pg-prod'])
  connection_names?: string[];
}

/** An access request rule (specification, section 2.3). */
export class AccessRuleView {
  @ApiProperty({ format: 'uuid', description: 'Resource identifier.' })
  id!: string;

  @ApiProperty({ description: 'Rule name.', example: 'prod-databases' })
  name!: string;

  @ApiProperty({ description: 'Rule description.' })
  description!: string;

  @ApiProperty({ enum: ACCESS_TYPES, description: 'Kind of access the rule grants.' })
  access_type!: AccessType;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: `Maximum access duration in seconds; null means ${MAX_SECONDS}.`,
  })
  access_max_duration!: number | null;

  @ApiProperty({ description: 'Whether every approval-required group must approve.' })
  all_groups_must_approve!: boolean;

  @ApiProperty({ type: [String], description: 'Groups whose approval is required.' })
  approval_required_groups!: string[];

  @ApiProperty({ type: [String], description: 'Groups that may review.' })
  reviewers_groups!: string[];

  @ApiProperty({ type: [String], description: 'Groups that may force an approval.' })
  force_approval_groups!: string[];

  @ApiProperty({ type: [String], description: 'Groups that need no review.' })
  skip_review_groups!: string[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'Minimum number of people who approve.' })
  min_approvals!: number | null;

  @ApiProperty({ description: 'Whether requests for access must give a `reason`.' })
  reason_required!: boolean;

  @ApiProperty({ type: [String], description: 'Attributes associated with the rule.' })
  attributes!: string[];

  @ApiProperty({ type: [String], description: 'Names of the connections the rule covers.' })
  connection_names!: string[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Set when a protection profile manages the rule.',
  })
  managed_by!: string | null;

  @ApiProperty({ type: String, format: 'date-time', description: 'Creation time.' })
  created_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', description: 'Last update time.' })
  updated_at!: Date;
}

/** A single rule, with warnings for its author. */
export class CheckedAccessRuleView extends AccessRuleView {
  @ApiProperty({
    type: [String],
    description:
      'Possible mistakes: other kinds of access left open, unknown names, approvals that nobody can give.',
    example: ['connect stays open on pg-prod: no rule of type jit covers it'],
  })
  warnings!: string[];
}

export class AccessRulePage {
  @ApiProperty({ type: [AccessRuleView] })
  data!: AccessRuleView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function accessRuleView(rule: AccessRule): AccessRuleView {
  return {
    id: rule.id,
    name: rule.name,
    description: rule.description,
    access_type: rule.accessType,
    access_max_duration: rule.accessMaxDuration,
    all_groups_must_approve: rule.allGroupsMustApprove,
    approval_required_groups: rule.approvalRequiredGroups,
    reviewers_groups: rule.reviewersGroups,
    force_approval_groups: rule.forceApprovalGroups,
    skip_review_groups: rule.skipReviewGroups,
    min_approvals: rule.minApprovals,
    reason_required: rule.reasonRequired,
    attributes: rule.attributes,
    connection_names: rule.connectionNames,
    managed_by: rule.managedBy,
    created_at: rule.createdAt,
    updated_at: rule.updatedAt,
  };
}
