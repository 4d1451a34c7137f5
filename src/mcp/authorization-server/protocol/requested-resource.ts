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

/** Caches the origins for each settings object, because every request of an MCP client needs them. */
const known = new WeakMap<Address, OwnOrigins>();

export function ownOrigins(address: Address): OwnOrigins {
  const { http, mcp } = address;
  const origins =
    known.get(address) ?? new OwnOrigins({ apiUrl: http.apiUrl, port: http.port, ownHosts: mcp.ownHosts });
  known.set(address, origins);
  return origins;
}

/** Returns the resource with this URL; undefined if the gateway issues no tokens for it. */
export function aimOf(address: Address, resource: string): Aim | undefined {
  const { apiUrl, apiPrefix } = address.http;
  const isApi = resource === apiResource(apiUrl, apiPrefix);
  const origins = ownOrigins(address);
  return isApi ? null : connectionOfResource(apiUrl, apiPrefix, resource, (url) => origins.has(url));
}

/**
 * Returns the resource with this URL. The command line may use only the REST API; other clients may use only
 * MCP endpoints.
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
