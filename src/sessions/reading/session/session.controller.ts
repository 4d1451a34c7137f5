import { pipeline } from 'node:stream/promises';
import { Controller, Get, Query, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import { continued } from '../../../kernel/async/begun';
import { Actor, Requires } from '../../../platform/http/routes/access';
import { ApiErrors } from '../../../platform/http/routes/api-errors';
import type { DirectRoute } from '../../../platform/http/direct/serve-directly';
import { isLargeJson } from '../../../kernel/json/json';
import { inTurns } from '../../../platform/http/large-answers.interceptor';
import { ApiUuidParam, UuidParam } from '../../../platform/http/routes/uuid-param';
import type { Principal } from '../../../kernel/principal';
import { SessionView } from '../../list/session.dto';
import { type ReadingOptions, SessionQuery, readingOptions } from '../rendering/session-query';
import { sendFile } from './send-file';
import { type SessionAnswer, SessionReader } from './session-reader';

/** Size in bytes below which an answer is sent whole, because a stream costs several times as much. */
const SENT_AT_ONCE = 64 * 1024;

const POLICY = 'signed-in';
/** Parsed options for the query strings that the route `direct` accepts. */
const DIRECT_QUERIES: ReadonlyMap<string, ReadingOptions> = new Map([
  ['', readingOptions(new SessionQuery())],
  ['expand=event_stream', readingOptions(Object.assign(new SessionQuery(), { expand: 'event_stream' }))],
]);

@ApiTags('Sessions')
@Controller('sessions')
export class SessionController {
  constructor(private readonly sessions: SessionReader) {}

  /** Route like `get` that bypasses the router for the frequent requests of portals and scripts. */
  readonly direct: DirectRoute = {
    path: /^\/sessions\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i,
    policy: POLICY,
    queries: new Set(DIRECT_QUERIES.keys()),
    answer: async (actor, id, query, response) => {
      const options = DIRECT_QUERIES.get(query) ?? readingOptions(new SessionQuery());
      await send(response, await this.sessions.read(actor, id.toLowerCase(), options));
    },
  };

  @Get(':session_id')
  @Requires(POLICY)
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

/** Sends the answer. A long answer is streamed, because recordings may be long. */
async function send(response: Response, answer: SessionAnswer): Promise<void> {
  response.setHeader('Cache-Control', 'no-store');
  if (answer.kind === 'file') {
    await sendFile(response, answer.file);
    return;
  }
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  const pieces = sessionJson(answer);
  const first: (string | Buffer)[] = [];
  for (let size = 0; size < SENT_AT_ONCE;) {
    const piece = await pieces.next();
    if (piece.done === true) {
      // Sends headers and body as one text, in one write to the socket. In latin1 each character is one byte.
      const body = Buffer.concat(first.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
      response.setHeader('Content-Length', body.length);
      response.end(body.toString('latin1'), 'latin1');
      return;
    }
    first.push(piece.value);
    size += piece.value.length;
  }
  await pipeline(continued(first, pieces), response);
}

async function* sessionJson({
  head,
  events,
  storedSize,
}: SessionAnswer & { kind: 'session' }): AsyncGenerator<string | Buffer> {
  let last = '';
  // The script in `head` may be long.
  if (isLargeJson(head))
    for await (const piece of inTurns(head)) {
      yield last;
      last = piece;
    }
  else last = JSON.stringify(head);
  yield `${last.slice(0, -1)},"event_stream":[`;
  if (events !== undefined) yield* events.json;
  yield `],"event_size":${events?.size() ?? storedSize}}`;
}
