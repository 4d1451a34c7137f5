import type { HttpSettings, McpSettings } from '../../../platform/config/groups';
import { apiResource, connectionOfResource } from '../../../platform/addresses/mcp-resource';
import { OwnOrigins } from '../../../platform/addresses/own-origins';
import { COMMAND_LINE } from './command-line';
import { OAuthFault } from './oauth-fault';

/** Resource that a token is for: the connection of an MCP endpoint, or null for the REST API. */
export type Aim = string | null;

/** The settings that contain this gateway's addresses. */
export interface Address {
  readonly http: Pick<HttpSettings, 'apiUrl' | 'apiPrefix' | 'port'>;
  readonly mcp: Pick<McpSettings, 'ownHosts'>;
}

/** Cached origins by settings. Settings never change, and each request of an MCP client needs the origins. */
const known = new WeakMap<Address, OwnOrigins>();

export function ownOrigins(address: Address): OwnOrigins {
  const { http, mcp } = address;
  const origins =
    known.get(address) ?? new OwnOrigins({ apiUrl: http.apiUrl, port: http.port, ownHosts: mcp.ownHosts });
  known.set(address, origins);
  return origins;
}

/** Returns undefined if the gateway issues no tokens for this URL. */
export function aimOf(address: Address, resource: string): Aim | undefined {
  const { apiUrl, apiPrefix } = address.http;
  const isApi = resource === apiResource(apiUrl, apiPrefix);
  const origins = ownOrigins(address);
  return isApi ? null : connectionOfResource(apiUrl, apiPrefix, resource, (url) => origins.has(url));
}

/**
 * Accepts only the REST API for the command line, and only MCP endpoints for other clients.
 * @throws OAuthFault `invalid_target`
 */
export function requireAimOf(clientId: string, address: Address, resource: string): Aim {
  const aim = aimOf(address, resource);
  const isCommandLine = clientId === COMMAND_LINE.id;
  if (aim !== undefined && (aim === null) === isCommandLine) return aim;
  throw new OAuthFault(
    'invalid_target',
    isCommandLine
      ? 'resource must be the REST API of this gateway'
      : 'resource must be an MCP endpoint of this gateway',
  );
}
