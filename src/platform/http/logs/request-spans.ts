import type { IncomingHttpHeaders } from 'node:http';
import type { NextFunction, Request, Response } from 'express';
import { type OpenSpan, runIn } from '../../../kernel/runtime/spans';
import { AREAS } from '../../metrics/tables/http-metrics';
import { isProbe } from './probes';
import { isWholeAnswer } from './whole-answer';

/** Begins spans of requests. */
export interface RequestSpans {
  begin(headers: IncomingHttpHeaders, name: string): OpenSpan;
}

const METHODS = new Set(['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']);

/**
 * Opens a span for each request and runs the later middleware and the route in it. The name follows the
 * semantic conventions for HTTP. Paths, queries and addresses are left out of the attributes.
 *
 * @param prefix of the API
 */
export function traceRequests(
  spans: RequestSpans,
  prefix: string,
): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    // Probes are frequent, and their spans have no useful information.
    if (isProbe(request.path, prefix)) return next();
    const method = METHODS.has(request.method) ? request.method : 'HTTP';
    const span = spans.begin(request.headers, method);
    if (span.isRecorded)
      response.once('close', () => {
        const route = routeOf(request, prefix);
        if (route !== undefined) span.rename(`${method} ${route}`);
        const { statusCode } = response;
        span.note({
          'http.request.method': method === 'HTTP' ? '_OTHER' : method,
          'url.scheme': request.protocol,
          'network.protocol.version': request.httpVersion,
          'http.response.status_code': statusCode,
          'gateway.request.id': String(response.getHeader('x-request-id') ?? ''),
          ...(route === undefined ? {} : { 'http.route': route }),
        });
        if (!isWholeAnswer(response)) span.end('aborted');
        else span.end(statusCode >= 500 ? String(statusCode) : undefined);
      });
    runIn(span, next);
  };
}

/**
 * Returns the template of the route. Answers of MCP and answers from memory are sent before the router
 * runs, so their template is derived from the path, if it is a known one.
 */
function routeOf(
  { route, originalUrl }: { route?: unknown; originalUrl: string },
  prefix: string,
): string | undefined {
  const { path: known } = (route ?? {}) as { path?: unknown };
  if (typeof known === 'string') return known;
  const path = originalUrl.split('?', 1)[0] ?? '';
  if (!path.startsWith(`${prefix}/`)) return undefined;
  const [first = '', second, ...others] = path.slice(prefix.length + 1).split('/');
  if (others.length > 0 || !AREA_NAMES.has(first)) return undefined;
  if (second === undefined) return `${prefix}/${first}`;
  if (first === 'mcp') return `${prefix}/mcp/:connection`;
  return first === 'sessions' ? `${prefix}/sessions/:id` : undefined;
}

const AREA_NAMES: ReadonlySet<string> = new Set(AREAS);
