import { dump, spellings } from '../support/canary';
import { captureLog } from '../support/log';
import { registerClient, tokensFor } from '../support/mcp-sign-in';
import { figure } from '../support/mcp/figures';
import { startMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { CLIENT, startTokenEndpoint } from '../support/mcp/token-endpoint';

const STATIC = 'canary-static-header-Wm37xq';
const SEEN = [
  'events',
  'upstream traffic',
  'requests for tokens',
  'answers',
  'the API',
  'the database',
  'the log',
] as const;

/**
 * Sends secrets through the gateway, and searches everything that is visible afterwards. Each secret may
 * only be where it is needed.
 */
it('no credential is in a log, an event, an answer, a row, or at a server whose it is not', async () => {
  const log = captureLog();
  const closing: { close(): Promise<void> }[] = [];
  const keep = <T extends { close(): Promise<void> }>(one: T): T => (closing.push(one), one);
  try {
    const path = keep(await startMcpPath({ LOG_LEVEL: 'trace' }));
    const tokens = keep(await startTokenEndpoint(() => path.gateway.api));
    const guarded = keep(await startMcpServer('modern', tokens));
    const legacy = keep(await startMcpServer('legacy', tokens));
    const plain = keep(await startMcpServer('dual'));
    const exchange = {
      MCP_AUTH: 'exchange',
      MCP_TOKEN_URL: tokens.url,
      MCP_CLIENT_ID: CLIENT.id,
      MCP_CLIENT_SECRET: CLIENT.secret,
    };
    const names = [
      await path.connection(guarded.url, { secret: exchange }),
      await path.connection(legacy.url, { secret: { ...exchange, MCP_OAUTH_SUBJECT: 'shared' } }),
      await path.connection(plain.url, {
        secret: { MCP_AUTH: 'static', HEADER_authorization: `Bearer ${STATIC}` },
      }),
      await path.connection(plain.url, { mcp_policy: { server_requests: ['elicitation'] } }),
    ];
    const registered = await registerClient(path.gateway);
    const answers: RawAnswer[] = [];
    const sessions: string[] = [];
    const states: string[] = [];
    const callers: string[] = [];
    for (const name of names) {
      const own = await tokensFor(path.gateway, registered, name);
      callers.push(own.access, own.refresh);
      const issued = new RawClient(
        { endpoint: (one) => path.endpoint(one), gateway: { token: async () => own.access } },
        name,
      );
      for (const client of [new RawClient(path, name), new RawClient(path, name, 'bob'), issued]) {
        answers.push(
          await client.modern('tools/list'),
          await client.call('echo', { text: 'x' }),
          await client.call('fail'),
        );
        answers.push(
          await client.call('nothing'),
          await client.modern('resources/read', { uri: 'test://none' }),
        );
        const session = await client.begin();
        sessions.push(session['mcp-session-id'] ?? '');
        answers.push(
          await client.send(
            {
              jsonrpc: '2.0',
              id: 1,
              method: 'tools/call',
              params: { name: 'echo', arguments: { text: 'y' } },
            },
            session,
          ),
        );
        answers.push(await client.send(undefined, session, 'DELETE'));
      }
    }
    const asking = await new RawClient(path, names[3] ?? '').modern(
      'tools/call',
      { name: 'ask_person', arguments: {} },
      {},
      { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } },
    );
    states.push(asking.message.result.requestState as string);
    // Causes errors whose description contains a token, because logs and answers could repeat it.
    tokens.revokeAll();
    tokens.instead = {
      status: 400,
      body: JSON.stringify({ error: 'invalid_grant', error_description: tokens.issued[0] }),
    };
    for (const name of names.slice(0, 2))
      answers.push(await new RawClient(path, name, 'admin').call('echo', { text: 'x' }));
    // Sends invalid tokens, because a refusal could repeat them.
    for (const bearer of callers)
      await fetch(path.endpoint(names[0] ?? ''), {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}x` },
      }).then((one) => one.text());

    const people = await Promise.all(
      (['alice', 'bob', 'admin'] as const).map((person) => path.gateway.token(person)),
    );
    const shown = await Promise.all(
      ['/audit/logs', '/sessions', '/connections', ...names.map((name) => `/connections/${name}`)].map(
        async (route) => (await path.gateway.call('admin', 'GET', route)).text,
      ),
    );
    const events = JSON.stringify(await Promise.all(names.map((name) => path.recorded(name))));
    const heard = (servers: readonly (typeof plain)[]): string =>
      JSON.stringify(servers.map((one) => one.heard));
    const places: Record<(typeof SEEN)[number], string> = {
      events,
      // Servers receive the gateway's own credentials for them, but must not receive a caller's credential.
      'upstream traffic': heard([guarded, legacy, plain]),
      'requests for tokens': JSON.stringify(tokens.requests),
      answers: JSON.stringify(answers.map(({ text, headers }) => [text, ...headers])),
      'the API': JSON.stringify(shown),
      'the database': await dump(path.gateway.database),
      'the log': log.text(),
    };
    const everywhere = SEEN;
    const away = SEEN.filter((place) => place !== 'upstream traffic');
    const canaries: [string, string, readonly string[]][] = [
      ...people.map((token): [string, string, readonly string[]] => [
        'a token of the provider',
        token,
        everywhere,
      ]),
      ...callers.map((token): [string, string, readonly string[]] => ['a token of ours', token, everywhere]),
      ...tokens.issued.map((token): [string, string, readonly string[]] => [
        'a token of the server',
        token,
        away,
      ]),
      ...sessions.map((id): [string, string, readonly string[]] => ['a session id', id, everywhere]),
      // The client must receive its request state, so the answer with it is not searched.
      ...states.map((state): [string, string, readonly string[]] => ['a request state', state, everywhere]),
      // The token endpoint must receive the client secret.
      ['the secret of the client', CLIENT.secret, SEEN.filter((place) => place !== 'requests for tokens')],
      ['a static header', STATIC, away],
    ];
    const found: string[] = [];
    for (const [what, canary, where] of canaries)
      for (const place of where)
        for (const spelling of spellings(canary))
          if (spelling.length > 10 && places[place as (typeof SEEN)[number]].includes(spelling))
            found.push(`${what} in ${place}`);
    // Credentials of the gateway for one server must not reach another server either.
    for (const token of tokens.issued)
      if (heard([plain]).includes(token)) found.push('a token at another server');
    if (heard([guarded, legacy]).includes(STATIC)) found.push('a header at another server');
    figure('canaries', { canaries: canaries.length, places: SEEN.length, found: found.length });
    expect(found).toEqual([]);
    expect(canaries.length).toBeGreaterThan(20);
    // The servers did receive their own credentials, so the searched places are not empty.
    expect(heard([guarded, legacy])).toContain(tokens.issued[0]);
    expect(heard([plain])).toContain(STATIC);
    expect(log.text().length).toBeGreaterThan(10_000);
    expect(events).toContain('tools/call');
  } finally {
    for (const one of closing.toReversed()) await one.close();
    log.restore();
  }
});
