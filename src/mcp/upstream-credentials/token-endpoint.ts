import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { SignJWT } from 'jose';
import * as oidc from 'openid-client';
import { HttpSettings, McpSettings } from '../../platform/config/groups';
import { Clock } from '../../kernel/async/clock';
import type { Principal } from '../../kernel/principal';
import { PublishedKeys } from '../../platform/keys/published-keys';
import type { TokenPlan } from './oauth/auth-of-secret';
import { AuthorizationServers } from './oauth/authorization-servers';
import type { IssuedToken } from './oauth/issued-token';
import { TOKEN_TYPES, clientConfiguration, issuedToken } from './oauth/oauth-client';
import { credentialFault, describedFault } from './oauth/oauth-faults';

const TOKEN_EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ASSERTION_SECONDS = 60;
/** Lifetime of tokens without `expires_in`. */
const DEFAULT_LIFE_SECONDS = 300;
/**
 * Requests access tokens from token endpoints. The subject token is always an assertion that the gateway
 * signs (RFC 7519) with the key that `GET /evidence-keys` publishes. So the caller's own credential is never
 * sent to another server.
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
      return issuedToken(answer, this.clock.now(), DEFAULT_LIFE_SECONDS);
    } catch (error) {
      this.log.warn({ err: describedFault(error) }, 'A token for an MCP server could not be obtained');
      throw credentialFault(error);
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
    const config = clientConfiguration(metadata, { id: clientId, secret: clientSecret }, first, allowedHosts);
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
}
