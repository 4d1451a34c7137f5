/** Maximum length of the scope that a server names. */
const MAX_SCOPE = 1_000;

/**
 * Returns a quoted parameter of `WWW-Authenticate: Bearer` (RFC 6750, section 3); undefined if the parameter
 * is missing or contains escapes.
 */
export function challengeParameter(challenge: string, name: string): string | undefined {
  return new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*"([^"\\\\]*)"`, 'i').exec(challenge)?.[1];
}

/** Returns the valid scopes of a server's text, each once; undefined if none, invalid or too long. */
export function readScope(text: string | undefined): string | undefined {
  return text === undefined || text.length > MAX_SCOPE ? undefined : scopesIn(text);
}

/** Returns valid scopes (RFC 6749, section 3.3), each once; undefined if none or invalid. */
function scopesIn(text: string): string | undefined {
  const scopes = text.split(' ').filter((scope) => scope !== '');
  const areScopes = scopes.length > 0 && scopes.every((scope) => /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(scope));
  return areScopes ? [...new Set(scopes)].join(' ') : undefined;
}

/** All scopes of these texts, each once; undefined if there are none. */
export function joinedScope(...texts: readonly (string | undefined)[]): string | undefined {
  return scopesIn(texts.filter((text) => text !== undefined).join(' '));
}

/** Whether each scope of `wanted` is one of `granted`. */
export function coversScope(granted: string | undefined, wanted: string): boolean {
  const has = new Set((granted ?? '').split(' '));
  return wanted.split(' ').every((scope) => has.has(scope));
}

/** The scope that a server demands beyond the token's (RFC 6750, section 3.1, `insufficient_scope`). */
export function demandedScope(challenge: string | undefined): string | undefined {
  if (challenge === undefined || challengeParameter(challenge, 'error') !== 'insufficient_scope')
    return undefined;
  return readScope(challengeParameter(challenge, 'scope'));
}
