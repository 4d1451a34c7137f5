import { ApiProperty } from '@nestjs/swagger';
import { SessionView } from './session.dto';

/** A page of sessions, newest first (contract, "GET /sessions"). */
export class SessionPage {
  @ApiProperty({
    type: [SessionView],
    description: 'Sessions without `script` (null) and `event_stream` (empty).',
  })
  data!: SessionView[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many sessions match; at most 10 000 unless counted exactly; null when not counted.',
  })
  total!: number | null;

  @ApiProperty({ description: 'Whether more sessions match than `total`.' })
  total_is_capped!: boolean;

  @ApiProperty({ description: 'Whether sessions follow this page.' })
  has_next_page!: boolean;
}
