import { Injectable } from '@nestjs/common';
import { type CryptoKey, type JWTHeaderParameters, compactVerify, errors } from 'jose';
import { parseJson } from '../kernel/json/json';
import { IdentityProviderSettings } from '../config/groups';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Claims } from './claims';
import { IdentityProviderClient } from './identity-provider.client';
import { SigningKeys } from './signing-keys';

/** Asymmetric algorithms only: with `none` or a shared secret, anybody who knows the public key could sign. */
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
const CLOCK_TOLERANCE_SECONDS = 30;
/** How long the provider's answer about an opaque token is cached. */
const OPAQUE_CACHED_MS = 60_000;
/** Claims that only ID tokens have. An ID token identifies a person to the client and is not an access token. */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];
/** Every security event token has it (RFC 8417, section 2.2), also a logout token. */
const EVENTS_CLAIM = 'events';
/** The token is good only with a proof of this key (RFC 7800): DPoP, or a certificate of the client. */
const CONFIRMATION_CLAIM = 'cnf';
/** The end of a token is beyond reason after it, such as a time in milliseconds. No provider issues access for longer. */
const MAX_LIFE_SECONDS = 400 * 86_400;
/** `typ` of an access token's header (RFC 9068, section 2.1); many providers leave it at JWT. */
const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];
/** Claims by which some providers (Keycloak, Cognito) distinguish other kinds of tokens from access tokens. */
const OTHER_KINDS: Readonly<Record<string, readonly unknown[]>> = {
  typ: [
    'ID',
    'Serialized-ID',
    'Refresh',
    'Offline',
    'Logout',
    'RegistrationAccessToken',
    'InitialAccessToken',
  ],
  token_use: ['id', 'refresh'],
};

/** The claims of a verified token, and how long the verification may be cached. */
export interface VerifiedToken {
  readonly claims: Claims;
  readonly cacheForMs: number;
}

/**
 * Verifies access tokens of the identity provider, for every protocol. A JWT is verified with the provider's keys
 * (RFC 9068, RFC 8725): signature, algorithm, `iss`, `aud`, `exp`, `nbf`, `iat`, kind. An opaque token is verified by a userinfo request.
 */
@Injectable()
export class AccessTokenVerifier {
  constructor(
    private readonly settings: IdentityProviderSettings,
    private readonly provider: IdentityProviderClient,
    private readonly signingKeys: SigningKeys,
    private readonly clock: Clock,
  ) {}

  /** @throws AppError `unauthenticated`; `unavailable` when the provider cannot be asked. */
  async verify(token: string): Promise<VerifiedToken> {
    if (!isJwt(token)) return { claims: await this.provider.userinfo(token), cacheForMs: OPAQUE_CACHED_MS };
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

  /** Only `alg` and `kid` count. Keys or URLs in the token's own header (jwk, jku, x5u) are ignored. */
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

function notValid(why: string): AppError {
  return new AppError('unauthenticated', `the access token is not valid: ${why}`);
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

/** An `iat` that is not a number is ignored: some providers send such. */
function checkTimes({ exp, nbf, iat }: Claims, now: number): void {
  if (typeof exp !== 'number') throw notValid('it never expires');
  if (exp + CLOCK_TOLERANCE_SECONDS <= now)
    throw new AppError('unauthenticated', 'the access token has expired');
  if (exp > now + MAX_LIFE_SECONDS) throw notValid('it ends later than in 400 days');
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + CLOCK_TOLERANCE_SECONDS))
    throw notValid('it is not valid yet');
  if (typeof iat === 'number' && iat > now + CLOCK_TOLERANCE_SECONDS)
    throw notValid('it was issued in the future');
}

function checkKind(claims: Claims): void {
  if (ID_TOKEN_CLAIMS.some((claim) => claim in claims)) throw notValid('it is an ID token');
  if (EVENTS_CLAIM in claims) throw notValid('it reports an event, and is not an access token');
  if (CONFIRMATION_CLAIM in claims)
    throw notValid('it is bound to a key (cnf), and the gateway checks no proof of that');
  const isOther = Object.entries(OTHER_KINDS).some(([claim, kinds]) => kinds.includes(claims[claim]));
  if (isOther) throw notValid('it is not an access token');
}

/** Every error of the library means that the token is not valid. */
function refusalOf(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof errors.JOSEAlgNotAllowed) return notValid('its signing algorithm is not accepted');
  if (error instanceof errors.JWSSignatureVerificationFailed) return notValid('its signature does not fit');
  if (error instanceof errors.JOSENotSupported)
    return notValid('it requires an extension that is not supported');
  return notValid('it cannot be read');
}
