import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { HttpSettings, McpSettings } from '../config/groups';
import { CredentialFault } from '../gate/ports/upstream-credentials';
import { Clock } from '../kernel/clock';
import type { Principal } from '../kernel/principal';
import { PublishedKeys } from '../keys/published-keys';
import { checkedFetch, isPlainAllowed } from '../outbound/checked-fetch';
import type { TokenPlan } from './auth-of-secret';
import { AuthorizationServers } from './authorization-servers';
import { clientSecretBasic } from './client-secret-basic';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const TOKEN_TYPES = {
  jwt: 'urn:ietf:params:oauth:token-type:jwt',
  access: 'urn:ietf:params:oauth:token-type:access_token',
} as const;
const ASSERTION_SECONDS = 60;
/** Lifetime of tokens without `expires_in`. */
const DEFAULT_LIFE_SECONDS = 300;
/** A token is renewed before its end by this, or by a tenth of its life if that is less. */
const AHEAD_MS = 30_000;
/** Characters of a token that a header may contain (RFC 6750, section 2.1, and less strict servers). */
const HEADER_SAFE = /^[\x21-\x7e]{1,16384}$/;

export interface IssuedToken {
  readonly accessToken: string;
  /** In milliseconds since the epoch, by the clock of this gateway. */
  readonly obtainedAt: number;
  readonly renewAt: number;
}

/**
 * Asks token endpoints for access tokens. The subject token is always an assertion that the gateway signs (RFC 7519)
 * with the key that `GET /evidence-keys` publishes: the credential of a caller is sent to no other server.
 */
@Injectable()
export class TokenEndpoint {
  private readonly log = new Logger(TokenEndpoint.name);

  constructor(
    private readonly http: HttpSettings,
    private readonly mcp: McpSettings,
    private readonly keys: PublishedKeys,
    private readonly clock: Clock,
    private readonly servers: AuthorizationServers,
  ) {}

  /** @throws CredentialFault */
  async obtain(plan: TokenPlan, principal: Principal): Promise<IssuedToken> {
    try {
      const { config, parameters, url } = await this.endpointOf(plan);
      const answer =
        plan.subject === 'shared'
          ? await oidc.clientCredentialsGrant(config, parameters)
          : await oidc.genericGrantRequest(config, TOKEN_EXCHANGE, {
              ...parameters,
              subject_token: await this.assertion(url, principal),
              subject_token_type: TOKEN_TYPES.jwt,
              requested_token_type: TOKEN_TYPES.access,
            });
      return this.checked(answer);
    } catch (error) {
      this.log.warn({ err: described(error) }, 'A token for an MCP server could not be obtained');
      throw faultOf(error);
    }
  }

  private async endpointOf({ from, clientId, clientSecret, parameters }: TokenPlan): Promise<{
    readonly config: oidc.Configuration;
    readonly parameters: Record<string, string>;
    readonly url: string;
  }> {
    const { allowedHosts } = this.mcp;
    const found = from.kind === 'issuer' ? await this.servers.find(from.server, from.issuer) : undefined;
    const [first, url] =
      from.kind === 'issuer'
        ? [from.issuer, found?.metadata.token_endpoint ?? '']
        : [from.url, from.url.href];
    const metadata = found?.metadata ?? { issuer: first.origin, token_endpoint: url };
    const config = new oidc.Configuration(metadata, clientId, undefined, clientAuth(metadata, clientSecret));
    config[oidc.customFetch] = checkedFetch(allowedHosts);
    if (isPlainAllowed(first, allowedHosts)) oidc.allowInsecureRequests(config);
    const resource = found === undefined ? {} : { resource: found.resource };
    return { config, url, parameters: { ...resource, ...parameters } };
  }

  private assertion(audience: string, principal: Principal): Promise<string> {
    const { id, key } = this.keys.current;
    const now = Math.floor(this.clock.now() / 1000);
    const { identityType, subject, email, name } = principal;
    return new SignJWT({ identity_type: identityType, email, name })
      .setProtectedHeader({ alg: 'EdDSA', kid: id, typ: 'JWT' })
      .setIssuer(`${this.http.apiUrl}${this.http.apiPrefix}`)
      .setSubject(subject)
      .setAudience(audience)
      .setJti(randomUUID())
      .setIssuedAt(now)
      .setExpirationTime(now + ASSERTION_SECONDS)
      .sign(key);
  }

  private checked(answer: oidc.TokenEndpointResponse): IssuedToken {
    const { access_token: accessToken, token_type: type, issued_token_type: issued } = answer;
    if (type !== 'bearer' || !HEADER_SAFE.test(accessToken))
      throw new CredentialFault(
        'needs_reauth',
        'The token endpoint issued no bearer token that can be sent.',
      );
    if (issued !== undefined && issued !== TOKEN_TYPES.access && issued !== TOKEN_TYPES.jwt)
      throw new CredentialFault(
        'needs_reauth',
        'The token endpoint issued another kind of token than asked for.',
      );
    const { expires_in: seconds = DEFAULT_LIFE_SECONDS } = answer;
    const obtainedAt = this.clock.now();
    const life = Math.max(seconds, 0) * 1000;
    return { accessToken, obtainedAt, renewAt: obtainedAt + life - Math.min(AHEAD_MS, life / 10) };
  }
}

/** HTTP Basic, which every server must support (RFC 6749, section 2.3.1), unless its metadata say that it takes the form alone. */
function clientAuth(metadata: oidc.ServerMetadata, secret: string): oidc.ClientAuth {
  const methods = metadata.token_endpoint_auth_methods_supported;
  const isFormOnly =
    methods?.includes('client_secret_post') === true && !methods.includes('client_secret_basic');
  return isFormOnly ? oidc.ClientSecretPost(secret) : clientSecretBasic(secret);
}

/** An error answer of the endpoint is its decision; any other failure may be temporary. */
function faultOf(error: unknown): CredentialFault {
  if (error instanceof CredentialFault) return error;
  const code = oauthErrorOf(error);
  if (code !== undefined)
    return new CredentialFault(
      'needs_reauth',
      `The gateway gets no token for this MCP server: its token endpoint answered ${code}. An admin has to check the connection.`,
    );
  return new CredentialFault(
    'unreachable',
    'The gateway gets no token for this MCP server: its authorization server or token endpoint could not be reached, or its answer is not valid.',
  );
}

/** Codes of RFC 6749, section 5.2, and of its extensions; anything else that the server wrote is left out. */
function oauthErrorOf(error: unknown): string | undefined {
  if (!(error instanceof oidc.ResponseBodyError) || error.status >= 500) return undefined;
  return /^[a-z_]{1,40}$/.test(error.error) ? error.error : 'with an error';
}

/** Answers of the endpoint may repeat what was sent to it: they are not logged. */
function described(error: unknown): { readonly type: string; readonly code: string | undefined } {
  const type = error instanceof Error ? error.name : typeof error;
  return { type, code: oauthErrorOf(error) ?? (error as { code?: string }).code };
}
