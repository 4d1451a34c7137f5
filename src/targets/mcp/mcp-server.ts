import { mcpResource } from '../../platform/addresses/mcp-resource';
import type { PathEndpoint } from '../contract/client-endpoint';
import type { Secret, TargetKind } from '../contract/kind';
import { webAddress } from '../contract/secret-schema';
import { type McpAuthMode, OAUTH_GRANTS, authModeOf, namesAuthorization } from './mcp-auth-mode';
import { probe } from './probe';

interface AuthFields {
  readonly needs: readonly string[];
  readonly takes: readonly string[];
}

/** Fields of token exchange: `needs` lists the required ones, `takes` the optional ones. */
const EXCHANGE: AuthFields = {
  needs: ['MCP_TOKEN_URL', 'MCP_CLIENT_ID', 'MCP_CLIENT_SECRET'],
  takes: ['MCP_OAUTH_SUBJECT', 'MCP_AUDIENCE', 'MCP_RESOURCE', 'MCP_SCOPE'],
};
/** Requires the issuer: otherwise an MCP server could name its own issuer, and obtain the client secret. */
const CLIENT_CREDENTIALS: AuthFields = {
  needs: ['MCP_ISSUER', 'MCP_CLIENT_ID', 'MCP_CLIENT_SECRET'],
  takes: ['MCP_OAUTH_GRANT', 'MCP_OAUTH_SUBJECT', 'MCP_SCOPE'],
};
/**
 * Requires no OAuth client. Without one, the gateway identifies itself by a metadata document, or registers
 * itself (RFC 7591).
 */
const SIGN_IN: AuthFields = {
  needs: [],
  takes: [
    'MCP_ISSUER',
    'MCP_CLIENT_ID',
    'MCP_CLIENT_SECRET',
    'MCP_OAUTH_GRANT',
    'MCP_OAUTH_SUBJECT',
    'MCP_SCOPE',
  ],
};
const FIELDS: Readonly<Record<McpAuthMode, AuthFields | undefined>> = {
  headers: undefined,
  exchange: EXCHANGE,
  client_credentials: CLIENT_CREDENTIALS,
  sign_in: SIGN_IN,
};
const ALL = [
  ...new Set([EXCHANGE, CLIENT_CREDENTIALS, SIGN_IN].flatMap(({ needs, takes }) => [...needs, ...takes])),
];

const OAUTH = { field: 'MCP_AUTH', values: ['oauth'] };
const TOKEN_EXCHANGE = { field: 'MCP_AUTH', values: ['exchange'] };
const EITHER = { field: 'MCP_AUTH', values: ['oauth', 'exchange'] };

const mcpClients: PathEndpoint = {
  at: 'path',
  protocol: 'mcp',
  urlTemplate: ({ http }) => `${mcpResource(http.apiUrl, http.apiPrefix)}/{connection}`,
};

/** Remote MCP servers. */
export const mcpServer: TargetKind = {
  type: 'application',
  subtype: 'mcpproxy',
  title: 'MCP server',
  secret: {
    fields: {
      REMOTE_URL: {
        label: 'URL of the MCP endpoint',
        required: true,
        placeholder: 'https://mcp.example.com/mcp',
        check: webAddress,
      },
      MCP_TRANSPORT: { label: 'Transport', choices: ['streamable-http', 'sse'] },
      MCP_AUTH: {
        label: 'How the gateway signs in at the server',
        description:
          'none: not at all. static: with headers. oauth: each person connects an account, or one is shared. exchange: with a token for each person.',
        choices: ['none', 'static', 'oauth', 'exchange'],
      },
      MCP_ISSUER: {
        label: 'Issuer of tokens',
        description: 'The authorization server that knows the client.',
        placeholder: 'https://login.example.com',
        onlyWith: OAUTH,
        check: issuerAddress,
      },
      MCP_TOKEN_URL: {
        label: 'Token endpoint',
        description: 'Where the gateway exchanges tokens (RFC 8693).',
        onlyWith: TOKEN_EXCHANGE,
        check: endpointAddress,
      },
      MCP_CLIENT_ID: { label: 'Id of the OAuth client', onlyWith: EITHER },
      MCP_CLIENT_SECRET: { label: 'Secret of the OAuth client', isConfidential: true, onlyWith: EITHER },
      MCP_OAUTH_SUBJECT: {
        label: 'Whose account it is',
        description: 'user: an account for each person. shared: one for all.',
        choices: ['user', 'shared'],
        onlyWith: EITHER,
      },
      MCP_SCOPE: {
        label: 'Scopes',
        description: 'With a space between scopes.',
        onlyWith: EITHER,
        check: scopes,
      },
      MCP_OAUTH_GRANT: { label: 'OAuth grant', choices: OAUTH_GRANTS, onlyWith: OAUTH },
      MCP_AUDIENCE: { label: 'Audience of the token', onlyWith: TOKEN_EXCHANGE },
      MCP_RESOURCE: {
        label: 'Resource of the token (RFC 8707)',
        onlyWith: TOKEN_EXCHANGE,
        check: endpointAddress,
      },
    },
    freePrefix: 'HEADER_',
    check: authFaults,
  },
  language: 'tool-call',
  client: mcpClients,
  hasMcpPolicy: true,
  probe,
};

