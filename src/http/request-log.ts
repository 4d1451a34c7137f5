import { randomUUID } from 'node:crypto';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';

/** A request id that a caller may bring: nothing that could break a log line or a header. */
const SAFE_REQUEST_ID = /^[\w.:-]{1,128}$/;

/**
 * Gives every request an id, which its answer bears and every line logged meanwhile, and logs its end. To be
 * used before all other middleware: an answer of the body parser or of the Swagger UI is an answer, too.
 *
 * The query is left out of the log: callbacks carry codes there. Of headers and bodies, nothing is kept.
 */
export async function logRequests(app: NestExpressApplication): Promise<void> {
  const log = await app.resolve(PinoLogger);
  app.use((request: Request, response: Response, next: NextFunction) => {
    const id = requestId(request);
    response.setHeader('x-request-id', id);
    const req = { id, method: request.method, path: request.path, remoteAddress: request.ip };
    const startedAt = performance.now();
    response.once('close', () => {
      // Probes come every few seconds and tell nothing.
      if (req.path.endsWith('/healthz')) return;
      const end = {
        req,
        res: { statusCode: response.statusCode },
        responseTime: Math.round(performance.now() - startedAt),
        ...(response.writableFinished ? {} : { aborted: true }),
      };
      PinoLogger.root.info(end, 'request');
    });
    log.runInContext(next, { bindings: { req } });
  });
}

function requestId(request: Request): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && SAFE_REQUEST_ID.test(given) ? given : randomUUID();
}
