import type { Request } from 'express';

/**
 * Headers of requests that each route answers in its own way: conditions, parts, and bodies that are refused.
 */
const SPECIAL = [
  'if-none-match',
  'if-modified-since',
  'range',
  'expect',
  'content-length',
  'transfer-encoding',
] as const;

/** A GET without a condition, a range or a body. */
export function isPlainGet({ method, headers }: Request): boolean {
  return method === 'GET' && SPECIAL.every((name) => headers[name] === undefined);
}
