import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsEnum,
  IsInt,
  IsObject,
  IsOptional,
  IsString,
  Min,
  ValidateNested,
} from 'class-validator';
import { ReasonField } from '../../../platform/http/dto/fields';
import { AcceptsAndIgnores } from '../../../platform/http/validation.pipe';
import { REVIEW_STATUSES, type ReviewStatus } from '../machine/review-state';

/** Maximum number of characters of a reason. */
export const MAX_REASON = 2_500;

class TimeWindowConfigurationBody {
  @ApiProperty({ description: 'HH:MM, UTC.', example: '22:00' })
  @IsString()
  start_time!: string;

  @ApiProperty({
    description: 'HH:MM, UTC, exclusive; may be earlier than the start, on the next day.',
    example: '06:00',
  })
  @IsString()
  end_time!: string;
}

class TimeWindowBody {
  @ApiProperty({ enum: ['time_range'] })
  @IsEnum(['time_range'], { message: 'type must be one of: time_range' })
  type!: 'time_range';

  @ApiProperty({ type: TimeWindowConfigurationBody })
  @IsObject()
  @ValidateNested()
  @Type(() => TimeWindowConfigurationBody)
  configuration!: TimeWindowConfigurationBody;
}

/** A decision on a review. */
@AcceptsAndIgnores(
  'id',
  'type',
  'access_request_rule_name',
  'min_approvals',
  'force_approval_groups',
  'created_at',
  'reason',
  'revoke_at',
  'review_groups_data',
  'missing',
  'session_id',
  'script_start',
  'call',
  'connection',
  'review_owner',
  'approved_at',
  'emergency',
  'after_review',
  'sign_off',
  'expires_at',
)
export class ReviewBody {
  @ApiProperty({
    enum: REVIEW_STATUSES,
    example: 'APPROVED',
    description:
      '`APPROVED`: approves; `REJECTED`: rejects, which ends the review; `REVOKED`: withdraws a request or an approval. Other states cannot be set.',
  })
  @IsEnum(REVIEW_STATUSES, { message: `status must be one of: ${REVIEW_STATUSES.join(', ')}` })
  status!: ReviewStatus;

  @ApiPropertyOptional({
    type: TimeWindowBody,
    nullable: true,
    description:
      'With `APPROVED`: the hours in which the approval may be used. With several approvers, the hours that all of them allow.',
  })
  @IsOptional()
  @IsObject()
  @ValidateNested()
  @Type(() => TimeWindowBody)
  time_window?: TimeWindowBody | null;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    nullable: true,
    description:
      'With `APPROVED`, for access for a while: for how many seconds at most, 60 or more. With several approvers, the shortest; longer than was asked for changes nothing, nor does 0. Default: as long as was asked for.',
    example: 1_800,
  })
  @IsOptional()
  @IsInt()
  @Min(0)
  access_duration?: number | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description:
      'With `APPROVED`: satisfies at once each rule that names a group of the caller in `force_approval_groups`. Default: false.',
  })
  @IsOptional()
  @IsBoolean()
  force_review?: boolean | null;

  @ReasonField({
    max: MAX_REASON,
    description: 'With `force_review`, which requires it: why the others are not waited for.',
  })
  force_reason?: string | null;

  @ReasonField({ max: MAX_REASON, description: 'With `REJECTED` or `REVOKED`: why. Default: none.' })
  rejection_reason?: string | null;
}

/** Body with which the requester declares an emergency. */
export class EmergencyBody {
  @ReasonField({
    max: MAX_REASON,
    required: true,
    description: 'Why the reviewers are not waited for.',
    example: 'INC-204: payments are down',
  })
  reason!: string;
}

/** Body with which a person signs off a forced approval or an emergency after a second look. */
export class SignOffBody {
  @ReasonField({
    max: MAX_REASON,
    required: true,
    description: 'What was found.',
    example: 'INC-204, correct',
  })
  comment!: string;
}
