import { createHash } from 'node:crypto';

/** A token that the gateway itself gets for a connection, as its secret says. */
export interface TokenPlan {
  /** Who issues it: a token endpoint, or an authorization server that is discovered from the MCP server and must have this issuer. */
  readonly from:
    | { readonly kind: 'endpoint'; readonly url: URL }
    | { readonly kind: 'issuer'; readonly issuer: URL; readonly server: URL };
  readonly clientId: string;
  readonly clientSecret: string;
  /** `user`: a token for each principal (RFC 8693). `shared`: one for the connection (client credentials, RFC 6749, section 4.4). */
  readonly subject: 'user' | 'shared';
  /** `audience`, `resource` and `scope` of the request. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Changes with everything that decides what a token is good for: a kept token is not used for something else. */
  readonly binding: string;
}

const BOUND = [
  'REMOTE_URL',
  'MCP_AUTH',
  'MCP_TOKEN_URL',
  'MCP_ISSUER',
  'MCP_CLIENT_ID',
  'MCP_CLIENT_SECRET',
  'MCP_OAUTH_SUBJECT',
  'MCP_AUDIENCE',
  'MCP_RESOURCE',
  'MCP_SCOPE',
];

/** @param secret one that `mcpServer.secret` allows. Undefined: the credential is in `HEADER_*`, or none is needed. */
export function tokenPlanOf(secret: Readonly<Record<string, string>>): TokenPlan | undefined {
  const from = issuedBy(secret);
  if (from === undefined) return undefined;
  const { MCP_AUDIENCE: audience, MCP_RESOURCE: resource, MCP_SCOPE: scope } = secret;
  const isUnnamed = from.kind === 'endpoint' && audience === undefined;
  // Without another name, `resource` is the address of the server (RFC 8707). With discovery, the metadata name it.
  const wanted = { audience, resource: resource ?? (isUnnamed ? secret['REMOTE_URL'] : undefined), scope };
  const isShared = from.kind === 'issuer' || secret['MCP_OAUTH_SUBJECT'] === 'shared';
  return {
    from,
    clientId: secret['MCP_CLIENT_ID'] ?? '',
    clientSecret: secret['MCP_CLIENT_SECRET'] ?? '',
    subject: isShared ? 'shared' : 'user',
    parameters: Object.fromEntries(Object.entries(wanted).filter(isGiven)),
    binding: createHash('sha256')
      .update(JSON.stringify(BOUND.map((name) => secret[name] ?? null)))
      .digest('base64'),
  };
}

function issuedBy(secret: Readonly<Record<string, string>>): TokenPlan['from'] | undefined {
  const { MCP_AUTH: auth, MCP_TOKEN_URL: url, MCP_ISSUER: issuer, REMOTE_URL: server = '' } = secret;
  if (auth === 'exchange' && url !== undefined) return { kind: 'endpoint', url: new URL(url) };
  if (auth === 'oauth' && issuer !== undefined)
    return { kind: 'issuer', issuer: new URL(issuer), server: new URL(server) };
  return undefined;
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined && entry[1] !== '';
}
