import type { NextFunction, Request, Response } from 'express';
import { MAX_TOKEN_BYTES } from '../../../kernel/text/token-bytes';
import { EdgeFault } from './edge-fault';

/** Maximum number of headers; more than any client or chain of proxies sends. */
const MAX_HEADERS = 200;
const HOST = 'host';
const AUTHORIZATION = 'authorization';
/** Maximum size of the path and all headers, without the value of `Authorization`. */
const MAX_BYTES = 16 * 1024;
/** Bytes of a header line besides its name and value: the colon, a space and the line end. */
const BYTES_BESIDE = 4;

/**
 * Maximum size of everything before the body: the largest token and `MAX_BYTES`. Node.js refuses larger
 * requests before it buffers them.
 */
export const MAX_HEAD_BYTES = MAX_TOKEN_BYTES + MAX_BYTES;

/** Refuses requests with ambiguous headers. Must run before anything reads a header. */
export function requireSoundHeaders(request: Request, _response: Response, next: NextFunction): void {
  next(faultOf(request));
}

export function hasSoundHeaders(request: Request): boolean {
  return faultOf(request) === undefined;
}

function faultOf({ rawHeaders, httpVersion, originalUrl }: Request): EdgeFault | undefined {
  if (rawHeaders.length > 2 * MAX_HEADERS)
    return new EdgeFault(431, `the request has more than ${MAX_HEADERS} headers`);
  let hosts = 0;
  let bytes = originalUrl.length;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    const value = rawHeaders[index + 1];
    if (name === undefined || value === undefined) continue;
    if (name.length === HOST.length && name.toLowerCase() === HOST) hosts += 1;
    const isToken = name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;
    bytes += name.length + BYTES_BESIDE + (isToken ? 0 : value.length);
  }
  if (bytes > MAX_BYTES)
    return new EdgeFault(431, 'the path and the headers of the request are larger than 16 KiB');
  // RFC 9112, section 3.2: with two `Host` headers, a proxy in front of the gateway may use the other one.
  if (hosts > 1) return new EdgeFault(400, 'the request has more than one Host header');
  if (hosts === 0 && httpVersion !== '1.0') return new EdgeFault(400, 'the request has no Host header');
  return undefined;
}
