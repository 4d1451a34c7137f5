import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { Actor, Requires } from '../../http/access';
import { ApiErrors } from '../../http/api-errors';
import { isLargeJson } from '../../http/json-pieces';
import { inTurns } from '../../http/large-answers.interceptor';
import { ApiUuidParam, UuidParam } from '../../http/uuid-param';
import type { Principal } from '../../kernel/principal';
import { SessionView } from '../../sessions/session.dto';
import { SessionQuery, readingOptions } from '../rendering/session-query';
import { sendFile } from './send-file';
import { type SessionAnswer, SessionReader } from './session-reader';

@ApiTags('Sessions')
@Controller('sessions')
export class SessionController {
  constructor(private readonly sessions: SessionReader) {}

  @Get(':session_id')
  @Requires('signed-in')
  @ApiOperation({ operationId: 'getSession', summary: 'Get a session, or its recording as a file' })
  @ApiUuidParam('session_id')
  @ApiExtraModels(SessionView)
  @ApiOkResponse({
    description: 'The session; with `extension`, its recording as an attachment.',
    content: {
      'application/json': { schema: { $ref: getSchemaPath(SessionView) } },
      'text/csv': { schema: { type: 'string' } },
      'application/x-ndjson': { schema: { type: 'string' } },
      'application/x-asciicast': { schema: { type: 'string' } },
      'text/plain': { schema: { type: 'string' } },
    },
  })
  @ApiErrors(400, 403, 404, 422)
  async get(
    @Actor() actor: Principal,
    @UuidParam('session_id') id: string,
    @Query() query: SessionQuery,
    @Res() response: Response,
  ): Promise<void> {
    await send(response, await this.sessions.read(actor, id, readingOptions(query)));
  }
}

/** Streams the answer: recordings may be long. */
async function send(response: Response, answer: SessionAnswer): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  if (answer.kind === 'file') {
    await sendFile(response, answer.file);
    return;
  }
  if (answer.events === undefined && !isLargeJson(answer.head)) {
    response.json({ ...answer.head, event_stream: [], event_size: answer.storedSize });
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  await pipeline(sessionJson(answer), response);
}

async function* sessionJson({
  head,
  events,
  storedSize,
}: SessionAnswer & { kind: 'session' }): AsyncGenerator<string | Buffer> {
  // Its script may be long.
  let last = '';
  for await (const piece of inTurns(head)) {
    yield last;
    last = piece;
  }
  yield `${last.slice(0, -1)},"event_stream":[`;
  if (events !== undefined) yield* events.json;
  yield `],"event_size":${events?.size() ?? storedSize}}`;
}
