import type { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { type JWTHeaderParameters, decodeProtectedHeader } from 'jose';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { IdentityProviderSettings } from '../config/groups';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Claims } from './claims';
import { IdentityProviderClient } from './identity-provider.client';
import { SigningKeys } from './signing-keys';

/** Asymmetric algorithms only: with `none` or a shared secret, anybody who knows the public key could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;
const CLOCK_TOLERANCE_SECONDS = 30;
/** Claims that only ID tokens have. An ID token identifies a person to the client and is not an access token. */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];
/** `typ` of an access token's header (RFC 9068, section 2.1); many providers leave it at JWT. */
const ACCESS_TOKEN_TYPES = ['jwt', 'at+jwt', 'application/at+jwt'];
/** Claims by which some providers (Keycloak, Cognito) distinguish other kinds of tokens from access tokens. */
const OTHER_KINDS: Readonly<Record<string, readonly unknown[]>> = {
  typ: ['ID', 'Refresh', 'Offline', 'Logout'],
  token_use: ['id', 'refresh'],
};

/** Checks JWT access tokens (RFC 9068, RFC 8725): signature, algorithm, `iss`, `aud`, `exp`, `nbf`, `iat`, kind. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  constructor(
    settings: IdentityProviderSettings,
    private readonly provider: IdentityProviderClient,
    private readonly signingKeys: SigningKeys,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: [...ALGORITHMS],
      audience: settings.audience,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyCallback) => {
        // In this order, errors thrown by the library itself reach the caller too, and do not end the process.
        this.keyFor(token)
          .then((key) => done(null, key as unknown as string))
          .catch((error: unknown) => done(error));
      },
    });
  }

  /** The claims of a valid token. @throws AppError `unauthenticated`, or `unavailable` without a key set. */
  verify(token: string): Promise<Claims> {
    return new Promise((resolve, reject) => {
      // Passport itself copies a strategy for each attempt in this way, so all paths check tokens alike.
      const attempt = Object.assign(Object.create(this) as this, {
        success: resolve,
        error: reject,
        fail: (reason: unknown) =>
          reject(reason instanceof AppError ? reason : new AppError('unauthenticated', reasonWords(reason))),
      });
      attempt.authenticate({ headers: { authorization: `Bearer ${token}` } } as never);
    });
  }

  async validate(claims: Claims): Promise<Claims> {
    const { issuer } = (await this.provider.configuration()).serverMetadata();
    if (claims['iss'] !== issuer) throw notValid('it comes from another issuer');
    if (typeof claims['exp'] !== 'number') throw notValid('it never expires');
    const { iat } = claims;
    if (typeof iat === 'number' && iat * 1000 > this.clock.now() + CLOCK_TOLERANCE_SECONDS * 1000) {
      throw notValid('it was issued in the future');
    }
    if (ID_TOKEN_CLAIMS.some((claim) => claim in claims)) throw notValid('it is an ID token');
    const isOther = Object.entries(OTHER_KINDS).some(([claim, kinds]) => kinds.includes(claims[claim]));
    if (isOther) throw notValid('it is not an access token');
    return claims;
  }

  private async keyFor(token: string): Promise<KeyObject> {
    // Only `alg` and `kid` count. Keys or URLs in the token's own header (jwk, jku, x5u) are ignored.
    const key = await this.signingKeys.find(readHeader(token));
    if (key === undefined) throw notValid('its signing key is unknown');
    return key;
  }
}

type KeyCallback = (error: unknown, key?: string) => void;

function readHeader(token: string): JWTHeaderParameters {
  let header: { alg?: unknown; kid?: unknown; typ?: unknown; crit?: unknown };
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw notValid('it cannot be read');
  }
  const { alg, kid, typ, crit } = header;
  if (!ALGORITHMS.some((allowed) => allowed === alg)) throw notValid('its signing algorithm is not accepted');
  if (kid !== undefined && typeof kid !== 'string') throw notValid('its key id is not text');
  const isAccessToken = typeof typ === 'string' && ACCESS_TOKEN_TYPES.includes(typ.toLowerCase());
  if (typ !== undefined && !isAccessToken) throw notValid('it is not an access token');
  // RFC 7515, section 4.1.11: a token with an unknown critical extension must be refused.
  if (crit !== undefined) throw notValid('it requires an extension that is not supported');
  return { alg: alg as string, ...(kid === undefined ? {} : { kid }) };
}

function notValid(why: string): AppError {
  return new AppError('unauthenticated', `the access token is not valid: ${why}`);
}

function reasonWords(reason: unknown): string {
  const name = (reason as { name?: unknown } | null)?.name;
  return name === 'TokenExpiredError' ? 'the access token has expired' : 'the access token is not valid';
}
