import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { WorkerLinks } from './worker-links';

const SESSION = 'mcp-session-id';

/**
 * Passes each request of an MCP session to the worker that has the session. If that worker is gone, this
 * worker handles the request and answers 404.
 */
export function passToWorkers(links: WorkerLinks, root: string): RequestHandler {
  const lower = root.toLowerCase();
  return (request: Request, response: Response, next: NextFunction) => {
    const session = request.headers[SESSION];
    const path = request.path.toLowerCase();
    if (typeof session !== 'string' || (path !== lower && !path.startsWith(`${lower}/`))) return next();
    const passing = links.pass(session, request, response);
    if (passing === false) return next();
    Promise.resolve(passing).then((isPassed) => (isPassed ? undefined : next()), next);
  };
}
