import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TimeWindow } from './time-window';

/** A person's vote on a review: one row per person, also after several votes. */
@Entity('review_votes')
export class ReviewVote {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'review_id' })
  reviewId!: string;

  /** The gateway's own id of the user. */
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  verdict!: 'APPROVED' | 'REJECTED';

  /** The person's groups at the time of the vote, limited to groups that the rules name. */
  @Column('text', { array: true })
  groups!: string[];

  @Column('boolean')
  forced!: boolean;

  @Column('jsonb', { name: 'time_window', nullable: true })
  timeWindow!: TimeWindow | null;

  @Column('timestamptz', { name: 'voted_at', default: () => 'now()' })
  votedAt!: Date;
}
