import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';

export const REVIEW_STATUSES = [
  'PENDING',
  'APPROVED',
  'REJECTED',
  'REVOKED',
  'PROCESSING',
  'EXECUTED',
  'EXPIRED',
  'UNKNOWN',
] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

export interface TimeWindow {
  type: 'time_range';
  /** HH:MM in UTC; may cross midnight. */
  configuration: { start_time: string; end_time: string };
}

@Entity('reviews')
export class Review {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'session_id' })
  sessionId!: string;

  @Column('text')
  type!: 'onetime' | 'jit';

  @Column('text')
  status!: ReviewStatus;

  /** Seconds; 0 for a one-time review. */
  @Column('integer', { name: 'access_duration' })
  accessDuration!: number;

  @Column('text', { name: 'access_request_rule_name' })
  ruleName!: string;

  @Column('integer', { name: 'min_approvals' })
  minApprovals!: number;

  @Column('text', { name: 'force_approval_groups', array: true })
  forceApprovalGroups!: string[];

  /** SHA-256 of the input that was asked for: nothing else runs in this review's name. */
  @Column('bytea', { name: 'input_hash' })
  inputHash!: Buffer;

  @Column('jsonb', { name: 'time_window', nullable: true })
  timeWindow!: TimeWindow | null;

  @Column('text', { name: 'rejection_reason', nullable: true })
  rejectionReason!: string | null;

  @Column('timestamptz', { name: 'revoke_at', nullable: true })
  revokeAt!: Date | null;

  /** A review that nobody decided by then is over. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Kept by the database, for the list of sessions. */
  @Column({ type: 'timestamptz', name: 'session_start', select: false, insert: false, update: false })
  sessionStart!: Date;
}

/** What one group has said. */
@Entity('review_groups')
export class ReviewGroup {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('uuid', { name: 'review_id' })
  reviewId!: string;

  @Column('text', { name: 'group_name' })
  groupName!: string;

  @Column('text')
  status!: ReviewStatus;

  @Column('boolean', { name: 'forced_review' })
  forcedReview!: boolean;

  @Column('timestamptz', { name: 'review_date', nullable: true })
  reviewDate!: Date | null;

  @Column('jsonb', { name: 'reviewed_by', nullable: true })
  reviewedBy!: { id: string; name: string; email: string; slack_id: string } | null;

  /** Kept by the database, as `sessionStart`. */
  @Column({ type: 'uuid', name: 'session_id', select: false, insert: false, update: false })
  sessionId!: string;

  /** Kept by the database, for the list of sessions. */
  @Column({ type: 'timestamptz', name: 'session_start', select: false, insert: false, update: false })
  sessionStart!: Date;

  /** Of whoever approved; kept by the database from `status` and `reviewedBy`. */
  @Column({ type: 'text', name: 'approver_id', nullable: true, select: false, insert: false, update: false })
  approverId!: string | null;

  @Column({
    type: 'text',
    name: 'approver_email',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  approverEmail!: string | null;
}
