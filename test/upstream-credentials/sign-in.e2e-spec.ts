import { dump, spellings } from '../support/canary';
import { Browser } from '../support/browser-sign-in';
import { eventually } from '../support/eventually';
import { startAccountServer } from '../support/mcp/account-server';
import {
  addressFor,
  bearerOfLastCall,
  connectAccount,
  openAddress,
  pressButton,
  startGuardedServer,
} from '../support/mcp/connecting';
import { beginMcpPath, startMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';

const CALLS = volume(25, 100);

type Who = 'alice' | 'bob' | 'admin';

describe(
  'an account at an MCP server',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const second = begin(() => startMcpPath({}, path.gateway));
    const accounts = begin(() => startAccountServer());
    const server = begin(() => startGuardedServer('modern', accounts));
    const connection = (more: Record<string, string> = {}) =>
      path.connection(server.url, { secret: { MCP_AUTH: 'oauth', ...more } });
    const connect = async (name: string, person: Who, account: string = person) =>
      connectAccount(await addressFor(path.gateway, name, person), person, accounts, account);
    const stateOf = async (name: string, person: Who = 'alice') =>
      (await path.gateway.call(person, 'GET', `/connections/${name}`)).body.mcp_auth.status;
    const textOf = (answer: { message: { result?: { content: { text: string }[] } } }) =>
      answer.message.result?.content[0]?.text;
    const accountOfLastCall = () =>
      accounts.subjectOf(
        server.heard.findLast(({ body }) => body?.method === 'tools/call')?.headers.authorization,
        server.url,
      );

    /** Moves the clock `lives` token lifetimes forward, for the gateways and the authorization server. */
    const pass = (lives: number): void => {
      jest
        .spyOn(Date, 'now')
        .mockImplementation(
          () => performance.timeOrigin + performance.now() + lives * accounts.lifeSeconds * 1000,
        );
    };

    afterEach(() => {
      jest.restoreAllMocks();
      accounts.refuses = undefined;
      accounts.isRefused = false;
    });

    // promises: UPSTREAM-8, UPSTREAM-9, UPSTREAM-12
    it('is connected by each person in the browser, for that person alone', async () => {
      const name = await connection();
      expect(await stateOf(name)).toBe('none');
      const done = await connect(name, 'alice', 'alice-at-notes');
      expect(await done.text()).toContain(`Connected to ${name}`);
      expect(textOf(await new RawClient(path, name).call('echo', { text: 'x' }))).toBe('x');
      expect(await accountOfLastCall()).toBe('alice-at-notes');
      const { message } = await new RawClient(path, name, 'bob').modern('tools/list');
      expect([message.result, message.error.message]).toEqual([
        undefined,
        expect.stringMatching(/connect your account/i),
      ]);
      expect([await stateOf(name), await stateOf(name, 'bob')]).toEqual(['ok', 'needs_reauth']);
      await connect(name, 'bob', 'bob-at-notes');
      expect(textOf(await new RawClient(path, name, 'bob').call('echo', { text: 'y' }))).toBe('y');
      expect(await accountOfLastCall()).toBe('bob-at-notes');
      expect(await stateOf(name, 'bob')).toBe('ok');
      const { body } = await path.gateway.call('admin', 'GET', '/audit/logs?resource_type=mcp-accounts');
      expect(body.data.length).toBeGreaterThanOrEqual(2);
    });

    // promises: UPSTREAM-8, UPSTREAM-12
    it('is connected by an admin for all with MCP_OAUTH_SUBJECT=shared', async () => {
      const name = await connection({ MCP_OAUTH_SUBJECT: 'shared' });
      const refused = await path.gateway.call('alice', 'POST', `/connections/${name}/mcp-connect`);
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('an admin')]);
      const { message } = await new RawClient(path, name).modern('tools/list');
      expect(message.error.message).toContain('admin');
      await connect(name, 'admin', 'team');
      for (const person of ['alice', 'bob'] as const)
        expect(textOf(await new RawClient(path, name, person).call('echo', { text: person }))).toBe(person);
      expect(await accountOfLastCall()).toBe('team');
      expect([await stateOf(name), await stateOf(name, 'admin')]).toEqual(['ok', 'ok']);
    });

    // promises: UPSTREAM-10
    it('is asked for by the client that the gateway registered once with that server', async () => {
      await connect(await connection(), 'alice');
      const before = accounts.requests.filter((asked) => asked === '/reg').length;
      await connect(await connection(), 'alice');
      expect(before).toBe(1);
      expect(accounts.requests.filter((asked) => asked === '/reg').length).toBe(before);
      expect(accounts.grants.at(-1)).toMatchObject({
        grant_type: 'authorization_code',
        resource: server.url,
        code_verifier: expect.any(String),
      });
    });

    // promises: UPSTREAM-14
    it(`is renewed once for ${CALLS} calls at its expiry on two gateways, with the new refresh token`, async () => {
      const name = await connection();
      await connect(name, 'alice');
      const clients = [new RawClient(path, name), new RawClient(second, name)] as const;
      for (const client of clients) await client.call('echo', { text: 'before' });
      for (const round of [1, 2]) {
        pass(round);
        const before = accounts.grants.length;
        const answers = await Promise.all(
          Array.from({ length: round === 1 ? 1 : CALLS }, (_, at) =>
            clients[at % 2 === 0 ? 0 : 1].call('echo', { text: String(at) }),
          ),
        );
        expect(answers.map(textOf)).toEqual(answers.map((_, at) => String(at)));
        expect(accounts.grants.slice(before).map(({ grant_type: type }) => type)).toEqual(['refresh_token']);
      }
    });

    // promises: UPSTREAM-14
    it('has to be connected again when its server ends it, and no list is empty because of that', async () => {
      const name = await connection();
      await connect(name, 'alice');
      const client = new RawClient(path, name);
      for (const [round, error] of ['invalid_grant', 'invalid_client', 'unauthorized_client'].entries()) {
        await client.call('echo', { text: 'before' });
        pass(round + 1);
        accounts.refuses = error;
        const [asked, heard] = [accounts.requests.length, server.heard.length];
        for (const method of ['tools/list', 'prompts/list', 'resources/list']) {
          const { message, text } = await client.modern(method);
          expect([error, method, message.result, message.error.message]).toEqual([
            error,
            method,
            undefined,
            expect.stringMatching(/connect your account/i),
          ]);
          expect(text).not.toContain('canary');
        }
        // The gateway presented the refused refresh token once, not once for each of the three lists.
        expect(accounts.requests.slice(asked).filter((to) => to === '/token')).toHaveLength(1);
        expect(server.heard.length).toBe(heard);
        expect(await stateOf(name)).toBe('needs_reauth');
        accounts.refuses = undefined;
        await connect(name, 'alice');
        expect(textOf(await client.call('echo', { text: 'again' }))).toBe('again');
        expect(await stateOf(name)).toBe('ok');
      }
    });

    // promises: UPSTREAM-3
    it('stays when a visit goes on that began before a change of the secret', async () => {
      const name = await connection();
      await connect(name, 'alice');
      const before = new RawClient(path, name);
      expect(textOf(await before.call('echo', { text: 'before' }))).toBe('before');
      const changed = await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
        secret: { MCP_SCOPE: 'notes:read' },
      });
      expect(changed.status).toBe(200);
      await connect(name, 'alice');
      expect(await stateOf(name)).toBe('ok');
      // Waits until the gateway reads the token from the database again, two seconds after the last read.
      await new Promise((wait) => setTimeout(wait, 2_200));
      await before.call('echo', { text: 'with the former secret' });
      expect(await stateOf(name)).toBe('ok');
    });

    // promises: UPSTREAM-14
    it('survives an authorization server that is down for a while', async () => {
      const name = await connection();
      await connect(name, 'alice');
      const client = new RawClient(path, name);
      pass(1);
      accounts.refuses = 'temporarily_unavailable';
      const { message } = await client.modern('tools/list');
      expect(message.error.message).toContain('could not renew');
      expect(await stateOf(name)).toBe('ok');
      accounts.refuses = undefined;
      // For two seconds after a fault, the gateway reports the same fault to all callers.
      await new Promise((resolve) => setTimeout(resolve, 2_100));
      expect(textOf(await client.call('echo', { text: 'x' }))).toBe('x');
    });

    // promises: UPSTREAM-15
    it('is disconnected, and its tokens are revoked', async () => {
      const name = await connection();
      await connect(name, 'alice');
      await new RawClient(path, name).call('echo', { text: 'x' });
      const bearer = bearerOfLastCall(server);
      const before = accounts.revoked.length;
      for (let times = 0; times < 2; times++)
        expect((await path.gateway.call('alice', 'DELETE', `/connections/${name}/mcp-connect`)).status).toBe(
          204,
        );
      const revoked = accounts.revoked.slice(before);
      expect(revoked).toHaveLength(2);
      expect(revoked[1]).toBe(bearer);
      const heard = server.heard.length;
      const { message } = await new RawClient(path, name).modern('tools/list');
      expect(message.error.message).toMatch(/connect your account/i);
      expect(server.heard.length).toBe(heard);
    });

    // promises: UPSTREAM-15
    it.each<[string, (name: string) => Promise<{ status: number }>]>([
      ['is deleted', (name) => path.gateway.call('admin', 'DELETE', `/connections/${name}`)],
      [
        'leads elsewhere',
        (name) =>
          path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
            secret: { REMOTE_URL: `${server.url}?other` },
          }),
      ],
    ])('is revoked for all people when the connection %s', async (_, change) => {
      const name = await connection();
      const bearers: string[] = [];
      for (const person of ['alice', 'bob'] as const) {
        await connect(name, person);
        await new RawClient(path, name, person).call('echo', { text: 'x' });
        bearers.push(bearerOfLastCall(server) ?? '');
      }
      const before = accounts.revoked.length;
      expect((await change(name)).status).toBeLessThan(300);
      await eventually('four revocations', async () => accounts.revoked.length - before === 4);
      expect(accounts.revoked.slice(before)).toEqual(expect.arrayContaining(bearers));
    });

    // promises: UPSTREAM-15
    it('is forgotten when the connection is deleted and nobody can be told', async () => {
      const name = await connection();
      await connect(name, 'alice');
      accounts.metadata = () => ({ issuer: 'https://elsewhere.example.com' });
      const before = accounts.revoked.length;
      const asked = accounts.requests.length;
      expect((await path.gateway.call('admin', 'DELETE', `/connections/${name}`)).status).toBe(204);
      await eventually('both metadata documents', async () => accounts.requests.length > asked + 1);
      accounts.metadata = undefined;
      expect(accounts.revoked.length).toBe(before);
    });

    // promises: UPSTREAM-3, UPSTREAM-16
    it('leaves its tokens, codes and clients nowhere, and gets none of the caller’s', async () => {
      const name = await connection();
      await connect(name, 'alice');
      const client = new RawClient(path, name);
      const answers = [await client.call('echo', { text: 'x' }), await client.modern('tools/list')];
      const callers = await path.gateway.token('alice');
      const shown = JSON.stringify([
        answers.map(({ text, headers }) => [text, ...headers]),
        await path.recorded(name),
        (await path.gateway.call('admin', 'GET', `/connections/${name}`)).text,
        (await path.gateway.call('admin', 'GET', '/audit/logs')).text,
      ]);
      const stored = await dump(path.gateway.database);
      expect(accounts.secrets.length).toBeGreaterThan(4);
      for (const canary of [...accounts.secrets, callers])
        for (const spelling of spellings(canary)) {
          expect(shown).not.toContain(spelling);
          expect(stored).not.toContain(spelling);
        }
      const upstream = JSON.stringify([server.heard, accounts.grants, accounts.requests]);
      for (const spelling of spellings(callers)) expect(upstream).not.toContain(spelling);
    });

    // promises: UPSTREAM-9
    it('is asked for on a page without scripts that no other page can frame', async () => {
      const name = await connection();
      const page = await openAddress(new Browser(), await addressFor(path.gateway, name, 'alice'), 'alice');
      expect(page.response.status).toBe(200);
      for (const shown of [name, new URL(server.url).host, new URL(accounts.issuer).host, 'notes:read'])
        expect(page.html).toContain(shown);
      const policy = page.response.headers.get('content-security-policy') ?? '';
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(page.html).not.toMatch(/<script|javascript:| on\w+=/i);
      expect(page.response.headers.get('cache-control')).toBe('no-store');
    });

    // promises: UPSTREAM-9
    it('is not connected when the person cancels, or refuses at the server', async () => {
      const name = await connection();
      const address = await addressFor(path.gateway, name, 'alice');
      const browser = new Browser();
      const page = await openAddress(browser, address, 'alice');
      const cancelled = await pressButton(browser, page, 'cancel');
      expect([cancelled.status, await cancelled.text()]).toEqual([
        200,
        expect.stringContaining('Nothing was connected'),
      ]);
      accounts.isRefused = true;
      await expect(connectAccount(address, 'alice', accounts)).rejects.toThrow(/403 .*You refused/s);
      expect(await stateOf(name)).toBe('none');
      accounts.isRefused = false;
      // The address for connecting the account works for another attempt.
      await connectAccount(address, 'alice', accounts);
      expect(await stateOf(name)).toBe('ok');
    });

    // promises: CONNECTION-16, UPSTREAM-8
    it('is what connections of the catalog lead to', async () => {
      const catalog = (await path.gateway.call('alice', 'GET', '/mcp-catalog')).body;
      const entries = (catalog.data ?? catalog) as { name: string; auth: string }[];
      const entry = entries.find(({ auth }) => auth === 'oauth');
      const made = await path.gateway.call('admin', 'POST', '/connections', {
        name: `catalog-${process.pid}`,
        catalog: entry?.name,
        access_groups: ['*'],
        // Replaces the real server, because tests do not connect to the internet.
        secret: { REMOTE_URL: server.url },
      });
      expect(made.status).toBe(201);
      await connect(made.body.name, 'alice');
      expect(textOf(await new RawClient(path, made.body.name).call('echo', { text: 'x' }))).toBe('x');
    });

    // promises: UPSTREAM-8
    it.each<[string, Record<string, string>, number]>([
      ['client credentials', { MCP_AUTH: 'none' }, 422],
      ['headers', { MCP_AUTH: 'oauth', HEADER_Authorization: 'Bearer x' }, 422],
    ])('is no matter of connections with %s', async (_, secret, status) => {
      const name = await path.connection(server.url, { secret });
      for (const method of ['POST', 'DELETE']) {
        const answer = await path.gateway.call('admin', method, `/connections/${name}/mcp-connect`);
        expect([answer.status, answer.body.message]).toEqual([
          status,
          expect.stringContaining('MCP_AUTH=oauth'),
        ]);
      }
    });
  }),
);
