import { ApiProperty } from '@nestjs/swagger';
import { RUN_OUTCOMES, type RetentionRun, type RunOutcome } from './retention-run.entity';

/** One run of the purge. */
export class RetentionRunView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Who started the run; null for a scheduled run.',
  })
  started_by!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  started_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at!: Date | null;

  @ApiProperty({
    enum: RUN_OUTCOMES,
    description:
      '`stopped`: its gateway was shut down. `interrupted`: its gateway died. In both cases the next run continues.',
  })
  outcome!: RunOutcome;

  @ApiProperty({
    type: 'integer',
    description: 'Recordings whose retention had ended at the start of the run, without those on legal hold.',
  })
  due!: number;

  @ApiProperty({ type: 'integer', description: 'Number of these recordings that were made unreadable.' })
  purged!: number;

  @ApiProperty({ type: 'integer', description: 'Recorded bytes of the purged recordings.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Recordings removed from the disk.' })
  removed!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Months removed as a whole, because nothing of them had to be kept.',
  })
  months_dropped!: number;

  @ApiProperty({ type: 'integer', description: 'Recordings that are kept only because of a legal hold.' })
  held_back!: number;

  @ApiProperty({ type: String, nullable: true, description: 'What went wrong.' })
  error!: string | null;
}

/** Progress of the removal of recordings whose retention has ended. */
export class RetentionView {
  @ApiProperty({ description: 'Whether a run is in progress.' })
  running!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Start of the last run, which may be in progress; null before the first run.',
  })
  started_at!: Date | null;

  @ApiProperty({ type: 'integer', description: 'Of that run, as below.' })
  due!: number;

  @ApiProperty({ type: 'integer', description: 'Of that run, as below.' })
  purged!: number;

  @ApiProperty({ type: 'integer', description: 'Of that run, as below.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Of that run, as below.' })
  held_back!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Purged recordings that are still on the disk.',
  })
  waiting!: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  last_finished_at!: Date | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Of the last run that is over; null: all went well.',
  })
  last_error!: string | null;

  @ApiProperty({ type: [RetentionRunView], description: 'The last 20, newest first.' })
  runs!: RetentionRunView[];
}

export function retentionRunView(run: RetentionRun): RetentionRunView {
  return {
    id: run.id,
    started_by: run.startedBy,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
    outcome: run.outcome,
    due: run.due,
    purged: run.purged,
    bytes: run.bytes,
    removed: run.removed,
    months_dropped: run.monthsDropped,
    held_back: run.heldBack,
    error: run.error,
  };
}