/** Finds missing fields, and fields without effect, because an unused secret is easily forgotten. */
function authFaults(secret: Secret): string[] {
  const isGiven = (name: string): boolean => (secret[name] ?? '') !== '';
  const { MCP_AUTH: auth = 'none' } = secret;
  const mode = authModeOf(secret);
  const fields = FIELDS[mode];
  const { needs, takes } = fields ?? { needs: [], takes: [] };
  const missing = needs
    .filter((name) => !isGiven(name))
    .map((name) => `secret.${name} is required with MCP_AUTH=${auth}`);
  const useless = ALL.filter((name) => isGiven(name) && !needs.includes(name) && !takes.includes(name)).map(
    (name) => `secret.${name} has no effect with MCP_AUTH=${auth}`,
  );
  const doubled =
    fields !== undefined && namesAuthorization(secret)
      ? [`secret.HEADER_authorization has no place with MCP_AUTH=${auth}, which sets this header`]
      : [];
  const subject =
    mode === 'client_credentials' && secret['MCP_OAUTH_SUBJECT'] !== 'shared'
      ? [
          'secret.MCP_OAUTH_SUBJECT must be shared with MCP_OAUTH_GRANT=client_credentials: the gateway signs in as itself',
        ]
      : [];
  return [
    ...missing,
    ...useless,
    ...doubled,
    ...subject,
    ...(mode === 'sign_in' ? clientFaults(secret) : []),
  ];
}

/** Requires the issuer if a client id is given, because only one authorization server knows the client. */
function clientFaults(secret: Secret): string[] {
  const isGiven = (name: string): boolean => (secret[name] ?? '') !== '';
  const needed = [
    ['MCP_CLIENT_ID', 'MCP_ISSUER'],
    ['MCP_CLIENT_SECRET', 'MCP_CLIENT_ID'],
  ] as const;
  return needed
    .filter(([given, wanted]) => isGiven(given) && !isGiven(wanted))
    .map(([given, wanted]) => `secret.${wanted} is required with ${given}`);
}

/**
 * Checks the address of an endpoint or a resource (RFC 6749, section 3.2; RFC 8707). A fragment, a user and a
 * password are not allowed, because addresses are shown to people.
 */
function endpointAddress(value: string): string | undefined {
  const fault = webAddress(value);
  if (fault !== undefined) return fault;
  const { username, password } = new URL(value);
  const isBare = username === '' && password === '' && !value.includes('#');
  return isBare ? undefined : 'must be an address without user, password and fragment';
}

/**
 * Checks an issuer (RFC 8414, section 2). Refuses an address below `/.well-known/`, because at such an
 * address discovery does not check that the metadata name this issuer.
 */
function issuerAddress(value: string): string | undefined {
  const fault = endpointAddress(value);
  if (fault !== undefined) return fault;
  return value.includes('?') || value.includes('/.well-known/')
    ? 'must be an issuer: an address without query, and none below /.well-known/'
    : undefined;
}

/** Checks the syntax of scopes (RFC 6749, section 3.3). */
function scopes(value: string): string | undefined {
  return /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value)
    ? undefined
    : 'must be scopes with a space between them';
}
