import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn } from 'typeorm';
import type { ApprovalRule } from '../../../gate/ports/access-decider';
import type { ReviewStatus } from './review-state';
import type { TimeWindow } from './time-window';
import type { AfterReviewState, SignOff } from './after-review-state';

/**
 * A decision requested from people: about one script, one call within a live session, or access for a while.
 */
@Entity('reviews')
export class Review {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** The session whose script waits for the review; null: the review is about a grant or a call. */
  @Column('uuid', { name: 'session_id', nullable: true })
  sessionId!: string | null;

  /** The live session that requested the call, or that runs it. null: the review is not about a call. */
  @Column('uuid', { name: 'call_session_id', nullable: true })
  callSessionId!: string | null;

  /** The call, as people see it. Its arguments are null after the review ended; the recording keeps them. */
  @Column('jsonb', { nullable: true })
  call!: {
    readonly name: string;
    readonly arguments: string | null;
    /** Fingerprint of the tool's description; missing in reviews that are older than this field. */
    readonly fingerprint?: string;
  } | null;

  /**
   * The first code points of the script that waits, for lists of reviews. null: the review is not about a
   * script, or is over, or is older than this column.
   */
  @Column('text', { name: 'script_start', nullable: true })
  scriptStart!: string | null;

  /** The connection, which may be deleted by now. null only in rows that are older than this column. */
  @Column('uuid', { name: 'connection_id', nullable: true })
  connectionId!: string | null;

  /** Name of the connection at the time of the request. */
  @Column('text', { name: 'connection_name' })
  connectionName!: string;

  /** Subtype of the connection at the time of the request, for webhook events. */
  @Column('text', { name: 'connection_subtype' })
  connectionSubtype!: string;

  /** The gateway's own id of the user or API key that requested the review. */
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

  /**
   * Subject of the person who requested the review, or who created the API key that requested it. This person
   * cannot approve the review.
   */
  @Column('text', { name: 'person_behind' })
  personBehind!: string;

  /** The rules at the time of the request; all must be satisfied. */
  @Column('jsonb')
  rules!: readonly ApprovalRule[];

  @Column('text')
  type!: 'onetime' | 'jit';

  @Column('text')
  status!: ReviewStatus;

  /** Duration of the access in seconds; 0 for a one-time review. */
  @Column('integer', { name: 'access_duration' })
  accessDuration!: number;

  @Column('text', { name: 'access_request_rule_name' })
  ruleName!: string;

  @Column('integer', { name: 'min_approvals' })
  minApprovals!: number;

  @Column('text', { name: 'force_approval_groups', array: true })
  forceApprovalGroups!: string[];

  /** SHA-256 of the requested input: only this input may be run. null for a grant. */
  @Column('bytea', { name: 'input_hash', nullable: true })
  inputHash!: Buffer | null;

  /** Hours of the day in which all approvers allow the use of the approval; null for any time. */
  @Column('jsonb', { name: 'time_window', nullable: true })
  timeWindow!: TimeWindow | null;

  /** Reason for the request, in the words of the requester; null where none was given. */
  @Column('text', { nullable: true })
  reason!: string | null;

  @Column('text', { name: 'rejection_reason', nullable: true })
  rejectionReason!: string | null;

  /**
   * Reason of an approver for forcing the approval, or of the requester for declaring an emergency, in their
   * words; null where there was neither.
   */
  @Column('text', { name: 'force_reason', nullable: true })
  forceReason!: string | null;

  /** Whether the requester approved their own request in an emergency, in place of its reviewers. */
  @Column('boolean', { default: false })
  emergency!: boolean;

  /** Whether a forced approval or an emergency still needs its sign-off; null: there was neither. */
  @Column('text', { name: 'after_review', nullable: true })
  afterReview!: AfterReviewState | null;

  @Column('jsonb', { name: 'sign_off', nullable: true })
  signOff!: SignOff | null;

  @Column('timestamptz', { name: 'revoke_at', nullable: true })
  revokeAt!: Date | null;

  @Column('timestamptz', { name: 'approved_at', nullable: true })
  approvedAt!: Date | null;

  /** When the approval was claimed for its one execution. */
  @Column('timestamptz', { name: 'taken_at', nullable: true })
  takenAt!: Date | null;

  /** When the review reached its final state. */
  @Column('timestamptz', { name: 'ended_at', nullable: true })
  endedAt!: Date | null;

  /** When the review expires without a decision, or the approval expires without being used. */
  @Column('timestamptz', { name: 'expires_at' })
  expiresAt!: Date;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  /** Start of the review's session. The database maintains this copy, for the list of sessions. */
  @Column({ type: 'timestamptz', name: 'session_start', select: false, insert: false, update: false })
  sessionStart!: Date;
}

/** The decision of one group: one row for each member who voted, or one pending row. */
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

  /** false: the group may force an approval but is not asked. It is shown only after a member has voted. */
  @Column('boolean', { name: 'is_asked' })
  isAsked!: boolean;

  @Column('boolean', { name: 'forced_review' })
  forcedReview!: boolean;

  @Column('timestamptz', { name: 'review_date', nullable: true })
  reviewDate!: Date | null;

  @Column('jsonb', { name: 'reviewed_by', nullable: true })
  reviewedBy!: { id: string; name: string; email: string; slack_id: string } | null;

  /** Maintained by the database, like `sessionStart`. */
  @Column({
    type: 'uuid',
    name: 'session_id',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  sessionId!: string | null;

  /** Start of the review's session. The database maintains this copy, for the list of sessions. */
  @Column({ type: 'timestamptz', name: 'session_start', select: false, insert: false, update: false })
  sessionStart!: Date;

  /** Subject of `reviewedBy`, for the list of sessions; null: this person did not approve. */
  @Column('text', { name: 'approver_id', nullable: true, select: false })
  approverId!: string | null;

  /** E-mail address of `reviewedBy`; null in the same rows as `approverId`. */
  @Column('text', { name: 'approver_email', nullable: true, select: false })
  approverEmail!: string | null;
}
