import type { Request } from 'express';
import type { HttpSettings, McpSettings } from '../../config/groups';
import { isAllowedOrigin } from './origins';

/** How long a browser may remember what it was allowed, in seconds. */
const REMEMBERED_SECONDS = 600;

/** Headers of answers that clients in a page need, beside those that every page may read. */
const EXPOSED = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id'];

/** What `enableCors` of Nest takes for one request. */
interface CrossOriginAnswer {
  /** True: the origin of the request. */
  readonly origin: boolean;
  readonly methods?: string[];
  readonly exposedHeaders?: string[];
  /** In seconds. */
  readonly maxAge?: number;
}
type CrossOriginDelegate = (
  request: Request,
  callback: (error: null, answer: CrossOriginAnswer) => void,
) => void;

const NONE: CrossOriginAnswer = { origin: false };

/**
 * Lets pages of `MCP_ALLOWED_ORIGINS` read what MCP clients need: the MCP endpoints, the metadata, and the endpoints of the authorization
 * server that clients call themselves (Fetch standard, "HTTP-response"; MCP inspectors are such pages). All else, and the API, stays
 * closed to pages of other origins. No cookie is ever part of it.
 */
export function crossOrigin(http: HttpSettings, mcp: McpSettings): CrossOriginDelegate {
  const methodsOf = methodsBelow(http.apiPrefix);
  return (request, callback) => {
    const methods = methodsOf(request.path.toLowerCase());
    if (methods === undefined) return callback(null, NONE);
    // An answer without the headers must not be given to another origin by a cache.
    request.res?.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowedOrigin(origin, http.apiUrl, mcp.allowedOrigins))
      return callback(null, NONE);
    callback(null, {
      origin: true,
      methods,
      // Requests may have any header that a tool names (`Mcp-Param-*`), so the browser is allowed what it asks for.
      exposedHeaders: EXPOSED,
      maxAge: REMEMBERED_SECONDS,
    });
  };
}

/** By path, in lower case. */
function methodsBelow(prefix: string): (path: string) => string[] | undefined {
  const root = `${prefix.toLowerCase()}/mcp`;
  const posted = new Set(
    ['token', 'register', 'revoke'].map((name) => `${prefix.toLowerCase()}/oauth/${name}`),
  );
  return (path) => {
    if (path === root || path.startsWith(`${root}/`)) return ['GET', 'POST', 'DELETE'];
    if (/^\/\.well-known\/oauth-(protected-resource|authorization-server)(\/|$)/.test(path))
      return ['GET', 'HEAD'];
    return posted.has(path) ? ['POST'] : undefined;
  };
}
