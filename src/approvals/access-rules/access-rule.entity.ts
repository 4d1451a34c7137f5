import { Column, CreateDateColumn, Entity, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/**
 * Access that a rule covers. `jit`: time-limited access for clients; `command`: each script or tool call;
 * `jit_command`: both.
 */
export const ACCESS_TYPES = ['jit', 'command', 'jit_command'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

@Entity('access_request_rules')
export class AccessRule {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @Column('text')
  name!: string;

  @Column('text')
  description!: string;

  @Column('text', { name: 'access_type' })
  accessType!: AccessType;

  /** Maximum duration of access, in seconds; null: two days. */
  @Column('integer', { name: 'access_max_duration', nullable: true })
  accessMaxDuration!: number | null;

  @Column('boolean', { name: 'all_groups_must_approve' })
  allGroupsMustApprove!: boolean;

  @Column('text', { name: 'approval_required_groups', array: true })
  approvalRequiredGroups!: string[];

  @Column('text', { name: 'reviewers_groups', array: true })
  reviewersGroups!: string[];

  @Column('text', { name: 'force_approval_groups', array: true })
  forceApprovalGroups!: string[];

  @Column('text', { name: 'skip_review_groups', array: true })
  skipReviewGroups!: string[];

  @Column('integer', { name: 'min_approvals', nullable: true })
  minApprovals!: number | null;

  /** Whether requests for access must have a reason. */
  @Column('boolean', { name: 'reason_required' })
  reasonRequired!: boolean;

  @Column('text', { array: true })
  attributes!: string[];

  @Column('text', { name: 'connection_names', array: true })
  connectionNames!: string[];

  @Column('text', { name: 'managed_by', nullable: true })
  managedBy!: string | null;

  /** Increases with every change of the rule; see http/versions. */
  @Column('integer')
  version!: number;

  @CreateDateColumn({ type: 'timestamptz', name: 'created_at' })
  createdAt!: Date;

  @UpdateDateColumn({ type: 'timestamptz', name: 'updated_at' })
  updatedAt!: Date;
}
