import type { NextFunction, Request, Response } from 'express';
import { EdgeFault } from './edge-fault';

/** More than any client or chain of proxies sends. */
const MAX_HEADERS = 200;

/** Refuses requests with ambiguous headers. Must run before anything reads a header. */
export function requireSoundHeaders(request: Request, _response: Response, next: NextFunction): void {
  const { rawHeaders, httpVersion } = request;
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return next(new EdgeFault(431, `the request has more than ${MAX_HEADERS} headers`));
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host').length;
  // RFC 9112, section 3.2: a proxy in front of the gateway may have used the other one.
  if (hosts > 1) return next(new EdgeFault(400, 'the request has more than one Host header'));
  if (hosts === 0 && httpVersion !== '1.0') return next(new EdgeFault(400, 'the request has no Host header'));
  next();
}
