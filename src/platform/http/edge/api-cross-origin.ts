import type { Request } from 'express';
import type { HttpSettings } from '../../config/groups';

/** Answer for `enableCors` of Nest about one request. */
export interface CrossOriginAnswer {
  /** True: the origin of the request. */
  readonly origin: boolean;
  readonly methods?: string[];
  /** Undefined: those that the browser asks for. */
  readonly allowedHeaders?: string[];
  readonly exposedHeaders?: string[];
  /** In seconds. */
  readonly maxAge?: number;
}
export type CrossOriginDelegate = (
  request: Request,
  callback: (error: null, answer: CrossOriginAnswer) => void,
) => void;

/** The answer to a page that may not read it: no header at all. */
export const NOT_CROSS_ORIGIN: CrossOriginAnswer = { origin: false };

/** Time for which a browser may remember the permission, in seconds. */
export const CORS_REMEMBERED_SECONDS = 600;

/**
 * Headers that requests of the API may have. The portal's header, which makes its cookie a credential for
 * changes, is not among them.
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

/** Headers of answers that their readers need, in addition to those that every page may read. */
const EXPOSED = [
  'Content-Disposition',
  'ETag',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
];

/**
 * Paths of a browser's own sign-in, by first segment: pages, redirects and cookies, which no other page has
 * to read.
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
 * Lets pages of `CORS_ORIGINS` call the API with a bearer token (Fetch standard, "CORS
 * protocol"). Origins are compared exactly. Credentials of the browser are never allowed, so
 * it shows no answer to a request with the portal's cookie, and the cookie is no credential in
 * a request from another origin anyway (`requireOwnPage`).
 */
export function apiCrossOrigin({ apiPrefix, corsOrigins }: HttpSettings): CrossOriginDelegate {
  const allowed = new Set(corsOrigins);
  const root = `${apiPrefix.toLowerCase()}/`;
  return (request, callback) => {
    const path = request.path.toLowerCase();
    if (allowed.size === 0 || !path.startsWith(root)) return callback(null, NOT_CROSS_ORIGIN);
    const [area = ''] = path.slice(root.length).split('/', 1);
    if (OWN_PAGES.has(area)) return callback(null, NOT_CROSS_ORIGIN);
    // An answer without the headers must not be given to another origin by a cache.
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
