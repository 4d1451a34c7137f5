import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../database/bigint';

/**
 * - `stopped`: its gateway was shut down; the next run goes on
 * - `failed`: see `error`
 * - `interrupted`: its gateway died; found by the next run
 */
export const RUN_OUTCOMES = ['running', 'finished', 'stopped', 'failed', 'interrupted'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** One run of the purge. Its row moves with every batch, in the transaction of the batch. */
@Entity('retention_runs')
export class RetentionRun {
  @PrimaryColumn('uuid')
  id!: string;

  @Column('uuid', { name: 'org_id' })
  orgId!: string;

  /** Who asked for it, by e-mail or subject; null: nobody, it was time. */
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

  /** Recordings whose retention had ended when the run began, without those that are held. */
  @Column('bigint', { transformer: bigint })
  due!: number;

  /** Those of them that legal holds keep. */
  @Column('bigint', { name: 'held_back', transformer: bigint })
  heldBack!: number;

  /** Recordings that this run closed for good: nobody reads them any more. */
  @Column('bigint', { transformer: bigint })
  purged!: number;

  /** Recorded bytes of those. */
  @Column('bigint', { transformer: bigint })
  bytes!: number;

  /** Recordings whose chunks this run removed from the disk; also of earlier runs that did not come so far. */
  @Column('bigint', { transformer: bigint })
  removed!: number;

  @Column('integer', { name: 'months_dropped' })
  monthsDropped!: number;

  @Column('text', { nullable: true })
  error!: string | null;
}
