import { KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import {
  type CryptoKey,
  type JWTHeaderParameters,
  createRemoteJWKSet,
  decodeProtectedHeader,
  errors,
} from 'jose';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { Settings } from '../config/settings';
import { AppError } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import type { Claims } from './claims';
import { IdentityProviderClient } from './identity-provider.client';

/** Asymmetric only: with `none` or a shared-secret algorithm, whoever knows the public key could sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512'] as const;
const JWKS_ANSWER_WITHIN_MS = 5_000;
/** An unknown `kid` asks for the key set again, but no more often than this. */
const JWKS_COOLDOWN_MS = 30_000;
const CLOCK_TOLERANCE_SECONDS = 30;
/** Claims that only an ID token carries: it names a person to the client and is no access token. */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];

type KeySet = ReturnType<typeof createRemoteJWKSet>;

/** Checks JWT access tokens (RFC 9068, RFC 8725): signature, algorithm, `iss`, `aud`, `exp`, `nbf`, `iat`, kind. */
@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy, 'jwt') {
  private keySet: Promise<KeySet> | undefined;
  private readonly keyObjects = new WeakMap<CryptoKey, KeyObject>();

  constructor(
    settings: Settings,
    private readonly provider: IdentityProviderClient,
    private readonly clock: Clock,
  ) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: [...ALGORITHMS],
      audience: settings.IDP_AUDIENCE,
      jsonWebTokenOptions: { clockTolerance: CLOCK_TOLERANCE_SECONDS },
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyCallback) => {
        this.keyFor(token).then(
          (key) => done(null, key as unknown as string),
          (error: unknown) => done(error),
        );
      },
    });
  }

  /** The claims of a valid token. @throws AppError `unauthenticated`, or `unavailable` without a key set. */
  verify(token: string): Promise<Claims> {
    return new Promise((resolve, reject) => {
      // Passport itself augments a strategy for each attempt in this way; so every path checks tokens alike.
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
    return claims;
  }

  private async keyFor(token: string): Promise<KeyObject> {
    const header = readHeader(token);
    this.keySet ??= this.loadKeySet().catch((error: unknown) => {
      this.keySet = undefined;
      throw error;
    });
    const keys = await this.keySet;
    try {
      // Only `alg` and `kid` count: keys or addresses in the token's own header (jwk, jku, x5u) are never looked at.
      const key = await keys({ alg: header.alg, ...(header.kid === undefined ? {} : { kid: header.kid }) });
      const known = this.keyObjects.get(key) ?? KeyObject.from(key);
      this.keyObjects.set(key, known);
      return known;
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys) {
        throw notValid('its signing key is unknown');
      }
      if (error instanceof errors.JOSENotSupported) throw notValid('its signing algorithm is not accepted');
      throw new AppError(
        'unavailable',
        'the keys of the identity provider cannot be read, try again shortly',
        {
          cause: error,
          retryAfterSeconds: 5,
        },
      );
    }
  }

  private async loadKeySet(): Promise<KeySet> {
    const { jwks_uri } = (await this.provider.configuration()).serverMetadata();
    if (jwks_uri === undefined) throw new AppError('unavailable', 'the identity provider publishes no keys');
    return createRemoteJWKSet(new URL(jwks_uri), {
      timeoutDuration: JWKS_ANSWER_WITHIN_MS,
      cooldownDuration: JWKS_COOLDOWN_MS,
    });
  }
}

type KeyCallback = (error: unknown, key?: string) => void;

function readHeader(token: string): JWTHeaderParameters {
  let header: { alg?: unknown; kid?: unknown };
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw notValid('it cannot be read');
  }
  const { alg, kid } = header;
  if (!ALGORITHMS.some((allowed) => allowed === alg)) throw notValid('its signing algorithm is not accepted');
  if (kid !== undefined && typeof kid !== 'string') throw notValid('its key id is not text');
  return { alg: alg as string, ...(kid === undefined ? {} : { kid }) };
}

function notValid(why: string): AppError {
  return new AppError('unauthenticated', `the access token is not valid: ${why}`);
}

function reasonWords(reason: unknown): string {
  const name = (reason as { name?: unknown } | null)?.name;
  return name === 'TokenExpiredError' ? 'the access token has expired' : 'the access token is not valid';
}
