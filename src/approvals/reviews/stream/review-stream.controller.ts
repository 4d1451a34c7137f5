import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { QueryWholeNumber, StrictQuery } from '../../../platform/http/dto/query-fields';
import { sendStream } from '../../../platform/http/streams/send-stream';
import { LASTS_SECONDS } from '../../../platform/http/streams/stream-life';
import type { Principal } from '../../../kernel/principal';
import { ReviewStreams } from './review-streams';

const DESCRIPTION = `A stream of server-sent events: which reviews change, of those that the caller may see, through whichever gateway.

- \`message\`: its data is \`{ id, session_id, status }\`. What else changed is read with \`GET /reviews/{id}\`. Changes that come while the reader takes nothing are told once.

The stream begins with what changes from now on: read what you show after it has opened. It ends after 15 minutes at the latest, when the gateway stops or may have missed changes, and when the caller may no longer act: ask again. Each person or API key may have 10 at a time.`;

export class ReviewStreamQuery extends StrictQuery {
  @QueryWholeNumber(1, LASTS_SECONDS, {
    description: 'How long to follow, in seconds.',
    default: LASTS_SECONDS,
  })
  seconds?: string;
}

@ApiTags('Reviews')
@Controller('reviews')
export class ReviewStreamController {
  constructor(private readonly streams: ReviewStreams) {}

  @Get('stream')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'streamReviews',
    summary: 'Follow which reviews change',
    description: DESCRIPTION,
  })
  @ApiOkResponse({
    description: 'Server-sent events.',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  })
  @ApiErrors(400)
  stream(
    @Actor() actor: Principal,
    @Query() { seconds }: ReviewStreamQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const lasts = seconds === undefined ? LASTS_SECONDS : Number(seconds);
    return sendStream(request, response, this.streams.of(actor, lasts));
  }
}
