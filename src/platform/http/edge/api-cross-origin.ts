import type { Request } from 'express';
import type { HttpSettings } from '../../config/groups';

/** CORS options for one request, for `enableCors` of Nest. */
export interface CrossOriginAnswer {
  /** Whether the origin of the request is allowed. */
  readonly origin: boolean;
  readonly methods?: string[];
  /** undefined allows the headers that the browser requests. */
  readonly allowedHeaders?: string[];
  readonly exposedHeaders?: string[];
  /** Time for which a browser may remember the permission, in seconds. */
  readonly maxAge?: number;
}
export type CrossOriginDelegate = (
  request: Request,
  callback: (error: null, answer: CrossOriginAnswer) => void,
) => void;

/** CORS options for a page that must not read the answer: no CORS header is sent. */
export const NOT_CROSS_ORIGIN: CrossOriginAnswer = { origin: false };

/** Time for which a browser may remember the permission, in seconds. */
export const CORS_REMEMBERED_SECONDS = 600;

/**
 * Request headers that pages of other origins may send. The portal's header is not among them, because a
 * request with this header may use the portal's cookie as its credential for changes.
 */
const ALLOWED = [
  'Accept',
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Range',
  'Traceparent',
  'Tracestate',
  'X-Request-Id',
];

/** Answer headers that pages may read, in addition to the headers that browsers always let pages read. */
const EXPOSED = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * First path segments of pages, redirects and cookies for the sign-in in a browser. Pages of other origins
 * do not need to read their answers.
 */
const OWN_PAGES: ReadonlySet<string> = new Set([
  'callback',
  'connect',
  'docs',
  'login',
  'oauth',
  'pages',
  'portal-session',
]);

/**
 * Lets pages of `CORS_ORIGINS` call the API with a bearer token (Fetch standard, "CORS protocol"). Origins
 * are compared exactly. Credentials of the browser are never allowed, so a page cannot read the answer to a
 * request with the portal's cookie. That cookie is no credential in a request from another origin anyway
 * (`requireOwnPage`).
 */
export function apiCrossOrigin({ apiPrefix, corsOrigins }: HttpSettings): CrossOriginDelegate {
  const allowed = new Set(corsOrigins);
  const root = `${apiPrefix.toLowerCase()}/`;
  return (request, callback) => {
    const path = request.path.toLowerCase();
    if (allowed.size === 0 || !path.startsWith(root)) return callback(null, NOT_CROSS_ORIGIN);
    const [area = ''] = path.slice(root.length).split('/', 1);
    if (OWN_PAGES.has(area)) return callback(null, NOT_CROSS_ORIGIN);
    // A cache must not give an answer without CORS headers to another origin.
    request.res?.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !allowed.has(origin)) return callback(null, NOT_CROSS_ORIGIN);
    callback(null, {
      origin: true,
      methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      allowedHeaders: ALLOWED,
      exposedHeaders: EXPOSED,
      maxAge: CORS_REMEMBERED_SECONDS,
    });
  };
}
