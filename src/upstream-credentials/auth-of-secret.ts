import { createHash } from 'node:crypto';

/** What the secret of a connection says about the credential for its MCP server, once `mcpServer.secret` allowed it. */
export type UpstreamAuth =
  | { readonly kind: 'headers' }
  | { readonly kind: 'token'; readonly exchange: TokenExchange };

/** `MCP_AUTH=exchange`: the gateway itself asks a token endpoint that the secret names. */
export interface TokenExchange {
  readonly tokenUrl: URL;
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
  'MCP_TOKEN_URL',
  'MCP_CLIENT_ID',
  'MCP_CLIENT_SECRET',
  'MCP_OAUTH_SUBJECT',
  'MCP_AUDIENCE',
  'MCP_RESOURCE',
  'MCP_SCOPE',
];

export function authOf(secret: Readonly<Record<string, string>>): UpstreamAuth {
  if (secret['MCP_AUTH'] !== 'exchange') return { kind: 'headers' };
  const { MCP_AUDIENCE: audience, MCP_RESOURCE: resource, MCP_SCOPE: scope } = secret;
  const wanted = {
    audience,
    // Without another name of the server its address is the one to ask a token for (RFC 8707).
    resource: resource ?? (audience === undefined ? secret['REMOTE_URL'] : undefined),
    scope,
  };
  return {
    kind: 'token',
    exchange: {
      tokenUrl: new URL(secret['MCP_TOKEN_URL'] ?? ''),
      clientId: secret['MCP_CLIENT_ID'] ?? '',
      clientSecret: secret['MCP_CLIENT_SECRET'] ?? '',
      subject: secret['MCP_OAUTH_SUBJECT'] === 'shared' ? 'shared' : 'user',
      parameters: Object.fromEntries(Object.entries(wanted).filter(isGiven)),
      binding: createHash('sha256')
        .update(JSON.stringify(BOUND.map((name) => secret[name] ?? null)))
        .digest('base64'),
    },
  };
}

function isGiven(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined && entry[1] !== '';
}
