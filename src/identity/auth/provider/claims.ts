import { AppError } from '../../../kernel/app-error';
import { isName, normalizedName } from '../../../kernel/text/names';

/** Claims as received, not validated. */
export type Claims = Readonly<Record<string, unknown>>;

/** The profile of a person from a sign-in. */
export interface Profile {
  readonly subject: string;
  readonly email: string | undefined;
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /**
   * Groups in the groups claim; undefined when there is no valid groups claim. The stored groups then stay
   * unchanged.
   */
  readonly groups: readonly string[] | undefined;
  /** Value of the claim by which SCIM users are linked; undefined when it is absent or invalid. */
  readonly externalId: string | undefined;
  readonly issuedAt: Date;
}

const MAX_GROUPS = 1_000;
const MAX_TEXT = 256;

/**
 * Characters that cannot be stored. PostgreSQL cannot store NUL. UTF-8 cannot encode lone surrogates, so all
 * of them would be stored as the same character.
 */
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Whether PostgreSQL can store the value as text, and its length is reasonable. */
function isSaneText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !UNSTORABLE.test(value);
}

/**
 * Combines a token's claims with userinfo's claims. `email_verified` is taken from the source of the e-mail
 * address, because a verified address at userinfo does not verify another address in the token.
 */
export function joinClaims(token: Claims, userinfo: Claims): Claims {
  const joined = { ...userinfo, ...token };
  if (token['email'] === undefined) return { ...joined, email_verified: userinfo['email_verified'] };
  return token['email'] === userinfo['email']
    ? joined
    : { ...joined, email_verified: token['email_verified'] };
}

/**
 * @param now time of the claims if they have no `iat`, or if their `iat` is in the future
 * @throws AppError `unauthenticated` when the claims have no valid subject.
 */
export function profileOf(claims: Claims, source: GroupsSource & MatchSource, now: number): Profile {
  const { sub, email, email_verified, name, iat } = claims;
  const externalId = claims[source.matchClaim];
  if (!isSaneText(sub)) throw new AppError('unauthenticated', 'the access token has no valid subject');
  return {
    subject: sub,
    email: isSaneText(email) ? email : undefined,
    // Some providers, such as Cognito, send the boolean as text. No other value counts as true.
    emailVerified: email_verified === true || email_verified === 'true',
    name: isSaneText(name) ? displayName(name) : undefined,
    groups: groupsInClaims(claims, source),
    externalId: isSaneText(externalId) ? externalId : undefined,
    issuedAt: new Date(issuedAt(iat, now)),
  };
}

/** Returns a time that is never in the future. Otherwise newer claims would be ignored until that time. */
function issuedAt(iat: unknown, now: number): number {
  const isTime = typeof iat === 'number' && iat >= 0;
  return isTime ? Math.min(iat * 1000, now) : now;
}

/** Returns the normalized name; undefined when it has no visible characters, or contains deceptive ones. */
function displayName(text: string): string | undefined {
  const name = normalizedName(text);
  return name !== '' && isName(name) ? name : undefined;
}

/** The claim by which SCIM users are linked. */
export interface MatchSource {
  readonly matchClaim: string;
}

/** The claim with the groups, and the groups that give a role. */
export interface GroupsSource {
  readonly claim: string;
  /** Names of the admin and auditor groups. */
  readonly ofRoles: readonly string[];
}

/**
 * Returns the groups in the claim, which is a string or an array of strings. Any other value (nested, an
 * overage pointer, far too many groups) is ignored, so that a malformed claim neither adds nor removes a
 * group. In a valid claim, invalid names are left out, because people could not distinguish them from the
 * groups that they look like.
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

/**
 * Returns the normalized name; empty when it is invalid. A group gives a role only if its name is exactly the
 * name of the role's group. With extra white space around it, that name is invalid.
 */
function groupName(group: string, ofRoles: readonly string[]): string {
  const name = normalizedName(group);
  const isTrimmed = name !== group.normalize('NFC');
  return isName(name) && !(isTrimmed && ofRoles.includes(name)) ? name : '';
}

/**
 * Whether the provider replaced a long groups claim by a pointer (`_claim_names`), which must not count as
 * "no groups".
 */
export function hasOverage(claims: Claims, groupsClaim: string): boolean {
  const names = claims['_claim_names'];
  return typeof names === 'object' && names !== null && groupsClaim in names;
}
