import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../../../kernel/app-error';
import { EdgeFault } from './edge-fault';

/** Answers requests outside the API: the root redirects to the documentation, everything else is 404. */
export function answerOutsideApi(prefix: string) {
  const api = prefix.toLowerCase();
  return ({ method, path }: Request, response: Response, next: NextFunction): void => {
    const asked = path.toLowerCase();
    if (asked === api || asked.startsWith(`${api}/`)) return next();
    if (path !== '/') return next(new AppError('not_found', 'no such route'));
    if (method !== 'GET' && method !== 'HEAD')
      return next(new EdgeFault(405, `this route supports GET, HEAD, not ${method}`, { Allow: 'GET, HEAD' }));
    // A relative redirect, because a proxy may serve the gateway below a path.
    response.redirect(302, `.${prefix}/docs`);
  };
}
