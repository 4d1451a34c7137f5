import type { NextFunction, Request, RequestHandler, Response } from 'express';
import type { Principal } from '../../../kernel/principal';
import { type AuthenticatedRequest, type Policy, satisfies } from '../routes/access';
import { isPlainGet } from '../ready/plain-get';
import type { Identify } from '../ready/serve-ready';
import { markLines } from '../logs/request-log';

/**
 * A GET route that is requested so often that its requests should bypass the router, guards, pipes and
 * interceptors.
 */
export interface DirectRoute {
  /** Matches paths below the prefix of the API. Its first group is `argument`. */
  readonly path: RegExp;
  /** Policy of the route's `@Requires`. */
  readonly policy: Policy;
  /** Query strings that are answered directly, without `?`. The router checks all others. */
  readonly queries: ReadonlySet<string>;
  /** Answers a request. @throws AppError like the handler of the route */
  answer(actor: Principal, argument: string, query: string, response: Response): Promise<void>;
}

/**
 * Answers plain GET requests of one route in place of the router. If a request has a condition, a range, a
 * body or another query, or if it is refused, it continues to the router. Must run after the middleware that
 * sets headers and compresses.
 */
export function serveDirectly(prefix: string, identify: Identify, route: DirectRoute): RequestHandler {
  return (request: Request, response: Response, next: NextFunction): void => {
    const { originalUrl } = request;
    if (!originalUrl.startsWith(`${prefix}/`) || !isPlainGet(request)) return next();
    const start = originalUrl.indexOf('?');
    const query = start === -1 ? '' : originalUrl.slice(start + 1);
    const path = originalUrl.slice(prefix.length, start === -1 ? undefined : start);
    const argument = route.queries.has(query) ? route.path.exec(path)?.[1] : undefined;
    if (argument === undefined) return next();
    const known = request as Partial<AuthenticatedRequest>;
    known.identity ??= identify(request);
    void known.identity.then(
      (actor) => {
        if (!satisfies(actor.role, route.policy)) return next();
        known.principal = actor;
        return (
          route
            .answer(actor, argument, query, response)
            // The log line about a fault must name the request.
            .catch((error: unknown) => markLines(request, response, () => next(error)))
        );
      },
      () => next(),
    );
  };
}
