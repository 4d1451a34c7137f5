import type Provider from 'oidc-provider';
import type { ResourceServer, TokenEndpointGrantContext } from 'oidc-provider';
import { allClaims, SCOPES, type DevelopmentUser, type DevelopmentUsers } from './development-user';
import type { OidcLibrary } from './oidc-library';
import { RESOURCE } from './provider-configuration';

interface PasswordParameters {
  username?: string;
  password?: string;
}

type Context = TokenEndpointGrantContext<PasswordParameters>;

/**
 * Registers the resource owner password credentials grant (RFC 6749, section 4.3), so that one curl line
 * returns a token without a browser. OAuth 2.1 has removed it for reasons that do not apply here, because the
 * passwords are not secret: each is the username.
 */
export function registerPasswordGrant(
  provider: Provider,
  errors: OidcLibrary['errors'],
  users: DevelopmentUsers,
  resource: ResourceServer | undefined,
): void {
  const handler = async (ctx: Context) => {
    const { username, password, scope } = ctx.oidc.params;
    if (!username || !password) throw new errors.InvalidRequest('username and password are both needed');
    const user = users.get(username);
    if (user === undefined || password !== user.username) {
      throw new errors.InvalidGrant('unknown username or wrong password');
    }
    const known = knownScopes(scope);
    // Refuse a request without a known scope, because its token would be useless (RFC 6749, section 5.2).
    if (known === '') throw new errors.InvalidScope('none of these scopes is known', scope ?? '');
    ctx.body = await issueTokens(ctx, user, known, resource);
  };
  provider.registerGrantType<PasswordParameters>('password', handler, ['username', 'password', 'scope']);
}

/** Without `scope` all scopes are granted (RFC 6749, section 3.3, leaves the default to the server). */
function knownScopes(asked: string | undefined): string {
  const wanted = asked?.split(' ') ?? SCOPES;
  return SCOPES.filter((scope) => wanted.includes(scope)).join(' ');
}

/** Gives the same answer as the code flow (RFC 6749, section 5.1; OpenID Connect Core 1.0, 3.1.3.3). */
async function issueTokens(
  ctx: Context,
  user: DevelopmentUser,
  scope: string,
  resource: ResourceServer | undefined,
) {
  const { provider, client } = ctx.oidc;
  const grant = new provider.Grant({ accountId: user.sub, clientId: client.clientId });
  grant.addOIDCScope(scope);
  grant.addResourceScope(RESOURCE, scope);
  const token = new provider.AccessToken({
    accountId: user.sub,
    client,
    grantId: await grant.save(),
    gty: 'password',
    scope,
    ...(resource && { resourceServer: new provider.ResourceServer(RESOURCE, resource) }),
  });
  ctx.oidc.entity('AccessToken', token);
  return {
    access_token: await token.save(),
    ...(token.scopes.has('openid') && { id_token: await idToken(ctx, user, scope) }),
    expires_in: token.expiration,
    scope,
    token_type: token.tokenType,
  };
}

async function idToken(ctx: Context, user: DevelopmentUser, scope: string): Promise<string> {
  const token = new ctx.oidc.provider.IdToken(allClaims(user), { ctx });
  // `scope` filters the claims. The library sets it in the same way, but its types do not declare it.
  return Object.assign(token, { scope }).issue({ use: 'idtoken' });
}
