import { createLocalJWKSet, jwtVerify } from 'jose';
import type Provider from 'oidc-provider';
import { findBySubject, releasedClaims, type DevelopmentUsers } from './development-user';
import type { DevelopmentKeys } from './keys';

const JWT_BEARER = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i;

/**
 * Makes /userinfo (OpenID Connect Core 1.0, section 5.3) accept the provider's JWT access tokens too. The
 * library refuses them, because their audience is only the gateway, but most real providers accept their own
 * JWTs. The library handles opaque tokens.
 */
export function answerUserinfoForJwt(
  provider: Provider,
  audience: string,
  keys: DevelopmentKeys,
  users: DevelopmentUsers,
): void {
  const claimsFor = async (token: string) => {
    const { payload } = await jwtVerify<{ scope?: string }>(
      token,
      createLocalJWKSet({ keys: keys.publicKeys() }),
      {
        issuer: provider.issuer,
        audience,
        typ: 'at+jwt',
        algorithms: ['RS256'],
      },
    );
    const scopes = new Set(payload.scope?.split(' '));
    const user = findBySubject(users, payload.sub ?? '');
    return user && scopes.has('openid') ? releasedClaims(user, scopes) : undefined;
  };

  provider.use(async (ctx, next) => {
    const token = ctx.path === '/userinfo' ? JWT_BEARER.exec(ctx.get('authorization'))?.[1] : undefined;
    if (token === undefined) {
      await next();
      return;
    }
    const claims = await claimsFor(token).catch(() => undefined);
    ctx.set('cache-control', 'no-store');
    ctx.status = claims ? 200 : 401;
    ctx.body = claims ?? { error: 'invalid_token', error_description: 'invalid token provided' };
    // Response to an invalid token: RFC 6750, section 3.1.
    if (!claims) ctx.set('www-authenticate', 'Bearer error="invalid_token"');
  });
}
