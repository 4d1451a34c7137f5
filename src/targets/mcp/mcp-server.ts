import type { Secret, TargetKind } from '../kind';
import { oneOf, webAddress } from '../secret-schema';
import { probe } from './probe';

/** What `MCP_AUTH=exchange` needs to ask a token endpoint. */
const EXCHANGE_NEEDS = ['MCP_TOKEN_URL', 'MCP_CLIENT_ID', 'MCP_CLIENT_SECRET'];
const OF_EXCHANGE = [...EXCHANGE_NEEDS, 'MCP_OAUTH_SUBJECT', 'MCP_AUDIENCE', 'MCP_RESOURCE', 'MCP_SCOPE'];

/** Remote MCP servers. */
export const mcpServer: TargetKind = {
  type: 'application',
  subtype: 'mcpproxy',
  secret: {
    fields: {
      REMOTE_URL: { required: true, check: webAddress },
      MCP_TRANSPORT: { check: oneOf('streamable-http', 'sse') },
      MCP_AUTH: { check: oneOf('none', 'static', 'oauth', 'exchange') },
      MCP_TOKEN_URL: { check: endpointAddress },
      MCP_CLIENT_ID: {},
      MCP_CLIENT_SECRET: {},
      MCP_OAUTH_SUBJECT: { check: oneOf('user', 'shared') },
      MCP_AUDIENCE: {},
      MCP_RESOURCE: { check: endpointAddress },
      MCP_SCOPE: { check: scopes },
    },
    freePrefix: 'HEADER_',
    check: authFaults,
  },
  language: 'tool-call',
  clientProtocol: 'mcp',
  hasMcpPolicy: true,
  probe,
};

/** What is missing, and what has no effect: a secret that nobody uses is one that nobody takes care of. */
function authFaults(secret: Secret): string[] {
  const isGiven = (name: string): boolean => (secret[name] ?? '') !== '';
  if (secret['MCP_AUTH'] !== 'exchange')
    return OF_EXCHANGE.filter(isGiven).map((name) => `secret.${name} needs MCP_AUTH=exchange`);
  const missing = EXCHANGE_NEEDS.filter((name) => !isGiven(name)).map(
    (name) => `secret.${name} is required with MCP_AUTH=exchange`,
  );
  const doubled = Object.keys(secret)
    .filter((name) => /^HEADER_authorization$/i.test(name))
    .map((name) => `secret.${name} has no place with MCP_AUTH=exchange, which sets this header`);
  return [...missing, ...doubled];
}

/** Of an endpoint or a resource (RFC 6749, section 3.2; RFC 8707): no fragment, and no user in it, which would be shown where addresses are. */
function endpointAddress(value: string): string | undefined {
  const fault = webAddress(value);
  if (fault !== undefined) return fault;
  const { username, password } = new URL(value);
  const isBare = username === '' && password === '' && !value.includes('#');
  return isBare ? undefined : 'must be an address without user, password and fragment';
}

/** RFC 6749, section 3.3. */
function scopes(value: string): string | undefined {
  return /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(value)
    ? undefined
    : 'must be scopes with a space between them';
}
