import { ApiProperty } from '@nestjs/swagger';
import { RUN_OUTCOMES, type RetentionRun, type RunOutcome } from './retention-run.entity';

/** One run of the purge. */
export class RetentionRunView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Who asked for it; null: nobody, it was time.' })
  started_by!: string | null;

  @ApiProperty({ type: String, format: 'date-time' })
  started_at!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  finished_at!: Date | null;

  @ApiProperty({
    enum: RUN_OUTCOMES,
    description:
      '`stopped`: its gateway was shut down. `interrupted`: its gateway died. The next run goes on in either case.',
  })
  outcome!: RunOutcome;

  @ApiProperty({
    type: 'integer',
    description: 'Recordings whose retention had ended when it began, without those that are held.',
  })
  due!: number;

  @ApiProperty({ type: 'integer', description: 'Recordings that nobody can read any more, of those.' })
  purged!: number;

  @ApiProperty({ type: 'integer', description: 'Recorded bytes of those purged.' })
  bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Recordings that it removed from the disk.' })
  removed!: number;

  @ApiProperty({
    type: 'integer',
    description: 'Months of which nothing had to be kept, removed as a whole.',
  })
  months_dropped!: number;

  @ApiProperty({ type: 'integer', description: 'Recordings that only a legal hold keeps.' })
  held_back!: number;

  @ApiProperty({ type: String, nullable: true, description: 'What went wrong.' })
  error!: string | null;
}

/** How far the removal of recordings is whose retention has ended. */
export class RetentionView {
  @ApiProperty({ description: 'Whether a gateway purges just now.' })
  running!: boolean;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When the last run began, which may be running; null before the first.',
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
    description: 'Recordings that nobody can read any more and that are still on the disk.',
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
