import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';

/** A request id that a caller may bring: nothing that could break a log line or a header. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/** What a log line says of the request. The query is left out: callbacks carry codes there. */
interface RequestNote {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly remoteAddress: string | undefined;
}

const current = new AsyncLocalStorage<RequestNote>();

/** Asked for each line: a logger of its own for each request would cost as much as the rest of the edge. */
export function requestOfThisLine(): { req?: RequestNote } {
  const req = current.getStore();
  return req === undefined ? {} : { req };
}

/**
 * Gives every request an id, which its answer bears and every line logged meanwhile, and logs its end. To be
 * used before all other middleware: an answer of the body parser or of the Swagger UI is an answer, too.
 */
export function logRequests(app: NestExpressApplication): void {
  app.use((request: Request, response: Response, next: NextFunction) => {
    const id = requestId(request);
    response.setHeader('x-request-id', id);
    const note = { id, method: request.method, path: request.path, remoteAddress: request.ip };
    const startedAt = performance.now();
    response.once('close', () => logEnd(note, response, startedAt));
    current.run(note, next);
  });
}

function logEnd(req: RequestNote, response: Response, startedAt: number): void {
  // Probes come every few seconds and tell nothing.
  if (req.path.endsWith('/healthz')) return;
  const end = {
    req,
    res: { statusCode: response.statusCode },
    responseTime: Math.round(performance.now() - startedAt),
  };
  PinoLogger.root.info(response.writableFinished ? end : { ...end, aborted: true }, 'request');
}

function requestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}
