import { Injectable } from '@nestjs/common';
import * as oidc from 'openid-client';
import { McpSettings } from '../../../platform/config/groups';
import { CredentialFault } from '../../../gate/ports/upstream-credentials';
import { joinedScope } from '../../../targets/mcp/protocol/bearer-challenge';
import { Clock } from '../../../kernel/async/clock';
import { isPlainAllowed } from '../../../platform/outbound/checked-fetch';
import type { SignInPlan } from '../oauth/auth-of-secret';
import { AuthorizationServers, type FoundAuthorizationServer } from '../oauth/authorization-servers';
import type { IssuedToken, Renewal } from '../oauth/issued-token';
import { type OAuthClient, clientConfiguration, issuedToken } from '../oauth/oauth-client';
import { UpstreamClients } from './upstream-clients';

const DAY_MS = 86_400_000;
/** Assumed lifetime of a token without `expires_in`: it is used until the server refuses it. */
const UNTOLD_LIFE_SECONDS = 365 * 86_400;
/** Days for which a renewable token is kept after its last renewal. */
const KEPT_DAYS = 400;
const OFFLINE = 'offline_access';

/** Data of a sign-in that has started, stored until it ends; see `BrowserVisits`. */
export interface BegunSignIn {
  readonly state: string;
  readonly verifier: string;
  readonly issuer: string;
  readonly client: OAuthClient;
  readonly resource: string;
  readonly scope: string | undefined;
  /** `binding` of the `SignInPlan` when the sign-in started. */
  readonly binding: string;
}

