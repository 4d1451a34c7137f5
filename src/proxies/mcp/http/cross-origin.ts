import type { HttpSettings, McpSettings } from '../../../platform/config/groups';
import {
  CORS_REMEMBERED_SECONDS,
  type CrossOriginDelegate,
  NOT_CROSS_ORIGIN,
} from '../../../platform/http/edge/api-cross-origin';
import { isAllowedOrigin } from './origins';

/** Headers of answers that clients in a page need, beside those that every page may read. */
const EXPOSED = ['Mcp-Session-Id', 'MCP-Protocol-Version', 'WWW-Authenticate', 'Retry-After', 'X-Request-Id'];

/**
 * Lets pages of `MCP_ALLOWED_ORIGINS` read what MCP clients need: the MCP endpoints, the metadata, and the
 * endpoints of the authorization server that clients call themselves (Fetch standard, "HTTP-response"; MCP
 * inspectors are such pages). No cookie is ever part of it.
 * @param others handles all other paths
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
    // An answer without the headers must not be given to another origin by a cache.
    request.res?.vary('Origin');
    const { origin } = request.headers;
    if (origin === undefined || !isAllowedOrigin(origin, http.apiUrl, mcp.allowedOrigins))
      return callback(null, NOT_CROSS_ORIGIN);
    callback(null, {
      origin: true,
      methods,
      // Requests may have any header that a tool names (`Mcp-Param-*`), so the
      // browser is allowed what it asks for.
      exposedHeaders: EXPOSED,
      maxAge: CORS_REMEMBERED_SECONDS,
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
