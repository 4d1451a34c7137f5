import { dump, spellings } from '../support/canary';
import { MACHINE, startAuthorizationServer } from '../support/mcp/authorization-server';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { type McpTestServer, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

describe(
  'the authorization server of an MCP server',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const issuing = begin(() => startAuthorizationServer());
    // An authorization server of an attacker, which must not get any credential.
    const stranger = begin(() => startAuthorizationServer());
    const open: McpTestServer[] = [];

    afterEach(async () => {
      issuing.metadata = undefined;
      for (const server of open.splice(0)) await server.close();
    });

    /**
     * Starts an MCP server that accepts only tokens that the authorization server issued for this server's
     * URL.
     */
    async function started(
      metadata: Record<string, (url: string) => object>,
      challenge?: (url: string) => string,
    ): Promise<McpTestServer> {
      const url = (): string => server.url;
      const server: McpTestServer = await startMcpServer('modern', {
        accepts: (authorization) => issuing.accepts(authorization, url()),
        metadata: new Map(Object.entries(metadata).map(([at, document]) => [at, () => document(url())])),
        ...(challenge === undefined ? {} : { challenge: () => challenge(url()) }),
      });
      open.push(server);
      return server;
    }
    const named = (url: string) => ({ resource: url, authorization_servers: [issuing.issuer] });
    const secretOf = (more: Record<string, string> = {}) => ({
      MCP_AUTH: 'oauth',
      MCP_OAUTH_SUBJECT: 'shared',
      MCP_ISSUER: issuing.issuer,
      MCP_CLIENT_ID: MACHINE.id,
      MCP_CLIENT_SECRET: MACHINE.secret,
      ...more,
    });
    const called = async (server: McpTestServer, more: Record<string, string> = {}) => {
      const name = await path.connection(server.url, { secret: secretOf(more) });
      const answer = await new RawClient(path, name).call('echo', { text: 'found' });
      return { name, answer, text: answer.message.result?.content[0].text as string | undefined };
    };

    // promises: UPSTREAM-7
    it.each<[string, Record<string, (url: string) => object>, ((url: string) => string) | undefined]>([
      ['the well-known address with its path', { [`${WELL_KNOWN}/mcp`]: named }, undefined],
      ['the well-known address of its origin', { [WELL_KNOWN]: named }, undefined],
      [
        'the address that its 401 names',
        { '/elsewhere': named },
        (url) => `Bearer error="invalid_token", resource_metadata="${new URL('/elsewhere', url).href}"`,
      ],
    ])('is found by %s, and issues a token for that server', async (_, metadata, challenge) => {
      const { name, text } = await called(await started(metadata, challenge), { MCP_SCOPE: 'mcp' });
      expect(text).toBe('found');
      const { mcp_auth } = (await path.gateway.call('alice', 'GET', `/connections/${name}`)).body;
      expect(mcp_auth.status).toBe('ok');
      const stored = await dump(path.gateway.database);
      for (const spelling of spellings(MACHINE.secret)) expect(stored).not.toContain(spelling);
    });

    // promises: UPSTREAM-7
    it.each<[string, Record<string, (url: string) => object>, ((url: string) => string) | undefined]>([
      [
        'names another issuer',
        { [`${WELL_KNOWN}/mcp`]: (url) => ({ ...named(url), authorization_servers: [stranger.issuer] }) },
        undefined,
      ],
      ['names none', { [`${WELL_KNOWN}/mcp`]: (url) => ({ resource: url }) }, undefined],
      ['has no metadata', {}, undefined],
      [
        'has the metadata of another server',
        { [`${WELL_KNOWN}/mcp`]: (url) => ({ ...named(url), resource: 'https://other.example/mcp' }) },
        undefined,
      ],
      [
        'has the metadata of another path',
        { [`${WELL_KNOWN}/mcp`]: (url) => ({ ...named(url), resource: `${url}-other` }) },
        undefined,
      ],
      [
        'names metadata at a private address',
        { [`${WELL_KNOWN}/mcp`]: named },
        () => `Bearer resource_metadata="${stranger.issuer.replace('127.0.0.1', 'localhost')}/x"`,
      ],
    ])('gets no credential when the server %s', async (_, metadata, challenge) => {
      const server = await started(metadata, challenge);
      const [ours, theirs] = [issuing.requests.length, stranger.requests.length];
      const { answer } = await called(server);
      expect([answer.status, typeof answer.message.error.message]).toEqual([200, 'string']);
      expect(issuing.requests.slice(ours).filter((asked) => asked === '/token')).toEqual([]);
      expect(stranger.requests.slice(theirs)).toEqual([]);
      expect(server.heard.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    });

    // promises: UPSTREAM-7
    it.each<[string, (right: Record<string, unknown>) => object]>([
      ['another issuer', (right) => ({ ...right, issuer: stranger.issuer })],
      ['no issuer', (right) => ({ ...right, issuer: undefined })],
      ['no token endpoint', (right) => ({ ...right, token_endpoint: undefined })],
      [
        'a token endpoint at a private address',
        (right) => ({
          ...right,
          token_endpoint: `${stranger.issuer.replace('127.0.0.1', 'localhost')}/token`,
        }),
      ],
      [
        'a token endpoint that is no address',
        (right) => ({ ...right, token_endpoint: 'file:///etc/passwd' }),
      ],
    ])('gets no credential when its metadata say %s', async (_, change) => {
      issuing.metadata = change;
      const server = await started({ [`${WELL_KNOWN}/mcp`]: named });
      const [ours, theirs] = [issuing.requests.length, stranger.requests.length];
      const { answer } = await called(server);
      expect([answer.status, typeof answer.message.error.message]).toEqual([200, 'string']);
      expect(issuing.requests.slice(ours).filter((asked) => asked === '/token')).toEqual([]);
      expect(stranger.requests.slice(theirs)).toEqual([]);
    });

    // promises: UPSTREAM-7
    it.each<[string, Record<string, string>, RegExp]>([
      ['no issuer', { MCP_ISSUER: '' }, /MCP_ISSUER is required/],
      ['the address of a document', { MCP_ISSUER: 'https://a.example/.well-known/x' }, /MCP_ISSUER must be/],
      [
        'tokens of persons',
        { MCP_OAUTH_SUBJECT: 'user', MCP_OAUTH_GRANT: 'client_credentials' },
        /MCP_OAUTH_SUBJECT must be shared/,
      ],
      ['a token endpoint', { MCP_TOKEN_URL: 'https://a.example/token' }, /MCP_TOKEN_URL has no effect/],
    ])('is refused in words with %s', async (_, more, fault) => {
      const secret = Object.entries({ REMOTE_URL: 'https://mcp.example/', ...secretOf(more) });
      const answer = await path.gateway.call('admin', 'POST', '/connections', {
        name: `refused-${process.pid}`,
        type: 'application',
        subtype: 'mcpproxy',
        secret: Object.fromEntries(secret.filter(([, value]) => value !== '')),
      });
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(fault)]);
    });
  }),
);
