import type { NextFunction, Request, Response } from 'express';

/**
 * Answers of the API must not be cached, unless the route allows it. The documentation is the same for
 * everybody.
 */
export function keepAnswersPrivate(prefix: string) {
  const isPublic = new RegExp(`^${prefix}/(docs(/|$)|openapi\\.)`, 'i');
  return ({ path }: Request, response: Response, next: NextFunction): void => {
    if (!isPublic.test(path)) response.setHeader('Cache-Control', 'no-store');
    next();
  };
}
