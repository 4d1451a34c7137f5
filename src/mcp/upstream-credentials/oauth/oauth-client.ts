import * as oidc from 'openid-client';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';
import { checkedFetch, isPlainAllowed } from '../../../platform/outbound/checked-fetch';
import { clientSecretBasic } from './client-secret-basic';
import type { IssuedToken } from './issued-token';

export const TOKEN_TYPES = {
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  access: 'urn:ietf:params:oauth:token-type:access_token',
} as const;
/** Time before expiry at which a token is renewed; at most a tenth of the token's lifetime. */
const AHEAD_MS = 30_000;
/**
 * Matches tokens that can be sent in a header. Accepts more characters than RFC 6750, section 2.1, because
 * some servers issue such tokens.
 */
const HEADER_SAFE = /^[\x21-\x7e]{1,16384}$/;

/** The gateway as a client of an authorization server. Without a secret it is a public client. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string | undefined;
  /** Registered authentication method; undefined to select it by the metadata of the authorization server. */
  readonly method?: ClientAuthMethod | undefined;
}

/**
 * Authentication methods of clients, the preferred method first. Every server must support HTTP Basic (RFC
 * 6749, section 2.3.1).
 */
const METHODS = ['client_secret_basic', 'client_secret_post', 'none'] as const;
type ClientAuthMethod = (typeof METHODS)[number];

/**
 * Returns the method by which a client authenticates at the authorization server. Metadata without methods
 * mean Basic (RFC 8414, section 2).
 */
export function clientAuthMethod({
  token_endpoint_auth_methods_supported: supported,
}: Pick<oidc.ServerMetadata, 'token_endpoint_auth_methods_supported'>): ClientAuthMethod {
  return METHODS.find((method) => supported?.includes(method)) ?? 'client_secret_basic';
}

/** Returns undefined for a method that the gateway does not support. */
export function knownAuthMethod(method: unknown): ClientAuthMethod | undefined {
  return METHODS.find((known) => known === method);
}

/**
 * @param first URL that is known to belong to the authorization server: its issuer or token endpoint.
 * Requests without TLS are allowed only if they are allowed for this URL.
 */
export function clientConfiguration(
  metadata: oidc.ServerMetadata,
  { id, secret, method = clientAuthMethod(metadata) }: OAuthClient,
  first: URL,
  allowedHosts: readonly string[],
): oidc.Configuration {
  const auth = secret === undefined ? oidc.None() : clientAuth(method, secret);
  const config = new oidc.Configuration(metadata, id, undefined, auth);
  config[oidc.customFetch] = checkedFetch(allowedHosts);
  if (isPlainAllowed(first, allowedHosts)) oidc.allowInsecureRequests(config);
  return config;
}

function clientAuth(method: ClientAuthMethod, secret: string): oidc.ClientAuth {
  switch (method) {
    case 'client_secret_basic':
      return clientSecretBasic(secret);
    case 'client_secret_post':
      return oidc.ClientSecretPost(secret);
    case 'none':
      return oidc.None();
  }
}

/**
 * Returns the checked token of a response.
 * @param defaultSeconds lifetime of the token if the response has none
 * @throws CredentialFault
 */
export function issuedToken(
  answer: oidc.TokenEndpointResponse,
  obtainedAt: number,
  defaultSeconds: number,
): IssuedToken {
  const { access_token: accessToken, token_type: type, issued_token_type: issued } = answer;
  if (type !== 'bearer' || !HEADER_SAFE.test(accessToken))
    throw new CredentialFault('needs_reauth', 'The token endpoint issued no bearer token that can be sent.');
  if (issued !== undefined && issued !== TOKEN_TYPES.access && issued !== TOKEN_TYPES.jwt)
    throw new CredentialFault(
      'needs_reauth',
      'The token endpoint issued another kind of token than asked for.',
    );
  const { expires_in: seconds = defaultSeconds } = answer;
  const life = Math.max(seconds, 0) * 1000;
  return { accessToken, obtainedAt, renewAt: obtainedAt + life - Math.min(AHEAD_MS, life / 10) };
}
