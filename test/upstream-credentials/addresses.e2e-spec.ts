import { randomUUID } from 'node:crypto';
import { Browser } from '../support/browser-sign-in';
import { type AccountServer, REGISTERED, startAccountServer } from '../support/mcp/account-server';
import {
  addressFor,
  connectAccount,
  openAddress,
  pressButton,
  startGuardedServer,
  wayBack,
} from '../support/mcp/connecting';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';

describe(
  'the address at which a person connects an account',
  scoped((begin) => {
    const path = beginMcpPath(begin, { LOGINS_PER_MINUTE: '1000' });
    const accounts = begin(() => startAccountServer());
    const server = begin(() => startGuardedServer('modern', accounts));
    const connection = (more: Record<string, string> = {}) =>
      path.connection(server.url, { secret: { MCP_AUTH: 'oauth', ...more } });
    const address = async (more: Record<string, string> = {}) =>
      addressFor(path.gateway, await connection(more), 'alice');
    const redeemed = () => accounts.grants.length;

    afterEach(() => {
      accounts.metadata = undefined;
      jest.restoreAllMocks();
    });

    // promises: UPSTREAM-9
    it('does not exist for anybody else', async () => {
      const mine = await address();
      const nowhere = mine.replace(/[^/]+$/, randomUUID());
      for (const person of ['bob', 'admin', 'auditor'] as const) {
        const [theirs, none] = [
          await openAddress(new Browser(), mine, person),
          await openAddress(new Browser(), nowhere, person),
        ];
        expect([person, theirs.response.status, theirs.html]).toEqual([person, 404, none.html]);
      }
      const mineNowhere = await openAddress(new Browser(), nowhere, 'alice');
      expect(mineNowhere.response.status).toBe(404);
      expect((await openAddress(new Browser(), mine, 'alice')).response.status).toBe(200);
    });

    // promises: UPSTREAM-9
    it('tells strangers nothing, and makes the gateway ask nobody', async () => {
      const mine = await address();
      const asked = accounts.requests.length + server.heard.length;
      const answers = [];
      for (const to of [mine, mine.replace(/[^/]+$/, randomUUID())]) {
        const answer = await fetch(to, { redirect: 'manual' });
        answers.push([
          answer.status,
          new URL(answer.headers.get('location') ?? '').pathname,
          await answer.text(),
        ]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(accounts.requests.length + server.heard.length).toBe(asked);
    });

    // promises: UPSTREAM-9
    it('is used once', async () => {
      const mine = await address();
      await connectAccount(mine, 'alice', accounts);
      expect((await openAddress(new Browser(), mine, 'alice')).response.status).toBe(404);
    });

    // promises: UPSTREAM-9
    it('is over after an hour, when the connection changes, and when it is closed to the person', async () => {
      const name = await connection();
      const first = await addressFor(path.gateway, name, 'alice');
      await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
        secret: { MCP_SCOPE: 'notes:write' },
      });
      expect((await openAddress(new Browser(), first, 'alice')).response.status).toBe(404);
      const next = await addressFor(path.gateway, name, 'alice');
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_groups: ['dba'] });
      expect((await openAddress(new Browser(), next, 'alice')).response.status).toBe(404);
      const late = await address();
      await path.gateway.database.query(
        `UPDATE upstream_sign_ins SET expires_at = now() - interval '1 second'`,
      );
      expect((await openAddress(new Browser(), late, 'alice')).response.status).toBe(404);
    });

    // promises: UPSTREAM-11
    it('takes a state from the browser that it gave it to, once, within ten minutes', async () => {
      const browser = new Browser();
      const back = await wayBack(browser, await address(), 'alice', accounts);
      const before = redeemed();
      const other = new Browser();
      await openAddress(other, await address(), 'alice');
      for (const stranger of [other, new Browser()]) {
        const answer = await stranger.request(back);
        expect([answer.status, await answer.text()]).toEqual([
          400,
          expect.stringContaining('another browser'),
        ]);
      }
      expect(redeemed()).toBe(before);
      const both = await Promise.all([browser.request(back), browser.request(back)]);
      expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
      expect(redeemed()).toBe(before + 1);
      expect((await browser.request(back)).status).toBe(400);

      const late = await wayBack(browser, await address(), 'alice', accounts);
      const { now } = Date;
      jest.spyOn(Date, 'now').mockImplementation(() => now() + 10 * 60_000 + 1_000);
      expect((await browser.request(late)).status).toBe(400);
      expect(redeemed()).toBe(before + 1);
    });

    // promises: UPSTREAM-11
    it('takes no answer of another server', async () => {
      const before = redeemed();
      const changes: [string, (url: URL) => void][] = [
        ['another iss', (url) => url.searchParams.set('iss', 'https://other.example')],
        ['no iss', (url) => url.searchParams.delete('iss')],
        ['two of them', (url) => url.searchParams.append('iss', 'https://other.example')],
        [
          'the redirect URI of another issuer',
          (url) => (url.pathname = url.pathname.replace(/[^/]+$/, 'x'.repeat(22))),
        ],
        ['another state', (url) => url.searchParams.set('state', 'x'.repeat(43))],
        ['no state', (url) => url.searchParams.delete('state')],
        ['no code', (url) => url.searchParams.delete('code')],
        ['a code of nobody', (url) => url.searchParams.set('code', 'canary-code')],
      ];
      const browser = new Browser();
      for (const [what, change] of changes) {
        const name = await connection();
        const back = await wayBack(browser, await addressFor(path.gateway, name, 'alice'), 'alice', accounts);
        change(back);
        const answer = await browser.request(back);
        const html = await answer.text();
        expect([what, answer.status >= 400 && answer.status < 500, html.includes('canary')]).toEqual([
          what,
          true,
          false,
        ]);
        const { mcp_auth } = (await path.gateway.call('alice', 'GET', `/connections/${name}`)).body;
        expect([what, mcp_auth.status]).toEqual([what, 'none']);
      }
      expect(redeemed()).toBe(before);
    });

    // promises: UPSTREAM-11
    it('takes no code of an honest server for a connection to another one (mix-up)', async () => {
      const evil: AccountServer = await startAccountServer();
      const guarded = await startGuardedServer('modern', evil);
      try {
        const name = await path.connection(guarded.url, { secret: { MCP_AUTH: 'oauth' } });
        const browser = new Browser();
        // Presents an authorization code of the honest server for a sign-in that began at the evil server.
        const honest = await wayBack(browser, await address(), 'alice', accounts);
        const begun = await pressButton(
          browser,
          await openAddress(browser, await addressFor(path.gateway, name, 'alice'), 'alice'),
        );
        const state = new URL(begun.headers.get('location') ?? '').searchParams.get('state') ?? '';
        honest.searchParams.set('state', state);
        honest.searchParams.delete('iss');
        const answer = await browser.request(honest);
        expect([answer.status, await answer.text()]).toEqual([
          403,
          expect.stringContaining('another authorization server'),
        ]);
        expect(evil.requests).not.toContain('/token');
      } finally {
        await guarded.close();
        await evil.close();
      }
    });

    // promises: UPSTREAM-9
    it('believes no form but its own', async () => {
      const browser = new Browser();
      const page = await openAddress(browser, await address(), 'alice');
      for (const [more, headers, status] of [
        [{ proof: '' }, {}, 409],
        [{ proof: 'x'.repeat(43) }, {}, 409],
        [{ visit: randomUUID() }, {}, 400],
        [{ visit: 'x' }, {}, 400],
        [{}, { 'sec-fetch-site': 'cross-site' }, 403],
        [{}, { 'content-type': 'text/plain' }, 415],
      ] as [Record<string, string>, Record<string, string>, number][]) {
        const answer = await pressButton(browser, page, 'connect', more, headers);
        expect([more, headers, answer.status, answer.headers.get('location')]).toEqual([
          more,
          headers,
          status,
          null,
        ]);
      }
      expect((await pressButton(new Browser(), page)).status).toBe(400);
      expect((await pressButton(browser, page)).status).toBe(303);
    });

    // promises: UPSTREAM-9
    it('asks again when the server names another authorization server meanwhile', async () => {
      const browser = new Browser();
      const name = await connection();
      const page = await openAddress(browser, await addressFor(path.gateway, name, 'alice'), 'alice');
      await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
        secret: { MCP_SCOPE: 'notes:write' },
      });
      expect((await pressButton(browser, page)).status).toBe(404);
    });

    // promises: UPSTREAM-10
    it.each<[string, (right: Record<string, unknown>) => Record<string, unknown>, RegExp]>([
      ['PKCE', (right) => ({ ...right, code_challenge_methods_supported: undefined }), /PKCE with S256/],
      ['S256', (right) => ({ ...right, code_challenge_methods_supported: ['plain'] }), /PKCE with S256/],
      [
        'a page',
        (right) => ({ ...right, authorization_endpoint: undefined }),
        /no page where people sign in/,
      ],
      [
        'a page on the web',
        (right) => ({ ...right, authorization_endpoint: 'javascript:alert(1)' }),
        /no page where people sign in/,
      ],
      [
        'a page by https',
        (right) => ({ ...right, authorization_endpoint: 'http://login.example/auth' }),
        /no page where people sign in/,
      ],
      ['its own name', (right) => ({ ...right, issuer: 'https://other.example' }), /did not answer as one/],
    ])('says in words what an authorization server lacks: %s', async (_, change, words) => {
      accounts.metadata = change;
      // Each case starts a new server, because the gateway caches the metadata that it discovered.
      const fresh = await startGuardedServer('modern', accounts);
      try {
        const name = await path.connection(fresh.url, { secret: { MCP_AUTH: 'oauth' } });
        const page = await openAddress(new Browser(), await addressFor(path.gateway, name, 'alice'), 'alice');
        expect([page.response.status >= 400, page.html]).toEqual([true, expect.stringMatching(words)]);
        expect(page.html).not.toContain('<form');
      } finally {
        await fresh.close();
      }
    });

    // promises: UPSTREAM-9
    it('shows the issuer where people sign in at another address', async () => {
      accounts.metadata = (right) => ({ ...right, authorization_endpoint: 'http://127.0.0.1:9/auth' });
      const fresh = await startGuardedServer('modern', accounts);
      try {
        const name = await path.connection(fresh.url, { secret: { MCP_AUTH: 'oauth' } });
        const page = await openAddress(new Browser(), await addressFor(path.gateway, name, 'alice'), 'alice');
        expect(page.html).toContain('127.0.0.1:9');
        expect(page.html).toContain(new URL(accounts.issuer).host);
        expect(page.html).toContain('another one receives the result of the sign-in');
      } finally {
        await fresh.close();
      }
    });

    // promises: UPSTREAM-10
    it('tells an admin what to register where the gateway cannot introduce itself', async () => {
      const closed = await startAccountServer();
      closed.metadata = (right) => ({ ...right, registration_endpoint: undefined });
      const guarded = await startGuardedServer('modern', closed);
      try {
        const name = await path.connection(guarded.url, { secret: { MCP_AUTH: 'oauth' } });
        const browser = new Browser();
        const page = await openAddress(browser, await addressFor(path.gateway, name, 'alice'), 'alice');
        const answer = await pressButton(browser, page);
        expect([answer.status, await answer.text()]).toEqual([
          422,
          expect.stringMatching(/redirect URI .*\/mcp-connect\/callback\/[\w-]{22}/),
        ]);
      } finally {
        await guarded.close();
        await closed.close();
      }
    });

    // promises: UPSTREAM-10
    it('uses the client of the secret at its issuer, and at no other', async () => {
      const first = await startAccountServer();
      const secret = {
        MCP_AUTH: 'oauth',
        MCP_OAUTH_SUBJECT: 'user',
        MCP_ISSUER: first.issuer,
        MCP_CLIENT_ID: REGISTERED.id,
        MCP_CLIENT_SECRET: REGISTERED.secret,
      };
      const probe = await path.connection('http://127.0.0.1:1/mcp', { secret });
      const { body } = await path.gateway.call('alice', 'POST', `/connections/${probe}/mcp-connect`);
      await first.close();
      const known = await startAccountServer([body.redirect_uri], Number(new URL(first.issuer).port));
      const guarded = await startGuardedServer('modern', known);
      try {
        const name = await path.connection(guarded.url, { secret });
        await connectAccount(await addressFor(path.gateway, name, 'alice'), 'alice', known);
        const { message } = await new RawClient(path, name).call('echo', { text: 'x' });
        expect(message.result?.content[0].text).toBe('x');
        expect(known.requests).not.toContain('/reg');
        // `server` names another issuer, for which the gateway must not use this client.
        const elsewhere = await path.connection(server.url, { secret });
        const page = await openAddress(
          new Browser(),
          await addressFor(path.gateway, elsewhere, 'alice'),
          'alice',
        );
        expect([page.response.status, page.html]).toEqual([422, expect.stringContaining('MCP_ISSUER')]);
      } finally {
        await guarded.close();
        await known.close();
      }
    });

    // promises: UPSTREAM-10
    it('describes the gateway to authorization servers that read metadata documents', async () => {
      const key = 'k'.repeat(22);
      const url = `${path.gateway.api}/mcp-connect/client/${key}`;
      const document = await (await fetch(url)).json();
      expect(document).toEqual({
        client_id: url,
        client_name: expect.stringContaining('Access gateway'),
        client_uri: expect.any(String),
        application_type: 'web',
        redirect_uris: [`${path.gateway.api}/mcp-connect/callback/${key}`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      });
    });

    // promises: UPSTREAM-8
    it.each<[Record<string, string>, RegExp]>([
      [{ MCP_CLIENT_ID: 'x' }, /MCP_ISSUER is required/],
      [{ MCP_CLIENT_SECRET: 'x', MCP_ISSUER: 'https://a.example' }, /MCP_CLIENT_ID is required/],
      [{ MCP_OAUTH_GRANT: 'implicit' }, /MCP_OAUTH_GRANT must be/],
      [{ MCP_OAUTH_GRANT: 'client_credentials' }, /MCP_ISSUER is required/],
      [{ HEADER_Authorization: 'Bearer x', MCP_OAUTH_SUBJECT: 'user' }, /HEADER_authorization has no place/],
    ])('is refused in words with %j', async (more, fault) => {
      const answer = await path.gateway.call('admin', 'POST', '/connections', {
        name: `refused-${process.pid}`,
        type: 'application',
        subtype: 'mcpproxy',
        secret: { REMOTE_URL: server.url, MCP_AUTH: 'oauth', ...more },
      });
      expect([answer.status, answer.body.message]).toEqual([422, expect.stringMatching(fault)]);
    });
  }),
);
