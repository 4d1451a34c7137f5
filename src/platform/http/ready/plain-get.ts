import type { Request } from 'express';

/**
 * Headers of requests that only the route can handle: conditions, ranges, and bodies, which routes refuse.
 */
const SPECIAL = [
  'if-none-match',
  'if-modified-since',
  'range',
  'expect',
  'content-length',
  'transfer-encoding',
] as const;

/** Whether a request is a GET without a condition, a range or a body. */
export function isPlainGet({ method, headers }: Request): boolean {
  return method === 'GET' && SPECIAL.every((name) => headers[name] === undefined);
}
