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

/** So long after the last request ended, a line may still be of it. */
const LATE_LINES_MS = 1_000;

const current = new AsyncLocalStorage<RequestNote>();
let open = 0;

/**
 * As long as a store is in use, Node follows every promise of the process (before AsyncContextFrame, Node 24): a tenth of what a
 * command costs that passes through a wire proxy.
 */
const forget = setTimeout(() => {
  if (open === 0) current.disable();
}, LATE_LINES_MS).unref();

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
    // Probes come every few seconds and tell nothing.
    if (isProbe(note.path)) return next();
    open += 1;
    response.once('close', () => {
      logEnd(note, response, startedAt);
      open -= 1;
      forget.refresh();
    });
    current.run(note, next);
  });
}

function logEnd(req: RequestNote, response: Response, startedAt: number): void {
  const end = {
    req,
    res: { statusCode: response.statusCode },
    responseTime: Math.round(performance.now() - startedAt),
  };
  PinoLogger.root.info(response.writableFinished ? end : { ...end, aborted: true }, 'request');
}

function isProbe(path: string): boolean {
  return path.endsWith('/healthz');
}

function requestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}
