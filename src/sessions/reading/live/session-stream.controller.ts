import { Controller, Get, Headers, HttpStatus, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import { sendStream } from '../../../platform/http/streams/send-stream';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import type { Principal } from '../../../kernel/principal';
import { LiveStreams } from './live-streams';

const DESCRIPTION = `A stream of server-sent events: the recording from its start, or after the message that \`Last-Event-ID\` names, then what is recorded meanwhile, wherever the session runs.

- \`message\`: its data is a triple \`[time, type, content]\` as in \`event_stream\`: milliseconds since the start, \`i\`, \`o\` or \`e\`, base64. A large event comes in several messages: a fourth element, \`true\`, says that it goes on in the next one.
- \`end\`: the last one, with the data \`{ status, exit_code, end_date }\`.

After 15 minutes, when the gateway stops, and when the reader may no longer read, the answer ends without \`end\`: ask again with the last id. A request after \`end\` gets 204, which tells an EventSource to stay away. For the owner of the session, auditors and admins; each may follow 10 sessions at a time.`;

/**
 * Content type declared for both success answers. Status 204 has no content, but some client generators allow
 * only one type for an operation (progenitor, for Rust).
 */
const EVENTS = { 'text/event-stream': { schema: { type: 'string' } } } as const;

@ApiTags('Sessions')
@Controller('sessions')
export class SessionStreamController {
  constructor(private readonly streams: LiveStreams) {}

  @Get(':session_id/stream')
  @Requires('signed-in')
  @ApiOperation({
    operationId: 'streamSession',
    summary: 'Follow the recording of a session',
    description: DESCRIPTION,
  })
  @ApiUuidParam('session_id')
  @ApiHeader({
    name: 'Last-Event-ID',
    description: 'Id of the last message received; the stream continues after it.',
    required: false,
    schema: { type: 'string', example: '3.17' },
  })
  @ApiOkResponse({ description: 'Server-sent events.', content: EVENTS })
  @ApiResponse({
    status: HttpStatus.NO_CONTENT,
    description: 'No events: the last message received was the end of the session.',
    content: EVENTS,
  })
  @ApiErrors(400, 403, 404)
  async stream(
    @Actor() actor: Principal,
    @UuidParam('session_id') id: string,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const stream = await this.streams.of(actor, id, lastEventId);
    response.setHeader('Cache-Control', 'no-store, no-transform');
    if (stream === undefined) response.status(HttpStatus.NO_CONTENT).end();
    else await sendStream(request, response, stream);
  }
}
