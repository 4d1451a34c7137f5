import { setTimeout as pause } from 'node:timers/promises';
import { dump, spellings } from '../support/canary';
import { figure } from '../support/mcp/figures';
import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { CLIENT, startTokenEndpoint } from '../support/mcp/token-endpoint';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';

const CALLS = volume(25, 100);

describe(
  'the credential of the gateway at an MCP server',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const second = begin(() => startMcpPath({}, path.gateway));
    const tokens = begin(() => startTokenEndpoint(() => path.gateway.api));
    const server = begin(() => startMcpServer('modern', tokens));
    const secretOf = (more: Record<string, string> = {}): Record<string, string> => ({
      MCP_AUTH: 'exchange',
      MCP_TOKEN_URL: tokens.url,
      MCP_CLIENT_ID: CLIENT.id,
      MCP_CLIENT_SECRET: CLIENT.secret,
      ...more,
    });
    const connection = (more: Record<string, string> = {}) =>
      path.connection(server.url, { secret: secretOf(more) });
    const stateOf = async (name: string, person: 'alice' | 'admin' = 'alice') =>
      (await path.gateway.call(person, 'GET', `/connections/${name}`)).body.mcp_auth;
    const calls = () => server.heard.filter(({ body }) => body?.method === 'tools/call');
    const textOf = (answer: { message: { result?: { content: { text: string }[] } } }) =>
      answer.message.result?.content[0]?.text;

    afterEach(() => {
      tokens.instead = undefined;
      tokens.lifeSeconds = 3600;
    });

    // promises: UPSTREAM-1, UPSTREAM-2, UPSTREAM-6
    it('is exchanged for each principal, by an assertion that the gateway signs', async () => {
      const name = await connection({ MCP_AUDIENCE: 'the-server', MCP_SCOPE: 'read write' });
      expect(await stateOf(name)).toEqual({ status: 'none', since: null });
      const before = tokens.requests.length;
      for (const person of ['alice', 'bob', 'alice'] as const)
        expect(textOf(await new RawClient(path, name, person).call('echo', { text: person }))).toBe(person);
      const asked = tokens.requests.slice(before);
      const [alice, bob] = asked.map(({ subject }) => subject?.sub);
      expect(asked).toHaveLength(2);
      expect(alice).not.toBe(bob);
      expect(
        calls()
          .slice(-3)
          .map(({ headers }) => tokens.subjectOf(headers.authorization)),
      ).toEqual([alice, bob, alice]);
      expect(asked[0]?.subject).toMatchObject({
        iss: path.gateway.api,
        aud: tokens.url,
        identity_type: 'user',
        email: expect.stringContaining('alice'),
      });
      expect(asked[0]?.form).toMatchObject({ audience: 'the-server', scope: 'read write' });
      expect(asked[0]?.form).not.toHaveProperty('resource');
      expect(await stateOf(name)).toEqual({ status: 'ok', since: expect.any(String) });
      // The admin has no own token, and does not see the state of alice's token.
      expect(await stateOf(name, 'admin')).toEqual({ status: 'none', since: null });
    });

    // promises: UPSTREAM-1, UPSTREAM-6
    it('is shared by all principals with MCP_OAUTH_SUBJECT=shared', async () => {
      const name = await connection({ MCP_OAUTH_SUBJECT: 'shared' });
      const before = tokens.requests.length;
      for (const person of ['alice', 'bob'] as const)
        expect(textOf(await new RawClient(path, name, person).call('echo', { text: person }))).toBe(person);
      const asked = tokens.requests.slice(before);
      expect(asked.map(({ form }) => form)).toEqual([
        { grant_type: 'client_credentials', resource: server.url },
      ]);
      expect(await stateOf(name, 'admin')).toEqual({ status: 'ok', since: expect.any(String) });
      const listed = await path.gateway.call('admin', 'GET', `/connections?search=${name}`);
      expect(listed.body.data[0].mcp_auth.status).toBe('ok');
    });

    // promises: UPSTREAM-2, UPSTREAM-3
    it('is not sent to the client, and the token of the caller is not sent to the server', async () => {
      const name = await connection();
      const client = new RawClient(path, name);
      const answers = [
        await client.call('echo', { text: 'x' }),
        await client.modern('tools/list'),
        await client.call('fail'),
      ];
      const callers = await path.gateway.token('alice');
      const upstream = JSON.stringify([server.heard, tokens.requests]);
      expect(upstream).toContain(tokens.issued.at(-1));
      for (const spelling of spellings(callers)) expect(upstream).not.toContain(spelling);
      const shown = JSON.stringify([
        answers.map(({ text, headers }) => [text, ...headers]),
        await path.recorded(name),
        (await path.gateway.call('admin', 'GET', `/connections/${name}`)).text,
        (await path.gateway.call('admin', 'GET', '/audit/logs')).text,
      ]);
      const stored = await dump(path.gateway.database);
      for (const canary of [...tokens.issued, CLIENT.secret, callers])
        for (const spelling of spellings(canary)) {
          expect(shown).not.toContain(spelling);
          expect(stored).not.toContain(spelling);
        }
    });

    // promises: UPSTREAM-4
    it(`is renewed once for ${CALLS} calls at its expiry on two gateways`, async () => {
      const name = await connection({ MCP_OAUTH_SUBJECT: 'shared' });
      const clients = [new RawClient(path, name), new RawClient(second, name)] as const;
      tokens.lifeSeconds = 1;
      for (const client of clients) await client.call('echo', { text: 'before' });
      await pause(1_100);
      tokens.lifeSeconds = 3600;
      tokens.revokeAll();
      const before = tokens.requests.length;
      const answers = await Promise.all(
        Array.from({ length: CALLS }, (_, at) =>
          clients[at % 2 === 0 ? 0 : 1].call('echo', { text: String(at) }),
        ),
      );
      const refreshes = tokens.requests.length - before;
      figure('token expiry', { calls: answers.length, gateways: clients.length, refreshes });
      expect(answers.map(textOf)).toEqual(answers.map((_, at) => String(at)));
      expect(refreshes).toBe(1);
    });

    // promises: UPSTREAM-4
    it.each(['modern', 'legacy'] as const)(
      'is renewed after a 401 of a %s server, and the call runs once',
      async (era) => {
        const guarded = await startMcpServer(era, tokens);
        try {
          const name = await path.connection(guarded.url, { secret: secretOf() });
          const client = new RawClient(path, name);
          await client.call('echo', { text: 'before' });
          // Moves the clock to more than ten seconds after the token was issued. PostgreSQL and this process
          // still store the token.
          const clock = jest
            .spyOn(Date, 'now')
            .mockImplementation(() => performance.timeOrigin + performance.now() + 11_000);
          tokens.revokeAll();
          const before = tokens.requests.length;
          const runs = guarded.counts.runs.get('echo') ?? 0;
          const answers = await Promise.all(
            ['1', '2', '3'].map((text) => client.call('echo', { text })),
          ).finally(() => clock.mockRestore());
          expect(answers.map(textOf)).toEqual(['1', '2', '3']);
          expect(tokens.requests.length - before).toBe(1);
          expect((guarded.counts.runs.get('echo') ?? 0) - runs).toBe(3);
        } finally {
          await guarded.close();
        }
      },
    );

    // promises: UPSTREAM-4, UPSTREAM-6
    it('is renewed once for a server that refuses each token', async () => {
      const strict = await startMcpServer('modern', { accepts: () => false });
      try {
        const name = await path.connection(strict.url, { secret: secretOf() });
        const before = tokens.requests.length;
        for (let tries = 0; tries < 5; tries++) {
          const { status, message } = await new RawClient(path, name).modern('tools/list');
          expect(status).toBe(200);
          expect(message.error.message).toContain('refuses the credential');
        }
        expect(tokens.requests.length - before).toBe(1);
      } finally {
        await strict.close();
      }
    });

    // promises: UPSTREAM-6
    it('is shown as needs_reauth when the token endpoint refuses, and the calls say so', async () => {
      const name = await connection();
      tokens.instead = {
        status: 400,
        body: '{"error":"invalid_grant","error_description":"canary-description"}',
      };
      const client = new RawClient(path, name);
      const before = tokens.requests.length;
      const answers = await Promise.all([client.modern('tools/list'), client.call('echo', { text: 'x' })]);
      for (const { status, text, message } of answers) {
        expect([status, message.result]).toEqual([200, undefined]);
        expect(message.error.message).toContain('invalid_grant');
        expect(text).not.toContain('canary');
      }
      expect(tokens.requests.length - before).toBe(1);
      const state = await stateOf(name);
      expect(state).toEqual({ status: 'needs_reauth', since: expect.any(String) });
      // A change of the connection's secret resets the state of its tokens.
      tokens.instead = undefined;
      await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { secret: { MCP_SCOPE: 'other' } });
      expect(await stateOf(name)).toEqual({ status: 'none', since: null });
      expect(textOf(await new RawClient(path, name, 'bob').call('echo', { text: 'again' }))).toBe('again');
    });

    // promises: UPSTREAM-3
    it('is not sent to another server to which the connection leads later', async () => {
      const other = await startMcpServer('modern');
      try {
        const name = await connection({ MCP_OAUTH_SUBJECT: 'shared' });
        await new RawClient(path, name).call('echo', { text: 'x' });
        const old = tokens.issued.at(-1) ?? '';
        await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
          secret: { REMOTE_URL: other.url },
        });
        await new RawClient(path, name, 'bob').call('echo', { text: 'x' });
        expect(other.heard.length).toBeGreaterThan(0);
        expect(JSON.stringify(other.heard)).not.toContain(old);
        expect(tokens.requests.at(-1)?.form['resource']).toBe(other.url);
      } finally {
        await other.close();
      }
    });

    // promises: UPSTREAM-5
    it.each([
      [
        'a redirect',
        () => ({ status: 307, headers: { location: tokens.url.replace('/token', '/elsewhere') }, body: '' }),
      ],
      ['a page', () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<h1>canary</h1>' })],
      [
        'a token with a line break',
        () => ({ status: 200, body: '{"access_token":"a\\r\\nX-Evil: 1","token_type":"Bearer"}' }),
      ],
      ['another type of token', () => ({ status: 200, body: '{"access_token":"a","token_type":"DPoP"}' })],
      [
        'another issued type',
        () => ({
          status: 200,
          body: '{"access_token":"a","token_type":"Bearer","issued_token_type":"urn:ietf:params:oauth:token-type:refresh_token"}',
        }),
      ],
      [
        'an endless answer',
        () => ({ status: 200, body: `{"access_token":"${'a'.repeat(512 * 1024)}","token_type":"Bearer"}` }),
      ],
      ['an error of its own', () => ({ status: 503, body: '{"error":"canary"}' })],
    ])('is not obtained from %s', async (_, instead) => {
      const name = await connection();
      tokens.instead = instead();
      const [asked, heard] = [tokens.requests.length, server.heard.length];
      const { status, text, message } = await new RawClient(path, name).call('echo', { text: 'x' });
      expect([status, typeof message.error.message]).toEqual([200, 'string']);
      expect(text).not.toContain('canary');
      expect(tokens.requests.length - asked).toBe(1);
      expect(server.heard.length).toBe(heard);
    });

    // promises: UPSTREAM-5
    it.each([
      'http://localhost',
      'http://[::1]',
      'https://169.254.169.254',
      'http://[::ffff:127.0.0.1]',
      'http://2130706433.nip.invalid',
    ])('is not asked for at %s', async (origin) => {
      const name = await connection({ MCP_TOKEN_URL: `${origin}:${new URL(tokens.url).port}/token` });
      const before = tokens.requests.length;
      const { status, message } = await new RawClient(path, name).call('echo', { text: 'x' });
      expect([status, message.error.message]).toEqual([200, expect.stringContaining('token endpoint')]);
      expect(tokens.requests.length).toBe(before);
    });

    // promises: UPSTREAM-1
    it.each<[string, Record<string, string>, RegExp]>([
      ['no token endpoint', { MCP_TOKEN_URL: '' }, /MCP_TOKEN_URL is required/],
      ['no client', { MCP_CLIENT_ID: '' }, /MCP_CLIENT_ID is required/],
      ['no secret', { MCP_CLIENT_SECRET: '' }, /MCP_CLIENT_SECRET is required/],
      ['a user in the address', { MCP_TOKEN_URL: 'https://a:b@idp.example/token' }, /MCP_TOKEN_URL must be/],
      ['a fragment', { MCP_RESOURCE: 'https://mcp.example/#x' }, /MCP_RESOURCE must be/],
      ['another subject', { MCP_OAUTH_SUBJECT: 'me' }, /MCP_OAUTH_SUBJECT must be/],
      ['a scope that is none', { MCP_SCOPE: 'a"b' }, /MCP_SCOPE must be/],
      ['a second credential', { HEADER_authorization: 'Bearer x' }, /HEADER_authorization has no place/],
      ['nothing to use it', { MCP_AUTH: 'static' }, /MCP_TOKEN_URL has no effect with MCP_AUTH=static/],
    ])('is refused in words with %s', async (_, more, fault) => {
      const secret = Object.entries({ REMOTE_URL: server.url, ...secretOf(more) }).filter(
        ([, value]) => value !== '',
      );
      const answer = await path.gateway.call('admin', 'POST', '/connections', {
        name: `refused-${process.pid}`,
        type: 'application',
        subtype: 'mcpproxy',
        secret: Object.fromEntries(secret),
      });
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(fault)]);
      expect(answer.text).not.toContain(CLIENT.secret);
    });
  }),
);
