import { Injectable } from '@nestjs/common';
import { type CryptoKey, type JWTHeaderParameters, compactVerify, errors } from 'jose';
import { parseJson } from '../../../kernel/json/json';
import { IdentityProviderSettings } from '../../../platform/config/groups';
import { AppError } from '../../../kernel/app-error';
import { Clock } from '../../../kernel/async/clock';
import type { Claims } from '../provider/claims';
import { IdentityProviderClient } from '../provider/identity-provider.client';
import { OpaqueTokens } from './opaque-tokens';
import { SigningKeys } from '../provider/signing-keys';
import { type VerifiedToken, checkKind, checkTimes, notValid } from './token-claims';

/**
 * Asymmetric algorithms only. With `none`, anybody could make a token. With a shared-secret algorithm, the
 * provider's public key could be misused as the secret.
 */
export const ACCESS_TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
];
/** Accepted `typ` of an access token's header (RFC 9068, section 2.1). Many providers use only `JWT`. */
const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];

/**
 * Verifies access tokens of the identity provider, for every protocol. A JWT is verified with the provider's
 * keys (RFC 9068, RFC 8725): signature, algorithm, `iss`, `aud`, `exp`, `nbf`, `iat` and token kind. An
 * opaque token is verified by requests to the provider.
 */
@Injectable()
export class AccessTokenVerifier {
  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly provider: IdentityProviderClient,
    private readonly signingKeys: SigningKeys,
    private readonly opaqueTokens: OpaqueTokens,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `unauthenticated`; `unavailable` when the provider does not answer */
  async verify(token: string): Promise<VerifiedToken> {
    if (!isJwt(token)) return this.opaqueTokens.verify(token);
    const claims = await this.verifyJwt(token);
    return { claims, cacheForMs: Number(claims['exp']) * 1000 - this.clock.now() };
  }

  private async verifyJwt(token: string): Promise<Claims> {
    const { payload } = await compactVerify(
      token,
      (header: JWTHeaderParameters): Promise<CryptoKey> => this.keyFor(header),
      { algorithms: ACCESS_TOKEN_ALGORITHMS },
    ).catch((error: unknown) => {
      throw refusalOf(error);
    });
    const claims = claimsIn(payload);
    const { issuer } = (await this.provider.configuration()).serverMetadata();
    if (claims['iss'] !== issuer) throw notValid('it comes from another issuer');
    if (![claims['aud']].flat().includes(this.settings.audience))
      throw notValid('it is for another audience');
    checkTimes(claims, Math.floor(this.clock.now() / 1000));
    checkKind(claims);
    return claims;
  }

  /** Finds the key by `alg` and `kid`. Ignores keys and URLs in the token's own header (jwk, jku, x5u). */
  private async keyFor({ alg, kid, typ, crit }: JWTHeaderParameters): Promise<CryptoKey> {
    if (kid !== undefined && typeof kid !== 'string') throw notValid('its key id is not text');
    const isAccessToken = typeof typ === 'string' && ACCESS_TOKEN_TYPES.includes(typ.toLowerCase());
    if (typ !== undefined && !isAccessToken) throw notValid('it is not an access token');
    // RFC 7515, section 4.1.11: a token with an unknown critical extension must be refused.
    if (crit !== undefined) throw notValid('it requires an extension that is not supported');
    const key = await this.signingKeys.find({ alg, ...(kid === undefined ? {} : { kid }) });
    if (key === undefined) throw notValid('its signing key is unknown');
    return key;
  }
}

/** Whether a token of the provider is a JWT; all others are opaque. */
export function isJwt(token: string): boolean {
  return token.split('.').length === 3;
}

function claimsIn(payload: Uint8Array): Claims {
  let claims: unknown;
  try {
    claims = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(payload));
  } catch {
    throw notValid('it cannot be read');
  }
  if (typeof claims !== 'object' || claims === null || Array.isArray(claims))
    throw notValid('it cannot be read');
  return claims as Claims;
}

/** Returns the error for a token that the library refused. Every error of the library means "not valid". */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.JOSEAlgNotAllowed) return notValid('its signing algorithm is not accepted');
  if (error instanceof errors.JWSSignatureVerificationFailed) return notValid('its signature does not fit');
  if (error instanceof errors.JOSENotSupported)
    return notValid('it requires an extension that is not supported');
  return notValid('it cannot be read');
}
