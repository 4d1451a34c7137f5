import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigint } from '../../platform/database/bigint';

/**
 * - `stopped`: its gateway was shut down; the next run continues
 * - `failed`: see `error`
 * - `interrupted`: its gateway died; the next run found it
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

  /** Person who started it, by e-mail or subject; null: the schedule. */
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

  /** Recordings whose retention had ended when the run began, without held ones. */
  @Column('bigint', { transformer: bigint })
  due!: number;

  /** Recordings whose retention had ended, but that are under hold. */
  @Column('bigint', { name: 'held_back', transformer: bigint })
  heldBack!: number;

  /** Recordings that this run purged. They cannot be read any more. */
  @Column('bigint', { transformer: bigint })
  purged!: number;

  /** Their recorded bytes. */
  @Column('bigint', { transformer: bigint })
  bytes!: number;

  /** Recordings whose chunks this run removed from the disk, also those that earlier runs had purged. */
  @Column('bigint', { transformer: bigint })
  removed!: number;

  @Column('integer', { name: 'months_dropped' })
  monthsDropped!: number;

  @Column('text', { nullable: true })
  error!: string | null;
}
