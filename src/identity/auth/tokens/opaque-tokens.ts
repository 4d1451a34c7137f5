import { Injectable } from '@nestjs/common';
import { IdentityProviderSettings } from '../../../platform/config/groups';
import { Clock } from '../../../kernel/async/clock';
import type { Claims } from '../provider/claims';
import { IdentityProviderClient } from '../provider/identity-provider.client';
import { type VerifiedToken, checkExpiry, checkKind, notValid } from './token-claims';

/** Maximum time for which the provider's answer about a token is cached. */
const CACHED_MS = 60_000;
/** Values of `token_type` for bearer tokens (RFC 6750). Some providers report the kind of token instead. */
const BEARER_TYPES: readonly unknown[] = [undefined, 'bearer', 'access_token'];

/** Ways to verify opaque tokens. The setting and the provider's endpoints decide which is used. */
export type OpaqueTokenCheck = 'introspection' | 'userinfo' | 'refused';

/**
 * Returns how opaque tokens are verified. `auto` means introspection if the provider has an endpoint for it
 * and this client can authenticate there (RFC 7662, section 2.1); otherwise userinfo.
 */
export function opaqueTokenCheck(
  { opaqueTokens, clientSecret }: Pick<Readonly<IdentityProviderSettings>, 'opaqueTokens' | 'clientSecret'>,
  offersIntrospection: boolean,
): OpaqueTokenCheck {
  if (opaqueTokens !== 'auto') return opaqueTokens;
  return offersIntrospection && clientSecret !== undefined ? 'introspection' : 'userinfo';
}

/**
 * Verifies access tokens that are not JWTs by requests to the provider. Introspection (RFC 7662) reports the
 * client for which the token was issued. Userinfo does not, so without introspection a token of any client of
 * the provider is accepted. Userinfo is always requested, because it refuses everything but an access token
 * of a person, and returns the profile.
 */
@Injectable()
export class OpaqueTokens {
  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly provider: IdentityProviderClient,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `unauthenticated`; `unavailable` when the provider does not answer */
  async verify(token: string): Promise<VerifiedToken> {
    if (this.settings.opaqueTokens === 'refused') throw notValid('it is no JWT');
    const { issuer, introspection_endpoint } = (await this.provider.configuration()).serverMetadata();
    const check = opaqueTokenCheck(this.settings, typeof introspection_endpoint === 'string');
    if (check === 'userinfo') return { claims: await this.provider.userinfo(token), cacheForMs: CACHED_MS };
    if (typeof introspection_endpoint !== 'string')
      throw notValid('it is no JWT, and the identity provider has no introspection endpoint');
    return this.introspect(token, issuer);
  }

  private async introspect(token: string, issuer: string): Promise<VerifiedToken> {
    const facts = withoutNulls(await this.provider.introspection(token));
    this.checkFacts(facts, issuer);
    const claims = await this.provider.userinfo(token);
    if (facts['sub'] !== undefined && facts['sub'] !== claims['sub'])
      throw notValid('the identity provider names two subjects');
    const { exp } = facts;
    const leftMs = typeof exp === 'number' ? exp * 1000 - this.clock.now() : CACHED_MS;
    return { claims, cacheForMs: Math.min(leftMs, CACHED_MS) };
  }

  private checkFacts(facts: Claims, issuer: string): void {
    const { active, iss, exp, token_type } = facts;
    if (active !== true) throw notValid('the identity provider does not know it, or has ended it');
    if (iss !== undefined && iss !== issuer) throw notValid('it comes from another issuer');
    if (exp !== undefined) checkExpiry(exp, Math.floor(this.clock.now() / 1000));
    const type = typeof token_type === 'string' ? token_type.toLowerCase() : token_type;
    if (!BEARER_TYPES.includes(type)) throw notValid('it is not good for its bearer alone');
    checkKind(facts);
    if (!this.isForUs(facts)) throw notValid('it is for another audience');
  }

  /**
   * Whether the token is for this gateway. A token without an audience, or with an empty one, is for the
   * client to which it was issued.
   */
  private isForUs({ aud, client_id }: Claims): boolean {
    const { audience, clientId, otherClients } = this.settings;
    const audiences = [aud ?? []].flat();
    if (audiences.length > 0) return audiences.includes(audience);
    return client_id === clientId || otherClients.some((other) => other === client_id);
  }
}

/** Removes claims that are null, which some providers send for claims without a value. */
function withoutNulls(claims: Claims): Claims {
  return Object.fromEntries(Object.entries(claims).filter(([, value]) => value !== null));
}
