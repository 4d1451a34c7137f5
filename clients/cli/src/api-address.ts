import { Gateway, GatewayFault } from '@access-gateway/client';
import { CommandFault, EXIT } from './exit-codes.js';
import { agent } from './sign-in/oauth.js';

/** Address of an API. */
export interface ApiAddress {
  /** URL of the API with its prefix, such as `https://gateway.example.com/api`. */
  readonly api: string;
  /**
   * URL of the API as the gateway reports it. Differs from `api` when the client uses another address for the
   * same gateway.
   */
  readonly calledItself: string;
}

const TOKEN_ENDPOINT = '/oauth/token';

/**
 * Finds the API of a gateway: at `/api` below the URL, at the URL itself, or at the address that the gateway
 * reports, because `API_PREFIX` is configurable.
 * @throws GatewayFault when the server does not answer; CommandFault when the server is no gateway
 */
export async function findApi(url: string): Promise<ApiAddress> {
  const found = (await apiAt(`${url}/api`)) ?? (await apiAt(url)) ?? (await apiNamedAt(url));
  if (found === undefined)
    throw new CommandFault(
      `there is no gateway at ${url}; with an API_PREFIX of its own, give it, too`,
      EXIT.usage,
    );
  return found;
}

async function apiAt(api: string): Promise<ApiAddress | undefined> {
  const gateway = new Gateway({
    url: api,
    apiPrefix: '',
    headers: { 'User-Agent': agent() },
    retries: { attempts: 2 },
  });
  try {
    const { data } = await gateway.api.GET('/publicserverinfo');
    return typeof data?.api_url === 'string' ? { api, calledItself: data.api_url } : undefined;
  } catch (error) {
    // A server that is no gateway may send any answer, so these errors mean that no gateway answers here.
    const isElsewhere = !(error instanceof GatewayFault) || error.status === 404 || error.status === 405;
    if (isElsewhere) return undefined;
    throw error;
  }
}

/**
 * Finds the API through the metadata of the authorization server on the same host (RFC 8414). Ignores
 * metadata that names another host.
 */
async function apiNamedAt(url: string): Promise<ApiAddress | undefined> {
  const { origin, pathname } = new URL(url);
  const address = `${origin}/.well-known/oauth-authorization-server${pathname.replace(/\/$/, '')}`;
  const answer = await fetch(address, { redirect: 'error', headers: { 'User-Agent': agent() } }).catch(
    () => undefined,
  );
  if (answer?.ok !== true) return undefined;
  const { token_endpoint: endpoint } = (await answer.json().catch(() => ({}))) as {
    token_endpoint?: unknown;
  };
  if (
    typeof endpoint !== 'string' ||
    !endpoint.startsWith(`${origin}/`) ||
    !endpoint.endsWith(TOKEN_ENDPOINT)
  )
    return undefined;
  return apiAt(endpoint.slice(0, -TOKEN_ENDPOINT.length));
}
