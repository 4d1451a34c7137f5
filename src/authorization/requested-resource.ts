import type { HttpSettings } from '../config/groups';
import { apiResource, connectionOfResource } from '../kernel/mcp-resource';
import { COMMAND_LINE } from './command-line';
import { OAuthFault } from './oauth-fault';

/** What a token is for: the connection of an MCP endpoint, or with null the REST API. */
export type Aim = string | null;

type Address = Pick<HttpSettings, 'apiUrl' | 'apiPrefix'>;

/** undefined: the URL is none of this gateway for which tokens are issued. */
export function aimOf({ apiUrl, apiPrefix }: Address, resource: string): Aim | undefined {
  const isApi = resource === apiResource(apiUrl, apiPrefix);
  return isApi ? null : connectionOfResource(apiUrl, apiPrefix, resource);
}

/** The command line is for the REST API, and all others are for MCP endpoints. @throws OAuthFault `invalid_target` */
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
