import type { HttpSettings, McpSettings } from '../../../platform/config/groups';
import {
  CORS_REMEMBERED_SECONDS,
  type CrossOriginDelegate,
  NOT_CROSS_ORIGIN,
} from '../../../platform/http/edge/api-cross-origin';
import { isAllowedOrigin } from './origins';

/** Response headers that clients in a web page need, besides the headers that every page may read. */
const EXPOSED = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id'];

/**
 * Lets web pages of `MCP_ALLOWED_ORIGINS`, such as MCP inspectors, read what MCP clients need: the MCP
 * endpoints, the metadata, and the endpoints of the authorization server that clients call themselves (Fetch
 * standard, "HTTP-response"). Cookies are never allowed.
 * @param others middleware that handles the requests to all other paths
 */
export function crossOrigin(
  http: HttpSettings,
  mcp: McpSettings,
  others: CrossOriginDelegate,
): CrossOriginDelegate {
  const methodsOf = methodsBelow(http.apiPrefix);
  return (request, callback) => {
    const methods = methodsOf(request.path.toLowerCase());
    if (methods === undefined) return others(request, callback);
    // A cache must not give a response without CORS headers to another origin.
    request.res?.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowedOrigin(origin, http.apiUrl, mcp.allowedOrigins))
      return callback(null, NOT_CROSS_ORIGIN);
    callback(null, {
      origin: true,
      methods,
      // Without `allowedHeaders`, the browser may send every header that it requests. Tools can define any
      // header (`Mcp-Param-*`).
      exposedHeaders: EXPOSED,
      maxAge: CORS_REMEMBERED_SECONDS,
    });
  };
}

/**
 * Returns a function that maps a lower-case path to its allowed methods; to undefined for paths without CORS.
 */
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
