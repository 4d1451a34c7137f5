import { ApiProperty } from '@nestjs/swagger';
import type { Review, ReviewGroup } from '../machine/review.entity';
import { REVIEW_STATUSES, type ReviewStatus } from '../machine/review-state';
import { AFTER_REVIEW_STATES, type AfterReviewState } from '../machine/after-review-state';

// Exported for filters, which accept the same values.
export { AFTER_REVIEW_STATES, type AfterReviewState, REVIEW_STATUSES, type ReviewStatus };

export class ReviewerView {
  @ApiProperty()
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  email!: string;

  @ApiProperty()
  slack_id!: string;
}

export class ReviewGroupView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'Group that is asked.', example: 'dba' })
  group!: string;

  @ApiProperty({ enum: REVIEW_STATUSES })
  status!: ReviewStatus;

  @ApiProperty({ description: 'Whether the approval was forced.' })
  forced_review!: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  review_date!: Date | null;

  @ApiProperty({ type: ReviewerView, nullable: true })
  reviewed_by!: ReviewerView | null;
}

export class TimeWindowConfigurationView {
  @ApiProperty({ description: 'HH:MM, UTC.', example: '22:00' })
  start_time!: string;

  @ApiProperty({
    description: 'HH:MM, UTC, exclusive; may be earlier than the start, on the next day.',
    example: '06:00',
  })
  end_time!: string;
}

export class TimeWindowView {
  @ApiProperty({ enum: ['time_range'] })
  type!: string;

  @ApiProperty({ type: TimeWindowConfigurationView })
  configuration!: TimeWindowConfigurationView;
}

/** Person who signed off a forced approval or an emergency. */
export class SignerView {
  @ApiProperty({ description: 'Subject.' })
  id!: string;

  @ApiProperty()
  name!: string;

  @ApiProperty()
  email!: string;
}

export class SignOffView {
  @ApiProperty({ type: SignerView })
  by!: SignerView;

  @ApiProperty({ format: 'date-time' })
  at!: string;

  @ApiProperty()
  comment!: string;
}

/** Review of a session (specification, section 2.4). */
export class ReviewView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ enum: REVIEW_STATUSES })
  status!: ReviewStatus;

  @ApiProperty({ enum: ['onetime', 'jit'] })
  type!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds; 0 for a one-time review.' })
  access_duration!: number;

  @ApiProperty({ example: 'prod-databases' })
  access_request_rule_name!: string;

  @ApiProperty({ type: 'integer' })
  min_approvals!: number;

  @ApiProperty({ type: [String] })
  force_approval_groups!: string[];

  @ApiProperty({ type: String, format: 'date-time' })
  created_at!: Date;

  @ApiProperty({ description: 'When the access ends (RFC 3339); may be empty.', example: '' })
  revoke_at!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Reason for the request, in the words of the requester; null where none was given.',
  })
  reason!: string | null;

  @ApiProperty({ type: String, nullable: true })
  rejection_reason!: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the approval was forced, or what the emergency was; null where there was neither.',
  })
  force_reason!: string | null;

  @ApiProperty({
    description: 'Whether the requester opened it in an emergency, in place of its reviewers.',
  })
  emergency!: boolean;

  @ApiProperty({
    enum: [...AFTER_REVIEW_STATES, null],
    nullable: true,
    description:
      'Of a forced approval or an emergency: whether another person has signed it off afterwards. Null for all others.',
  })
  after_review!: AfterReviewState | null;

  @ApiProperty({ type: SignOffView, nullable: true })
  sign_off!: SignOffView | null;

  @ApiProperty({ type: TimeWindowView, nullable: true })
  time_window!: TimeWindowView | null;

  @ApiProperty({ type: [ReviewGroupView] })
  review_groups_data!: ReviewGroupView[];
}

export function reviewView(review: Review, groups: readonly ReviewGroup[]): ReviewView {
  return {
    id: review.id,
    status: review.status,
    type: review.type,
    access_duration: review.accessDuration,
    access_request_rule_name: review.ruleName,
    min_approvals: review.minApprovals,
    force_approval_groups: review.forceApprovalGroups,
    created_at: review.createdAt,
    revoke_at: review.revokeAt?.toISOString() ?? '',
    reason: review.reason,
    rejection_reason: review.rejectionReason,
    force_reason: review.forceReason,
    emergency: review.emergency,
    after_review: review.afterReview,
    sign_off: review.signOff,
    time_window: review.timeWindow,
    review_groups_data: groups.map((group) => ({
      id: group.id,
      group: group.groupName,
      status: group.status,
      forced_review: group.forcedReview,
      review_date: group.reviewDate,
      reviewed_by: group.reviewedBy,
    })),
  };
}
