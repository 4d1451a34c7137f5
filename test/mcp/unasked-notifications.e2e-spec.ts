import { eventually } from '../support/eventually';
import { type ClientKind, type McpClient, connectClient } from '../support/mcp/clients';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { event, json, rawModern, stream } from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { type Place, startUnannouncedServer } from '../support/mcp/unannounced-server';
import { scoped } from '../support/scoped';

const LOGGED = ['notifications/message', { level: 'debug', logger: 'l', data: { words: 'logged' } }] as const;
const CHANGES = ['tools', 'prompts', 'resources'].map(
  (kind) => [`notifications/${kind}/list_changed`, undefined] as const,
);
const NOTIFICATIONS: (readonly [string, Record<string, unknown> | undefined])[] = [LOGGED, ...CHANGES];
const LEGACY: ClientKind[] = ['legacy', 'default'];

/** Returns the severities of the log messages that the client received. */
const levelsOf = ({ heard }: McpClient): unknown[] =>
  heard
    .filter(({ method }) => method === 'notifications/message')
    .map(({ params }) => (params as { level: unknown }).level);

// promises: MCP-20
describe(
  'what a server sends to a legacy client that asked for nothing',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_CLIENTS_PER_USER: '100' });
    const server = begin(startUnannouncedServer);
    const everything = begin(() => startMcpServer('legacy'));
    const modern = begin(() => startMcpServer('modern'));

    /** Returns the notifications that a client gets: in answers, on its own stream, and between calls. */
    async function heardBy(client: McpClient): Promise<unknown[]> {
      for (const place of ['answer', 'shared'] satisfies Place[])
        for (const [method, params] of NOTIFICATIONS) {
          const before = client.heard.length;
          await client.call('tell', { method, params, place });
          await eventually(`${method} is heard`, async () => client.heard.length > before);
        }
      for (const [method, params] of NOTIFICATIONS) {
        const before = client.heard.length;
        await server.tell(method, params);
        await eventually(`${method} is heard`, async () => client.heard.length > before);
      }
      // Waits for one last notification, which arrives after all late or repeated ones.
      await client.call('tell', { method: 'notifications/message', params: LOGGED[1], place: 'answer' });
      return client.heard.map(({ method, params }) => [method, method === LOGGED[0] ? params : null]);
    }

    it.each(LEGACY)('comes to a %s client as it comes directly, once', async (kind) => {
      const direct = await connectClient(kind, server.url);
      // `heardBy` waits for each notification, because an SDK opens its stream only after the session has
      // begun.
      const expected = await heardBy(direct);
      await direct.close();
      const through = await path.client(kind, await path.connection(server.url));
      expect(await heardBy(through)).toEqual(expected);
      expect(expected).toHaveLength(3 * NOTIFICATIONS.length + 1);
    });

    it.each(LEGACY)('is recorded before a %s client hears it', async (kind) => {
      const name = await path.connection(server.url);
      const client = await path.client(kind, name);
      await client.call('tell', { method: LOGGED[0], params: LOGGED[1], place: 'answer' });
      const events = await path.recorded(name);
      expect(events).toContainEqual(['o', expect.stringContaining('"words":"logged"')]);
    });

    it.each(LEGACY)('are the log messages of every level, until a %s client sets one', async (kind) => {
      const client = await path.client(kind, await path.connection(everything.url));
      await client.call('log');
      expect(levelsOf(client)).toEqual(['debug', 'info', 'warning', 'error']);
      await client.setLevel('warning');
      await client.call('log');
      expect(levelsOf(client).slice(4)).toEqual(['warning', 'error']);
    });

    it.each(LEGACY)(
      'are the log messages of a modern server, which a %s client cannot ask for',
      async (kind) => {
        const client = await path.client(kind, await path.connection(modern.url));
        await client.call('log');
        expect(levelsOf(client)).toEqual(['debug', 'info', 'warning', 'error']);
        await client.setLevel('error');
        await client.call('log');
        expect(levelsOf(client).slice(4)).toEqual(['error']);
      },
    );

    it('has no level where the server has none to set', async () => {
      const direct = await connectClient('legacy', server.url);
      const through = await path.client('legacy', await path.connection(server.url));
      for (const client of [direct, through])
        await expect(client.setLevel('error')).rejects.toMatchObject({ code: -32601 });
      await direct.close();
    });

    it('is no log message for a modern client, which names a level where it wants them', async () => {
      for (const { url } of [everything, modern]) {
        const client = await path.client('modern', await path.connection(url));
        await client.call('log');
        expect(levelsOf(client)).toEqual([]);
      }
    });

    it('are no updates of resources that the policy denies', async () => {
      const mcp_policy = { resources: { allowed: ['test://allowed/*'] } };
      const client = await path.client('legacy', await path.connection(server.url, { mcp_policy }));
      const method = 'notifications/resources/updated';
      for (const uri of ['test://denied/a', 'test://allowed/a', undefined])
        await client.call('tell', { method, params: { uri }, place: 'answer' });
      expect(client.heard.map(({ params }) => params)).toEqual([{ uri: 'test://allowed/a' }]);
    });
  }),
);

// promises: MCP-20
describe(
  'a modern server that tells of a change in the answer to the call that made it',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() =>
      rawModern(({ body: { id, method } }, response) => {
        const answer = (result: object): object => ({
          jsonrpc: '2.0',
          id,
          result: { resultType: 'complete', ...result },
        });
        if (method !== 'tools/call')
          return json(response, answer({ tools: [{ name: 'change', inputSchema: { type: 'object' } }] }));
        stream(response);
        response.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }));
        response.end(event(answer({ content: [] })));
      }),
    );

    it.each<ClientKind>(['modern', 'legacy'])('tells it to a %s client', async (kind) => {
      const client = await path.client(kind, await path.connection(server.url));
      await client.call('change');
      expect(client.heard.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
    });
  }),
);
