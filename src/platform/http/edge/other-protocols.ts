import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { logRequest } from '../logs/request-log';
import type { SecurityHeaders } from './security-headers';
import { requireSoundHeaders } from './sound-headers';

/**
 * Answers one request; never rejects. `name` is the decoded last part of the path, or undefined if the path
 * has no name.
 */
export type OtherProtocol = (request: Request, response: Response, name: string | undefined) => Promise<void>;

/**
 * Serves protocols that are not REST. They have their own messages and errors, and thousands of requests a
 * second. Their requests pass only the steps that apply to every request (an id, a log line, security
 * headers, checked headers, no caching), and no step that only REST needs.
 * @param path matches the path of a request; its first group is the name, if there is one
 * @param chosen returns the protocol for a name
 */
export function serveOtherProtocol(
  path: RegExp,
  security: SecurityHeaders,
  chosen: (name: string | undefined) => OtherProtocol,
): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const found = path.exec(request.path);
    const name = found === null ? undefined : decoded(found[1]);
    // A name that cannot be decoded is left to the next handlers, which answer it like any other path.
    if (found === null || name === null) return next();
    logRequest(request, response);
    security.set(response);
    response.setHeader('Cache-Control', 'no-store');
    requireSoundHeaders(request, response, (fault?: unknown) => {
      if (fault === undefined) void chosen(name)(request, response, name);
      else next(fault);
    });
  };
}

function decoded(part: string | undefined): string | undefined | null {
  try {
    return part === undefined ? undefined : decodeURIComponent(part);
  } catch {
    return null;
  }
}
