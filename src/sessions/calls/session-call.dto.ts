import { ApiProperty } from '@nestjs/swagger';
import { CALL_VERDICTS } from '../../gate/ports/call-log';
import { PageInfo } from '../../platform/http/dto/page';
import type { SessionCall } from './session-call.entity';

export class SessionCallView {
  @ApiProperty({ type: String, format: 'date-time', description: 'When the request came.' })
  at!: Date;

  @ApiProperty({ description: 'The method of the Model Context Protocol.', example: 'tools/call' })
  method!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'Name of the tool or prompt, or URI of the resource, cut to 1024 characters; null where the method has none.',
    example: 'search_orders',
  })
  name!: string | null;

  @ApiProperty({
    enum: CALL_VERDICTS,
    description:
      '`forwarded`: the server answered. `refused`: not allowed, or a guardrail hit the request. `pending`: it waits for a review. `blocked`: a guardrail blocked it. `unknown`: it was sent, and it is not known whether it ran.',
  })
  verdict!: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  review_id!: string | null;

  @ApiProperty({ type: 'integer', description: 'Milliseconds from the request to the end of its answer.' })
  duration_ms!: number;

  @ApiProperty({ type: 'integer', description: 'Bytes of the result; 0 where there was none.' })
  result_bytes!: number;
}

export class SessionCallPage {
  @ApiProperty({ type: [SessionCallView] })
  data!: SessionCallView[];

  @ApiProperty({ type: PageInfo })
  pages!: PageInfo;
}

export function sessionCallView(call: SessionCall): SessionCallView {
  return {
    at: call.at,
    method: call.method,
    name: call.name,
    verdict: call.verdict,
    review_id: call.reviewId,
    duration_ms: call.durationMs,
    result_bytes: call.resultBytes,
  };
}
