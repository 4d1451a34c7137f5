import type { NextFunction, Request, Response } from 'express';

/**
 * Forbids caching of API answers; a route may allow it again. The documentation stays cacheable, because it
 * is the same for all callers.
 */
export function keepAnswersPrivate(prefix: string) {
  const isPublic = new RegExp(`^${prefix}/(docs(/|$)|openapi\\.)`, 'i');
  return ({ path }: Request, response: Response, next: NextFunction): void => {
    if (!isPublic.test(path)) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}
