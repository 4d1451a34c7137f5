import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TimeWindow } from './time-window';

/** What one person said of a review: one row for each of them, however often they say it. */
@Entity('review_votes')
export class ReviewVote {
  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  @PrimaryColumn('uuid', { name: 'review_id' })
  reviewId!: string;

  /** Our own id of the user. */
  @PrimaryColumn('uuid', { name: 'user_id' })
  userId!: string;

  @Column('text')
  verdict!: 'APPROVED' | 'REJECTED';

  /** Of the groups that the rules name, those the person was in when they voted. */
  @Column('text', { array: true })
  groups!: string[];

  @Column('boolean')
  forced!: boolean;

  @Column('jsonb', { name: 'time_window', nullable: true })
  timeWindow!: TimeWindow | null;

  @Column('timestamptz', { name: 'voted_at', default: () => 'now()' })
  votedAt!: Date;
}