/** Gets tokens by the authorization code grant (RFC 6749, section 4.1) with PKCE. Renews and revokes them. */
@Injectable()
export class SignInGrants {
  constructor(
    private readonly mcp: McpSettings,
    private readonly servers: AuthorizationServers,
    private readonly clients: UpstreamClients,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the authorization server where people sign in.
   * @throws CredentialFault, and errors of the network
   */
  async serverOf(
    { server, issuer }: Pick<SignInPlan, 'server' | 'issuer'>,
    asOf: 'now' | 'lately' = 'lately',
  ): Promise<FoundAuthorizationServer> {
    const found = await this.servers.find(server, issuer, asOf);
    const { authorization_endpoint: endpoint, code_challenge_methods_supported: methods } = found.metadata;
    if (!Array.isArray(methods) || !methods.includes('S256'))
      throw new CredentialFault(
        'needs_reauth',
        'The authorization server does not say that it supports PKCE with S256, so the gateway sends nobody there.',
      );
    if (endpoint === undefined || !this.isPage(endpoint))
      throw new CredentialFault('needs_reauth', 'The authorization server has no page where people sign in.');
    return found;
  }

  /**
   * Starts a sign-in.
   * @param more scopes to request in addition to the scopes of the connection or the server.
   * @returns the URL to which the browser goes, and the data to store.
   * @throws CredentialFault, and errors of the network
   */
  async begin(
    orgId: string,
    plan: SignInPlan,
    more: string | undefined,
  ): Promise<{ readonly url: URL; readonly begun: BegunSignIn }> {
    const { metadata, resource, scope: wanted } = await this.serverOf(plan);
    const client = await this.clients.of(orgId, plan, metadata);
    // Without this scope, some servers issue no refresh token (MCP 2026-07-28, "Refresh Tokens").
    const offline = metadata.scopes_supported?.includes(OFFLINE) === true ? OFFLINE : undefined;
    const scope = joinedScope(plan.scope ?? wanted, more, offline);
    const begun: BegunSignIn = {
      state: oidc.randomState(),
      verifier: oidc.randomPKCECodeVerifier(),
      issuer: metadata.issuer,
      client,
      resource,
      scope,
      binding: plan.binding,
    };
    const url = oidc.buildAuthorizationUrl(this.configuration(metadata, client), {
      response_type: 'code',
      redirect_uri: this.clients.redirectUri(metadata.issuer),
      state: begun.state,
      code_challenge: await oidc.calculatePKCECodeChallenge(begun.verifier),
      code_challenge_method: 'S256',
      resource,
      ...(scope === undefined ? {} : { scope }),
      // OpenID Connect Core, section 11: the scope `offline_access` requires consent.
      ...(offline === undefined ? {} : { prompt: 'consent' }),
    });
    return { url, begun };
  }

  /**
   * Exchanges the code with which the browser returned. Checks the parameter `iss` (RFC 9207) if it is
   * present. If the metadata of the server announce `iss`, it must be present.
   * @throws errors of openid-client and of the network, CredentialFault
   */
  async exchange(begun: BegunSignIn, query: string): Promise<IssuedToken> {
    const { issuer, client, resource } = begun;
    const config = await this.configurationOf(issuer, client);
    const back = new URL(this.clients.redirectUri(issuer));
    back.search = query;
    const answer = await oidc.authorizationCodeGrant(
      config,
      back,
      { expectedState: begun.state, pkceCodeVerifier: begun.verifier },
      { resource },
    );
    return this.token(answer, { issuer, clientId: client.id, resource }, begun.scope);
  }

  /** @throws errors of openid-client and of the network, CredentialFault */
  async refresh(
    client: OAuthClient,
    refresh: Renewal & { readonly refreshToken: string },
  ): Promise<IssuedToken> {
    const config = await this.configurationOf(refresh.issuer, client);
    const { resource, refreshToken, scope } = refresh;
    const answer = await oidc.refreshTokenGrant(config, refreshToken, { resource });
    const { issuer, clientId } = refresh;
    return this.token(answer, { issuer, clientId, resource }, scope, refreshToken);
  }

  /** Revokes the tokens at the authorization server, if the server supports revocation (RFC 7009). */
  async revoke(client: OAuthClient, { accessToken, refresh }: IssuedToken): Promise<void> {
    if (refresh === undefined) return;
    const config = await this.configurationOf(refresh.issuer, client);
    if (config.serverMetadata().revocation_endpoint === undefined) return;
    // Revokes both tokens, because a server that revokes a refresh token should revoke its access tokens too,
    // but need not (RFC 7009, section 2.1).
    if (refresh.refreshToken !== undefined)
      await oidc.tokenRevocation(config, refresh.refreshToken, { token_type_hint: 'refresh_token' });
    await oidc.tokenRevocation(config, accessToken, { token_type_hint: 'access_token' });
  }

  private token(
    answer: oidc.TokenEndpointResponse,
    from: { readonly issuer: string; readonly clientId: string; readonly resource: string },
    asked: string | undefined,
    former?: string,
  ): IssuedToken {
    const token = issuedToken(answer, this.clock.now(), UNTOLD_LIFE_SECONDS);
    // If the response has no new refresh token, the former one stays valid (RFC 6749, section 6).
    const { refresh_token: refreshToken = former, scope = asked } = answer;
    const keptFrom = refreshToken === undefined ? token.renewAt : token.obtainedAt + KEPT_DAYS * DAY_MS;
    return {
      ...token,
      keepUntil: Math.max(keptFrom, token.obtainedAt + 30 * DAY_MS),
      refresh: {
        ...from,
        ...(refreshToken === undefined ? {} : { refreshToken }),
        ...(scope === undefined ? {} : { scope }),
      },
    };
  }

  private async configurationOf(issuer: string, client: OAuthClient): Promise<oidc.Configuration> {
    return this.configuration(await this.servers.metadataOf(new URL(issuer)), client);
  }

  private configuration(metadata: oidc.ServerMetadata, client: OAuthClient): oidc.Configuration {
    return clientConfiguration(metadata, client, new URL(metadata.issuer), this.mcp.allowedHosts);
  }

  /** Whether a browser may be sent to this address. The gateway itself sends no request there. */
  private isPage(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    return url.protocol === 'https:' || isPlainAllowed(url, this.mcp.allowedHosts);
  }
}
