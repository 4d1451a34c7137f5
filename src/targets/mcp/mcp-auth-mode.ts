/** The secret of a connection to an MCP server, in plain text. */
type Secret = Readonly<Record<string, string>>;

/**
 * Method by which the gateway obtains its credential for an MCP server. `headers`: from the headers of the
 * secret, or no credential. `exchange`: token exchange (RFC 8693). `client_credentials`: the gateway signs in
 * as itself. `sign_in`: a person signs in at the server's authorization server, in the browser.
 */
export type McpAuthMode = 'headers' | 'exchange' | 'client_credentials' | 'sign_in';

/** The values of `MCP_OAUTH_GRANT`. */
export const OAUTH_GRANTS = ['authorization_code', 'client_credentials'] as const;

const OF_OAUTH = ['MCP_ISSUER', 'MCP_CLIENT_ID', 'MCP_CLIENT_SECRET', 'MCP_OAUTH_GRANT', 'MCP_OAUTH_SUBJECT'];

export function authModeOf(secret: Secret): McpAuthMode {
  const { MCP_AUTH: auth } = secret;
  if (auth === 'exchange') return 'exchange';
  if (auth !== 'oauth') return 'headers';
  // A secret with `HEADER_authorization` and no OAuth fields has a token already, even if the catalog has set
  // `MCP_AUTH=oauth`.
  if (namesAuthorization(secret) && !OF_OAUTH.some((name) => isGiven(secret, name))) return 'headers';
  return grantOf(secret) === 'client_credentials' ? 'client_credentials' : 'sign_in';
}

/** Whether the secret sets the header `Authorization` by itself. */
export function namesAuthorization(secret: Secret): boolean {
  return Object.keys(secret).some((name) => /^HEADER_authorization$/i.test(name));
}

function grantOf(secret: Secret): string {
  const isOwn = secret['MCP_OAUTH_SUBJECT'] === 'shared' && isGiven(secret, 'MCP_CLIENT_SECRET');
  return secret['MCP_OAUTH_GRANT'] || (isOwn ? 'client_credentials' : 'authorization_code');
}

function isGiven(secret: Secret, name: string): boolean {
  return (secret[name] ?? '') !== '';
}
