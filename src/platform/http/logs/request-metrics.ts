import type { NextFunction, Request, Response } from 'express';
import { OTHER } from '../../metrics/definition/definition';
import type { Meter } from '../../metrics/meter';
import { isWebSocket, isWholeAnswer } from './whole-answer';

/**
 * Measures every request, with the first path segment below the prefix as its area. An unknown segment counts
 * as the area `other`, and a path outside the prefix as `portal`.
 *
 * @param prefix of the API
 */
export function measureRequests(
  meter: Meter,
  prefix: string,
): (request: Request, response: Response, next: NextFunction) => void {
  const requests = meter.counter('gateway_http_requests_total');
  const responses = meter.counter('gateway_http_responses_total');
  const durations = meter.distribution('gateway_http_request_duration_seconds');
  let inProgress = 0;
  meter.read('gateway_http_requests_in_progress', {}, () => inProgress);
  return (request, response, next) => {
    const startedAt = performance.now();
    const area = areaOf(request.url, prefix) as 'portal';
    const method = request.method as 'GET';
    inProgress += 1;
    response.once('close', () => {
      inProgress -= 1;
      const { statusCode } = response;
      const result = isWholeAnswer(response) ? classOf(statusCode) : 'aborted';
      requests.add({ area, method, result });
      responses.add({ status: String(statusCode) as '200' });
      if (!isStream(response) && !isWebSocket(response))
        durations.observe({ area }, (performance.now() - startedAt) / 1_000);
    });
    next();
  };
}

/**
 * Counts requests that Node.js refuses before any middleware: they have no
 * area, and their method is not known.
 */
export function countRefusals(meter: Meter): (status: number) => void {
  const requests = meter.counter('gateway_http_requests_total');
  const responses = meter.counter('gateway_http_responses_total');
  return (status) => {
    requests.add({ area: OTHER as 'portal', method: OTHER as 'GET', result: classOf(status) });
    responses.add({ status: String(status) as '200' });
  };
}

function areaOf(url: string, prefix: string): string {
  if (!url.startsWith(prefix)) return 'portal';
  const start = prefix.length + 1;
  if (url.charCodeAt(prefix.length) !== SLASH) return 'portal';
  let end = start;
  for (; end < url.length; end += 1) {
    const unit = url.charCodeAt(end);
    if (unit === SLASH || unit === QUESTION) break;
  }
  return url.slice(start, end);
}

const SLASH = 47;
const QUESTION = 63;

function classOf(status: number): '2xx' {
  return `${Math.floor(status / 100)}xx` as '2xx';
}

function isStream(response: Response): boolean {
  const type = response.getHeader('content-type');
  return typeof type === 'string' && type.startsWith('text/event-stream');
}
