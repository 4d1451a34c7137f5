import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ApprovalRule } from '../gate/ports/access-decider';
import type { ReviewStatus } from './review-state';
import type { TimeWindow } from './time-window';

/** A decision asked of people, for one input of a session or for a span of time. */
@Entity('reviews')
export class Review {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** null: a request for a span of time that no session goes with. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;

  /** Of what is to be opened; it may be gone by now. null only in what is older than this column. */
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId!: string | null;

  /** As it was called when it was asked for. */
  @Column('text', { name: 'connection_name' })
  connectionName!: string;

  /** As it was then, for whoever is told of it. */
  @Column('text', { name: 'connection_subtype' })
  connectionSubtype!: string;

  /** Who asked: our own id of the user or of the API key. */
  @Column('uuid', { name: 'requester_id', nullable: true })
  requesterId!: string | null;

  @Column('text', { name: 'requester_type' })
  requesterType!: 'user' | 'machine';

  @Column('text', { name: 'requester_subject' })
  requesterSubject!: string;

  @Column('text', { name: 'requester_email' })
  requesterEmail!: string;

  @Column('text', { name: 'requester_name' })
  requesterName!: string;

  /** Subject of the person who asked, or who made the API key that asked: they never approve this. */
  @Column('text', { name: 'person_behind' })
  personBehind!: string;

  /** The rules as they were when it was asked; all must be satisfied. */
  @Column('jsonb')
  rules!: readonly ApprovalRule[];

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

  /** SHA-256 of the input that was asked for: nothing else runs in this review's name. null: a span of time. */
  @Column('bytea', { name: 'input_hash', nullable: true })
  inputHash!: Buffer | null;

  /** When it may be used, as all approvers allow; null: at any time. */
  @Column('jsonb', { name: 'time_window', nullable: true })
  timeWindow!: TimeWindow | null;

  /** Why access is wanted, in the words of who asked; null: they did not say. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('text', { name: 'rejection_reason', nullable: true })
  rejectionReason!: string | null;

  @Column('timestamptz', { name: 'revoke_at', nullable: true })
  revokeAt!: Date | null;

  @Column('timestamptz', { name: 'approved_at', nullable: true })
  approvedAt!: Date | null;

  /** When its one execution began. */
  @Column('timestamptz', { name: 'taken_at', nullable: true })
  takenAt!: Date | null;

  /** When it reached its last state. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  /** What nobody decided by then, or approved and did not use, is over. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Kept by the database, for the list of sessions. */
  @Column({ type: 'timestamptz', name: 'session_start', select: false, insert: false, update: false })
  sessionStart!: Date;
}

/** What one group has said; a row for each of its members who said something, or one that waits. */
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

  /** false: it may force an approval and is not asked for one; it is shown once it did. */
  @Column('boolean', { name: 'is_asked' })
  isAsked!: boolean;

  @Column('boolean', { name: 'forced_review' })
  forcedReview!: boolean;

  @Column('timestamptz', { name: 'review_date', nullable: true })
  reviewDate!: Date | null;

  @Column('jsonb', { name: 'reviewed_by', nullable: true })
  reviewedBy!: { id: string; name: string; email: string; slack_id: string } | null;

  /** Kept by the database, as `sessionStart`. */
  @Column({
    type: 'uuid',
    name: 'session_id',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  sessionId!: string | null;

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
