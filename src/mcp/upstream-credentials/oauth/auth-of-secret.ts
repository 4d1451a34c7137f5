import { createHash } from 'node:crypto';
import { authModeOf } from '../../../targets/mcp/mcp-auth-mode';

/** Plan for a token that the gateway obtains without a person, with the settings in a connection's secret. */
export interface TokenPlan {
  readonly kind: 'token';
  /**
   * Source of the token: a token endpoint, or an authorization server. The gateway discovers the
   * authorization server through the MCP server. The authorization server must have this issuer.
   */
  readonly from:
    | { readonly kind: 'endpoint'; readonly url: URL }
    | { readonly kind: 'issuer'; readonly issuer: URL; readonly server: URL };
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * `user`: one token for each principal (RFC 8693). `shared`: one token for the connection (client
   * credentials, RFC 6749, section 4.4).
   */
  readonly subject: 'user' | 'shared';
  /** `audience`, `resource` and `scope` of the token request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Hash of all settings that a token depends on. A stored token with another binding is not used. */
  readonly binding: string;
}

/** Plan for a token from the sign-in of a person at the authorization server of the MCP server. */
export interface SignInPlan {
  readonly kind: 'sign-in';
  /** URL of the MCP server. */
  readonly server: URL;
  /** Issuer to use; undefined for the first issuer that the server names. */
  readonly issuer: URL | undefined;
  /** Client from the secret; undefined if the gateway introduces itself to the authorization server. */
  readonly client: { readonly id: string; readonly secret: string | undefined } | undefined;
  /**
   * `user`: each person connects his or her own account. `shared`: an admin connects one account for all
   * users.
   */
  readonly subject: 'user' | 'shared';
  readonly scope: string | undefined;
  readonly binding: string;
}

const BOUND = [
  'REMOTE_URL',
  'MCP_AUTH',
  'MCP_TOKEN_URL',
  'MCP_ISSUER',
  'MCP_CLIENT_ID',
  'MCP_CLIENT_SECRET',
  'MCP_OAUTH_GRANT',
  'MCP_OAUTH_SUBJECT',
  'MCP_AUDIENCE',
  'MCP_RESOURCE',
  'MCP_SCOPE',
];

/**
 * Returns undefined if the secret contains the credential itself (`HEADER_*`), or the server needs none.
 * @param secret a secret that `mcpServer.secret` accepts.
 */
export function authPlanOf(secret: Readonly<Record<string, string>>): TokenPlan | SignInPlan | undefined {
  switch (authModeOf(secret)) {
    case 'headers':
      return undefined;
    case 'sign_in':
      return signInPlan(secret);
    case 'exchange':
      return tokenPlan(secret, { kind: 'endpoint', url: new URL(secret['MCP_TOKEN_URL'] ?? '') });
    case 'client_credentials':
      return tokenPlan(secret, {
        kind: 'issuer',
        issuer: new URL(secret['MCP_ISSUER'] ?? ''),
        server: new URL(secret['REMOTE_URL'] ?? ''),
      });
  }
}

function tokenPlan(secret: Readonly<Record<string, string>>, from: TokenPlan['from']): TokenPlan {
  const { MCP_AUDIENCE: audience, MCP_RESOURCE: resource, MCP_SCOPE: scope } = secret;
  const isUnnamed = from.kind === 'endpoint' && audience === undefined;
  // Without `audience` and `resource`, uses the address of the server as the resource (RFC 8707). If the
  // authorization server is discovered, the server's metadata name the resource instead.
  const wanted = { audience, resource: resource ?? (isUnnamed ? secret['REMOTE_URL'] : undefined), scope };
  const isShared = from.kind === 'issuer' || secret['MCP_OAUTH_SUBJECT'] === 'shared';
  return {
    kind: 'token',
    from,
    clientId: secret['MCP_CLIENT_ID'] ?? '',
    clientSecret: secret['MCP_CLIENT_SECRET'] ?? '',
    subject: isShared ? 'shared' : 'user',
    parameters: Object.fromEntries(Object.entries(wanted).filter(isGiven)),
    binding: bindingOf(secret),
  };
}

function signInPlan(secret: Readonly<Record<string, string>>): SignInPlan {
  const { REMOTE_URL: server = '', MCP_ISSUER: issuer, MCP_CLIENT_ID: id, MCP_SCOPE: scope } = secret;
  return {
    kind: 'sign-in',
    server: new URL(server),
    issuer: issuer ? new URL(issuer) : undefined,
    client: id ? { id, secret: secret['MCP_CLIENT_SECRET'] || undefined } : undefined,
    subject: secret['MCP_OAUTH_SUBJECT'] === 'shared' ? 'shared' : 'user',
    scope: scope || undefined,
    binding: bindingOf(secret),
  };
}

function bindingOf(secret: Readonly<Record<string, string>>): string {
  return createHash('sha256')
    .update(JSON.stringify(BOUND.map((name) => secret[name] ?? null)))
    .digest('base64');
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined && entry[1] !== '';
}
