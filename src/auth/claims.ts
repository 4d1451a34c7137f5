import { AppError } from '../kernel/app-error';
import { isName, normalizedName } from '../kernel/names';

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

/** PostgreSQL has no NUL, and UTF-8 no lone surrogates: all of those would be stored as one and the same character. */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Storable in PostgreSQL and of a sane length. */
function isSaneText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !UNSTORABLE.test(value);
}

/**
 * A token's claims, completed by userinfo's. `email_verified` stays with the e-mail that it was said of: a
 * verified address at userinfo says nothing of another one in the token.
 */
export function joinClaims(token: Claims, userinfo: Claims): Claims {
  const joined = { ...userinfo, ...token };
  if (token['email'] === undefined) return { ...joined, email_verified: userinfo['email_verified'] };
  return token['email'] === userinfo['email']
    ? joined
    : { ...joined, email_verified: token['email_verified'] };
}

/**
 * @param now when the provider said this, for claims that do not tell
 * @throws AppError `unauthenticated` when the claims name nobody.
 */
export function profileOf(claims: Claims, source: GroupsSource, now: number): Profile {
  const { sub, email, email_verified, name, iat } = claims;
  if (!isSaneText(sub)) throw new AppError('unauthenticated', 'the access token names no subject');
  return {
    subject: sub,
    email: isSaneText(email) ? email : undefined,
    emailVerified: email_verified === true,
    name: isSaneText(name) ? displayName(name) : undefined,
    groups: groupsInClaims(claims, source),
    issuedAt: new Date(issuedAt(iat, now)),
  };
}

/** Never in the future, for no later statement could take effect before then. */
function issuedAt(iat: unknown, now: number): number {
  const isTime = typeof iat === 'number' && iat >= 0;
  return isTime ? Math.min(iat * 1000, now) : now;
}

/** undefined: nothing of it can be shown, or not all of it is what it looks like. */
function displayName(text: string): string | undefined {
  const name = normalizedName(text);
  return name !== '' && isName(name) ? name : undefined;
}

/** Where groups come from, and which of them give a role. */
export interface GroupsSource {
  readonly claim: string;
  /** Names of the groups of admins and auditors. */
  readonly ofRoles: readonly string[];
}

/**
 * The groups that the claim carries: a string or an array of strings. Anything else (nested, an overage
 * pointer, absurdly many) is no statement: a malformed claim neither gives nor takes a group. Of a statement, what
 * is no name is left out: nobody could tell it from the group that it looks like.
 */
export function groupsInClaims(
  claims: Claims,
  { claim, ofRoles }: GroupsSource,
): readonly string[] | undefined {
  const value = claims[claim];
  const list = typeof value === 'string' ? [value].filter((group) => group !== '') : value;
  if (!Array.isArray(list) || list.length > MAX_GROUPS || !list.every(isSaneText)) return undefined;
  return [...new Set(list.map((group) => groupName(group, ofRoles)).filter((group) => group !== ''))];
}

/** Empty: it is no group. A role is given by its group's own name alone, not by one with white space around it. */
function groupName(group: string, ofRoles: readonly string[]): string {
  const name = normalizedName(group);
  const isTrimmed = name !== group.normalize('NFC');
  return isName(name) && !(isTrimmed && ofRoles.includes(name)) ? name : '';
}

/** Some providers replace a long groups claim by a pointer (`_claim_names`); it must not read as "no groups". */
export function hasOverage(claims: Claims, groupsClaim: string): boolean {
  const names = claims['_claim_names'];
  return typeof names === 'object' && names !== null && groupsClaim in names;
}
