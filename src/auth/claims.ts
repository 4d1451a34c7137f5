import { AppError } from '../kernel/app-error';

/** Claims as they arrive: nothing about them is sure. */
export type Claims = Readonly<Record<string, unknown>>;

/** What a sign-in says about a person. */
export interface Profile {
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /** undefined: the claim said nothing that may be believed, so the groups stay as they are. */
  readonly groups: readonly string[] | undefined;
  readonly issuedAt: Date;
}

const MAX_GROUPS = 1_000;
const MAX_TEXT = 256;

/** Storable in PostgreSQL and of a sane length. Nothing is trimmed or folded: `Admin` and `admin ` are not `admin`. */
function isSaneText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !value.includes('\0');
}

/** @throws AppError `unauthenticated` when the claims name nobody. */
export function profileOf(claims: Claims, groupsClaim: string, now: number): Profile {
  const { sub, email, email_verified, name, iat } = claims;
  if (!isSaneText(sub)) throw new AppError('unauthenticated', 'the access token names no subject');
  return {
    subject: sub,
    email: isSaneText(email) ? email : undefined,
    emailVerified: email_verified === true,
    name: isSaneText(name) ? name : undefined,
    groups: groupsOf(claims, groupsClaim),
    issuedAt: new Date(typeof iat === 'number' ? iat * 1000 : now),
  };
}

/**
 * The groups that the claim carries: a string or an array of strings. Anything else (nested, an overage
 * pointer, absurdly many) is no statement: a malformed claim neither gives nor takes a group.
 */
export function groupsOf(claims: Claims, groupsClaim: string): readonly string[] | undefined {
  const value = claims[groupsClaim];
  if (typeof value === 'string') return value === '' ? [] : isSaneText(value) ? [value] : undefined;
  if (!Array.isArray(value) || value.length > MAX_GROUPS || !value.every(isSaneText)) return undefined;
  return [...new Set(value)];
}

/** Some providers replace a long groups claim by a pointer (`_claim_names`); it must not read as "no groups". */
export function hasOverage(claims: Claims, groupsClaim: string): boolean {
  const names = claims['_claim_names'];
  return typeof names === 'object' && names !== null && groupsClaim in names;
}
