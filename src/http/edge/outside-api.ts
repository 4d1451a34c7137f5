import type { NextFunction, Request, Response } from 'express';
import { AppError } from '../../kernel/app-error';
import { EdgeFault } from './edge-fault';

/** Answers what lies outside the API: the root leads to the documentation, all else is nothing. */
export function answerOutsideApi(prefix: string) {
  const api = prefix.toLowerCase();
  return ({ method, path }: Request, response: Response, next: NextFunction): void => {
    const asked = path.toLowerCase();
    if (asked === api || asked.startsWith(`${api}/`)) return next();
    if (path !== '/') return next(new AppError('not_found', 'no such route'));
    if (method !== 'GET' && method !== 'HEAD')
      return next(new EdgeFault(405, `the route takes GET, HEAD, not ${method}`, { Allow: 'GET, HEAD' }));
    // Relative: the gateway may lie below a path of the proxy before it.
    response.redirect(302, `.${prefix}/docs`);
  };
}
