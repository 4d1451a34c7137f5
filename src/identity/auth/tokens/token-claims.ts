import { AppError } from '../../../kernel/app-error';
import type { Claims } from '../provider/claims';

const CLOCK_TOLERANCE_SECONDS = 30;
/**
 * Claims that only ID tokens have. An ID token identifies a person to the client and is not an access token.
 */
const ID_TOKEN_CLAIMS = ['nonce', 'at_hash', 'c_hash'];
/** Claim of every security event token (RFC 8417, section 2.2), also of a logout token. */
const EVENTS_CLAIM = 'events';
/** Claim of a token that is valid only with proof of a key (RFC 7800): DPoP, or a client certificate. */
const CONFIRMATION_CLAIM = 'cnf';
/**
 * Maximum time until a token expires. A later `exp` is a mistake, such as a time in milliseconds, because no
 * provider issues access for longer.
 */
const MAX_LIFE_SECONDS = 400 * 86_400;
/**
 * Claims by which some providers (Keycloak, Cognito, Hydra) distinguish other
 * kinds of tokens from access tokens.
 */
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
  token_use: ['id', 'refresh', 'id_token', 'refresh_token'],
};

/** The claims of a verified token, and how long the verification may be cached. */
export interface VerifiedToken {
  readonly claims: Claims;
  readonly cacheForMs: number;
}

export function notValid(why: string): AppError {
  return new AppError('unauthenticated', `the access token is not valid: ${why}`);
}

/**
 * @param now seconds since 1970
 * @throws AppError `unauthenticated` for an `exp` that is absent, not a number, past, or too far in the
 * future
 */
export function checkExpiry(exp: unknown, now: number): void {
  if (exp === undefined) throw notValid('it never expires');
  if (typeof exp !== 'number') throw notValid('its end is no number');
  if (exp + CLOCK_TOLERANCE_SECONDS <= now)
    throw new AppError('unauthenticated', 'the access token has expired');
  if (exp > now + MAX_LIFE_SECONDS) throw notValid('it ends later than in 400 days');
}

/**
 * Checks the times of a token. An `iat` that is not a number is ignored, because some providers send one.
 * @param now seconds since 1970
 * @throws AppError `unauthenticated`
 */
export function checkTimes({ exp, nbf, iat }: Claims, now: number): void {
  checkExpiry(exp, now);
  if (nbf !== undefined && !(typeof nbf === 'number' && nbf <= now + CLOCK_TOLERANCE_SECONDS))
    throw notValid('it is not valid yet');
  if (typeof iat === 'number' && iat > now + CLOCK_TOLERANCE_SECONDS)
    throw notValid('it was issued in the future');
}

/** @throws AppError `unauthenticated` when the claims are not those of a bearer access token */
export function checkKind(claims: Claims): void {
  if (ID_TOKEN_CLAIMS.some((claim) => claim in claims)) throw notValid('it is an ID token');
  if (EVENTS_CLAIM in claims) throw notValid('it reports an event, and is not an access token');
  if (CONFIRMATION_CLAIM in claims)
    throw notValid('it is bound to a key (cnf), and the gateway checks no proof of that');
  const isOther = Object.entries(OTHER_KINDS).some(([claim, kinds]) => kinds.includes(claims[claim]));
  if (isOther) throw notValid('it is not an access token');
}
