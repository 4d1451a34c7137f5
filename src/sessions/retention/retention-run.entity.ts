import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../../platform/database/bigint';

/**
 * Outcome of a purge run.
 * - `stopped`: its gateway was shut down; the next run continues the work
 * - `failed`: see `error`
 * - `interrupted`: its gateway died; the next run set this outcome
 */
export const RUN_OUTCOMES = ['running', 'finished', 'stopped', 'failed', 'interrupted'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** One run of the purge. Each batch updates the row in its transaction. */
@Entity('retention_runs')
export class RetentionRun {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** Person who started the run: e-mail, or else subject; null: the schedule started it. */
  @Column('text', { name: 'started_by', nullable: true })
  startedBy!: string | null;

  @Column('timestamptz', { name: 'started_at' })
  startedAt!: Date;

  @Column('timestamptz', { name: 'updated_at' })
  updatedAt!: Date;

  @Column('timestamptz', { name: 'finished_at', nullable: true })
  finishedAt!: Date | null;

  @Column('text')
  outcome!: RunOutcome;

  /** Number of recordings, without held ones, whose retention had ended when the run began. */
  @Column('bigint', { transformer: bigint })
  due!: number;

  /** Number of recordings whose retention had ended, but that are under hold. */
  @Column('bigint', { name: 'held_back', transformer: bigint })
  heldBack!: number;

  /** Number of recordings that this run purged, so that they cannot be read anymore. */
  @Column('bigint', { transformer: bigint })
  purged!: number;

  /** Recorded bytes of the purged recordings. */
  @Column('bigint', { transformer: bigint })
  bytes!: number;

  /** Number of recordings whose chunks this run removed from the disk, even if an earlier run purged them. */
  @Column('bigint', { transformer: bigint })
  removed!: number;

  @Column('integer', { name: 'months_dropped' })
  monthsDropped!: number;

  @Column('text', { nullable: true })
  error!: string | null;
}
