/** A user of the development identity provider. Each field is a claim of the same name in the tokens. */
export interface DevelopmentUser {
  /** The name to type or click to sign in. On the command line, it is also the password. */
  username: string;
  /** The subject identifier (OpenID Connect Core 1.0, section 2): never changes, unlike the e-mail. */
  sub: string;
  email: string;
  emailVerified: boolean;
  name: string;
  groups: string[];
}

/** A user in the configuration. If `sub` is missing, the username is used as `sub`. */
export type DevelopmentUserEntry = Omit<DevelopmentUser, 'sub'> & { sub?: string };

/** Users by username. They are read for every token, so a change is effective in the next token. */
export type DevelopmentUsers = Map<string, DevelopmentUser>;

/** Claims that each scope releases (OpenID Connect Core 1.0, section 5.4; `groups` is our own). */
export const CLAIMS_OF_SCOPE = {
  openid: ['sub'],
  email: ['email', 'email_verified'],
  profile: ['name'],
  groups: ['groups'],
};

/** All supported scopes; others may be requested and are ignored (RFC 6749, section 3.3). */
export const SCOPES = Object.keys(CLAIMS_OF_SCOPE);

export function toDirectory(entries: readonly DevelopmentUserEntry[]): DevelopmentUsers {
  return new Map(entries.map((entry) => [entry.username, { sub: entry.username, ...entry }]));
}

export function findBySubject(users: DevelopmentUsers, sub: string): DevelopmentUser | undefined {
  return [...users.values()].find((user) => user.sub === sub);
}

export function allClaims(user: DevelopmentUser) {
  return {
    sub: user.sub,
    email: user.email,
    email_verified: user.emailVerified,
    name: user.name,
    groups: user.groups,
  };
}

/** The claims that the granted scopes release. */
export function releasedClaims(user: DevelopmentUser, scopes: ReadonlySet<string>): Record<string, unknown> {
  const released = new Set(
    Object.entries(CLAIMS_OF_SCOPE).flatMap(([scope, claims]) => (scopes.has(scope) ? claims : [])),
  );
  return Object.fromEntries(Object.entries(allClaims(user)).filter(([claim]) => released.has(claim)));
}
