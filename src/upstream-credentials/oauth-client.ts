import * as oidc from 'openid-client';
import { CredentialFault } from '../gate/ports/upstream-credentials';
import { checkedFetch, isPlainAllowed } from '../outbound/checked-fetch';
import { clientSecretBasic } from './client-secret-basic';
import type { IssuedToken } from './issued-token';

export const TOKEN_TYPES = {
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  access: 'urn:ietf:params:oauth:token-type:access_token',
} as const;
/** A token is renewed before its end by this, or by a tenth of its life if that is less. */
const AHEAD_MS = 30_000;
/** What a header may have as a token (RFC 6750, section 2.1, and those who are less strict). */
const HEADER_SAFE = /^[\x21-\x7e]{1,16384}$/;

/** The gateway at an authorization server. Without a secret it is a public client. */
export interface OAuthClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

/** @param first the address that is known to belong to the authorization server: without TLS only if that one may be. */
export function clientConfiguration(
  metadata: oidc.ServerMetadata,
  { id, secret }: OAuthClient,
  first: URL,
  allowedHosts: readonly string[],
): oidc.Configuration {
  const auth = secret === undefined ? oidc.None() : clientAuth(metadata, secret);
  const config = new oidc.Configuration(metadata, id, undefined, auth);
  config[oidc.customFetch] = checkedFetch(allowedHosts);
  if (isPlainAllowed(first, allowedHosts)) oidc.allowInsecureRequests(config);
  return config;
}

/** HTTP Basic, which every server must support (RFC 6749, section 2.3.1), unless its metadata say that it takes the form alone. */
function clientAuth(metadata: oidc.ServerMetadata, secret: string): oidc.ClientAuth {
  return takesFormOnly(metadata) ? oidc.ClientSecretPost(secret) : clientSecretBasic(secret);
}

export function takesFormOnly(metadata: oidc.ServerMetadata): boolean {
  const methods = metadata.token_endpoint_auth_methods_supported;
  return methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
}

/**
 * The token of an answer, checked.
 * @param defaultSeconds its life where the answer does not say
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
