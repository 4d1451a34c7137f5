import { ApiProperty } from '@nestjs/swagger';
import { RequestView } from '../../approvals/reviews/requests/request.dto';

export class ReviewedTableView {
  @ApiProperty({ type: String, nullable: true, description: 'null: none is named.', example: 'public' })
  schema!: string | null;

  @ApiProperty({ description: '`*`: tables that the statement does not name.', example: 'customers' })
  name!: string;

  @ApiProperty({ description: 'Whether it is changed.' })
  is_written!: boolean;
}

/** One statement of a requested script, as the guardrails parse it. */
export class ReviewedStatementView {
  @ApiProperty({ type: 'integer', description: 'Where it begins in the script, in UTF-16 code units.' })
  start!: number;

  @ApiProperty({ type: 'integer', description: 'Where it ends.' })
  end!: number;

  @ApiProperty({
    type: [String],
    description: 'Kinds of the statement and of what it contains.',
    example: ['delete'],
  })
  kinds!: string[];

  @ApiProperty({
    description: 'It changes or deletes all rows: its condition is missing, or is the same for every row.',
  })
  without_where!: boolean;

  @ApiProperty({ type: [ReviewedTableView] })
  tables!: ReviewedTableView[];

  @ApiProperty({ type: [String], description: 'Why part of its effect cannot be told from its text.' })
  hidden!: string[];
}

/** The statements of a requested script, with their effects. */
export class ReviewedScriptView {
  @ApiProperty({ type: 'integer', description: 'How many statements it has.' })
  total!: number;

  @ApiProperty({ type: [ReviewedStatementView], description: 'The first 100.' })
  statements!: ReviewedStatementView[];

  @ApiProperty({ type: String, nullable: true, description: 'Why it cannot be read; null when it can.' })
  fault!: string | null;
}

/** A session that ran under an approval. */
export class ReviewedSessionView {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ description: 'E-mail of who ran it.' })
  user!: string;

  @ApiProperty({ enum: ['exec', 'connect'] })
  verb!: string;

  @ApiProperty({ enum: ['open', 'ready', 'done'] })
  status!: string;

  @ApiProperty({ type: String, format: 'date-time' })
  start_date!: Date;

  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  end_date!: Date | null;
}

/** Facts that help to decide a review, as far as the caller may see them. */
export class ReviewContextView {
  @ApiProperty({
    type: ReviewedScriptView,
    nullable: true,
    description: 'null: the review is about no script, its language has no statements, or it was removed.',
  })
  script!: ReviewedScriptView | null;

  @ApiProperty({
    type: [RequestView],
    description:
      'The last 10 requests of the same requester for the same connection that were approved, newest first.',
  })
  earlier!: RequestView[];

  @ApiProperty({
    type: [ReviewedSessionView],
    description: 'The last 20 sessions that ran under an approval for a while, newest first.',
  })
  sessions!: ReviewedSessionView[];
}
