import { Browser } from '../support/browser-sign-in';
import { startAccountServer } from '../support/mcp/account-server';
import {
  connectAccount,
  openAddress,
  pressButton,
  startGuardedServer,
  throughAccountServer,
} from '../support/mcp/connecting';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { scoped } from '../support/scoped';

const URLS = { elicitation: { url: {} } };
const MODERN_URLS = { 'io.modelcontextprotocol/clientCapabilities': URLS };
const CALL = { name: 'echo', arguments: { text: 'x' } };
const ADDRESS = /https?:\/\/\S+\/mcp-connect\/[0-9a-f-]{36}/;

// promises: UPSTREAM-13
describe(
  'an MCP client whose person has no account at the server yet',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const accounts = begin(() => startAccountServer());
    let lacking: string | undefined;
    const servers = {
      modern: begin(() => startGuardedServer('modern', accounts, () => lacking)),
      legacy: begin(() => startGuardedServer('legacy', accounts, () => lacking)),
    };
    const connection = (kind: 'modern' | 'legacy', more: Record<string, string> = {}) =>
      path.connection(servers[kind].url, { secret: { MCP_AUTH: 'oauth', ...more } });
    const legacyCall = (client: RawClient, session: Record<string, string>) =>
      client.send({ jsonrpc: '2.0', id: 7, method: 'tools/call', params: CALL }, session);

    afterEach(() => (lacking = undefined));

    describe.each(['modern', 'legacy'] as const)('at a %s server', (kind) => {
      it('gets the page by input_required when it opens addresses, and goes on with the state', async () => {
        const client = new RawClient(path, await connection(kind));
        expect(
          (await client.modern('server/discover', {}, {}, MODERN_URLS)).message.result.capabilities,
        ).toEqual(expect.objectContaining({ tools: expect.any(Object) }));
        const ask = (more: object = {}) => client.modern('tools/call', { ...CALL, ...more }, {}, MODERN_URLS);
        const { result } = (await ask()).message;
        expect(result).toMatchObject({
          resultType: 'input_required',
          inputRequests: {
            page: {
              method: 'elicitation/create',
              params: { mode: 'url', url: expect.stringMatching(ADDRESS) },
            },
          },
        });
        const agreed = { inputResponses: { page: { action: 'accept' } } };
        const early = (await ask({ requestState: result.requestState, ...agreed })).message.result;
        expect([early.isError, early.content[0].text]).toEqual([true, expect.stringMatching(ADDRESS)]);
        const again = (await ask()).message.result;
        await connectAccount(again.inputRequests.page.params.url, 'alice', accounts);
        const done = (await ask({ requestState: again.requestState, ...agreed })).message.result;
        expect(done.content).toEqual([{ type: 'text', text: 'x' }]);
        const replayed = (await ask({ requestState: again.requestState, ...agreed })).message;
        expect(replayed.error.code).toBe(-32602);
      });

      it('gets error -32042 in a legacy session when it opens addresses, and repeats the call', async () => {
        const client = new RawClient(path, await connection(kind));
        const session = await client.begin('2025-11-25', URLS);
        const { error } = (await legacyCall(client, session)).message;
        expect(error).toMatchObject({
          code: -32042,
          data: {
            elicitations: [
              {
                mode: 'url',
                elicitationId: expect.any(String),
                url: expect.stringMatching(ADDRESS),
                message: expect.any(String),
              },
            ],
          },
        });
        await connectAccount(error.data.elicitations[0].url, 'alice', accounts);
        expect((await legacyCall(client, session)).message.result.content).toEqual([
          { type: 'text', text: 'x' },
        ]);
      });

      it('gets the address in words when it opens none', async () => {
        const client = new RawClient(path, await connection(kind));
        const session = await client.begin('2025-06-18');
        for (const { result } of [
          (await client.call('echo', { text: 'x' })).message,
          (await legacyCall(client, session)).message,
        ])
          expect([result.isError, result.content[0].text]).toEqual([true, expect.stringMatching(ADDRESS)]);
        const { message } = await client.modern('tools/list');
        expect([message.result, message.error.message]).toEqual([undefined, expect.stringMatching(ADDRESS)]);
        await connectAccount(ADDRESS.exec(message.error.message)?.[0] ?? '', 'alice', accounts);
        expect((await client.modern('tools/list')).message.result.tools.length).toBeGreaterThan(0);
      });
    });

    it('hears that an admin connects a shared account, without an address', async () => {
      const client = new RawClient(path, await connection('modern', { MCP_OAUTH_SUBJECT: 'shared' }));
      const { text, message } = await client.modern('tools/call', CALL, {}, MODERN_URLS);
      expect([message.result.isError, message.result.content[0].text]).toEqual([
        true,
        expect.stringContaining('admin'),
      ]);
      expect(text).not.toMatch(ADDRESS);
    });

    it('is asked again when the server demands a larger scope', async () => {
      const client = new RawClient(path, await connection('modern'));
      const ask = () => client.modern('tools/call', CALL, {}, MODERN_URLS);
      const first = (await ask()).message.result.inputRequests.page.params.url as string;
      await connectAccount(first, 'alice', accounts);
      expect((await ask()).message.result.content).toEqual([{ type: 'text', text: 'x' }]);
      lacking = 'notes:write';
      const second = (await ask()).message.result.inputRequests.page.params.url as string;
      expect(second).not.toBe(first);
      const browser = new Browser();
      const sent = await pressButton(browser, await openAddress(browser, second, 'alice'));
      const location = sent.headers.get('location') ?? '';
      expect(new URL(location).searchParams.get('scope')?.split(' ')).toEqual(
        expect.arrayContaining(['notes:read', 'notes:write']),
      );
      expect((await browser.request(await throughAccountServer(location, accounts))).status).toBe(200);
      lacking = undefined;
      expect((await ask()).message.result.content).toEqual([{ type: 'text', text: 'x' }]);
    });

    it('leaves the address in the recording, and nobody else gets it', async () => {
      const name = await connection('modern');
      const alice = new RawClient(path, name);
      const { url } = (await alice.modern('tools/call', CALL, {}, MODERN_URLS)).message.result.inputRequests
        .page.params;
      const bob = (await new RawClient(path, name, 'bob').modern('tools/call', CALL, {}, MODERN_URLS))
        .message;
      expect(bob.result.inputRequests.page.params.url).not.toBe(url);
      const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${name}&user=alice`);
      expect(body.data.length).toBeGreaterThan(0);
    });
  }),
);
