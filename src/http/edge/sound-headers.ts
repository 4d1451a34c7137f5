import type { NextFunction, Request, Response } from 'express';
import { EdgeFault } from './edge-fault';

/** More than any client or chain of proxies sends. */
const MAX_HEADERS = 200;
const HOST = 'host';

/** Refuses requests with ambiguous headers. Must run before anything reads a header. */
export function requireSoundHeaders(request: Request, _response: Response, next: NextFunction): void {
  next(faultOf(request));
}

export function hasSoundHeaders(request: Request): boolean {
  return faultOf(request) === undefined;
}

function faultOf({ rawHeaders, httpVersion }: Request): EdgeFault | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return new EdgeFault(431, `the request has more than ${MAX_HEADERS} headers`);
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
  }
  // RFC 9112, section 3.2: a proxy in front of the gateway may have used the other one.
  if (hosts > 1) return new EdgeFault(400, 'the request has more than one Host header');
  if (hosts === 0 && httpVersion !== '1.0') return new EdgeFault(400, 'the request has no Host header');
  return undefined;
}
