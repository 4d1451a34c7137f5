import type { ClientMetadata, Configuration, KoaContextWithOIDC, ResourceServer } from 'oidc-provider';
import {
  allClaims,
  CLAIMS_OF_SCOPE,
  findBySubject,
  releasedClaims,
  SCOPES,
  type DevelopmentUsers,
} from './development-user';
import { messagePage, PAGE_HEADERS } from './html';
import type { DevelopmentKeys } from './keys';
import type { MemoryStore } from './memory-store';
import type { DevelopmentIdentityProviderOptions } from './options';
import { SIGN_IN_PATH } from './sign-in';

/** Id of the public client (RFC 6749, section 2.1) for the command line. It has no secret. */
export const COMMAND_LINE_CLIENT_ID = 'access-gateway-cli';

/** Identifies the gateway inside the provider (RFC 8707). The tokens have `options.audience` instead. */
export const RESOURCE = 'urn:access-gateway';

const SIGN_IN_SECONDS = 600;
const CODE_SECONDS = 60;
const REFRESH_SECONDS = 86_400;

/** The provider's state, besides its options. */
export interface ProviderState {
  keys: DevelopmentKeys;
  store: MemoryStore;
  users: DevelopmentUsers;
}

/** Describes the gateway as a resource server, for which the provider issues JWT access tokens (RFC 9068). */
export function gatewayResource(options: DevelopmentIdentityProviderOptions): ResourceServer {
  return {
    scope: SCOPES.join(' '),
    audience: options.audience,
    accessTokenFormat: 'jwt',
    accessTokenTTL: accessTokenTtl(options),
    jwt: { sign: { alg: 'RS256' } },
  };
}

export function issuesJwt(options: DevelopmentIdentityProviderOptions): boolean {
  return options.accessTokenFormat !== 'opaque';
}

export function providerConfiguration(
  options: DevelopmentIdentityProviderOptions,
  { keys, store, users }: ProviderState,
): Configuration {
  return {
    adapter: (model: string) => store.adapter(model),
    clients: clients(options),
    jwks: { keys: [...keys.signing] },
    cookies: {
      keys: [...keys.cookies],
      // Browsers send cookies to all ports of a host, so use names that other servers on 127.0.0.1 do not
      // use.
      names: { session: 'dev_idp', interaction: 'dev_idp_sign_in', resume: 'dev_idp_resume' },
    },
    routes: {
      authorization: '/auth',
      token: '/token',
      jwks: '/jwks',
      userinfo: '/userinfo',
      introspection: '/introspection',
    },
    ...claimRules(users),
    features: features(options),
    responseTypes: ['code'],
    pkce: { required: () => true },
    interactions: { url: (_ctx, underWay) => SIGN_IN_PATH + underWay.uid },
    loadExistingGrant: grantAllAsked,
    renderError,
    ttl: lifetimes(options),
    // Browser sessions are not stored, so a token must not depend on one.
    expiresWithSession: () => false,
    // Many providers issue a refresh token even if the client does not request `offline_access`.
    issueRefreshToken: (_ctx, client) => Promise.resolve(client.grantTypeAllowed('refresh_token')),
    // Any user of this computer can get tokens, so a page of another origin must not be able to read them.
    clientBasedCORS: () => false,
  };
}

function clients(options: DevelopmentIdentityProviderOptions): ClientMetadata[] {
  return [
    {
      client_id: options.clientId,
      client_secret: options.clientSecret,
      redirect_uris: options.redirectUris,
      grant_types: ['authorization_code', 'refresh_token', 'password'],
      response_types: ['code'],
    },
    {
      client_id: COMMAND_LINE_CLIENT_ID,
      token_endpoint_auth_method: 'none',
      redirect_uris: [],
      grant_types: ['password'],
      response_types: [],
    },
  ];
}

function claimRules(users: DevelopmentUsers): Configuration {
  return {
    scopes: SCOPES,
    claims: CLAIMS_OF_SCOPE,
    // The id_token has the claims too, not only /userinfo (OpenID Connect Core 1.0, section 5.4).
    conformIdTokenClaims: false,
    findAccount: (_ctx, sub) => {
      const user = findBySubject(users, sub);
      return user && { accountId: sub, claims: () => allClaims(user) };
    },
    extraTokenClaims: (_ctx, token) => {
      const user = 'accountId' in token ? findBySubject(users, token.accountId) : undefined;
      return user && releasedClaims(user, token.scopes);
    },
  };
}

function features(options: DevelopmentIdentityProviderOptions): NonNullable<Configuration['features']> {
  return {
    devInteractions: { enabled: false },
    rpInitiatedLogout: { enabled: false },
    pushedAuthorizationRequests: { enabled: false },
    dPoP: { enabled: false },
    // An authenticated client may introspect the tokens of all clients, as with most providers.
    introspection: {
      enabled: !issuesJwt(options),
      allowedPolicy: (_ctx, client) => client.clientAuthMethod !== 'none',
    },
    // Without a resource, an access token would be opaque and valid for /userinfo only.
    resourceIndicators: {
      enabled: issuesJwt(options),
      defaultResource: () => RESOURCE,
      useGrantedResource: () => true,
      getResourceServerInfo: () => gatewayResource(options),
    },
  };
}

/** Grants all that the client requests, because there is no consent page. */
async function grantAllAsked({ oidc }: KoaContextWithOIDC) {
  const { account, client, provider } = oidc;
  if (!account || !client) return undefined;
  const grant = new provider.Grant({ accountId: account.accountId, clientId: client.clientId });
  grant.addOIDCScope(oidc.requestParamOIDCScopes);
  grant.addOIDCClaims(oidc.requestParamClaims);
  for (const resource of Object.keys(oidc.resourceServers ?? {})) {
    grant.addResourceScope(resource, oidc.requestParamScopes);
  }
  await grant.save();
  return grant;
}

const renderError: NonNullable<Configuration['renderError']> = (ctx, out) => {
  ctx.set(PAGE_HEADERS);
  ctx.body = messagePage('This request went wrong', `${out.error}: ${out.error_description ?? 'no details'}`);
};

function accessTokenTtl(options: DevelopmentIdentityProviderOptions): number {
  return options.accessTokenTtlSeconds ?? 3600;
}

/** All lifetimes are set, because the library logs each default that it uses. */
function lifetimes(options: DevelopmentIdentityProviderOptions): NonNullable<Configuration['ttl']> {
  const token = accessTokenTtl(options);
  return {
    AccessToken: token,
    IdToken: token,
    Grant: REFRESH_SECONDS,
    RefreshToken: REFRESH_SECONDS,
    AuthorizationCode: CODE_SECONDS,
    Interaction: SIGN_IN_SECONDS,
    Session: SIGN_IN_SECONDS,
  };
}
