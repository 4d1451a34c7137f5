import { once } from 'node:events';
import { type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { outageOnce } from '../support/outage-once';
import { scoped } from '../support/scoped';

const UNKNOWN = 'Whether the request ran is not known.';
const TOOLS = { resultType: 'complete', tools: [{ name: 'x', inputSchema: { type: 'object' } }] };
const MEBIBYTE = 1_048_576;

type Answering = (response: ServerResponse, id: unknown) => void;

/** A token endpoint that never answers. */
async function startSilentServer() {
  const server = createServer(() => void (started.requests += 1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const started = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
    requests: 0,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return started;
}

// promises: MCP-13
describe(
  'a call without an answer',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_MESSAGE_MB: '1' });
    let answering: Readonly<Record<string, Answering>> = {};
    const lists: Answering = (response, id) => json(response, { jsonrpc: '2.0', id, result: TOOLS });
    const malformed: Answering = (response) => json(response, '{"jsonrpc":');
    const server = begin(() =>
      rawModern(({ body }, response) => answering[body.method]?.(response, body.id)),
    );
    const tokens = begin(() => startSilentServer());

    it.each<[string, Answering]>([
      ['is malformed', malformed],
      ['is too large', (response) => json(response, `"${'x'.repeat(MEBIBYTE)}"`)],
      ['is lost', (response) => void response.destroy()],
    ])('has one that says so when the answer of the server %s', async (_, calling) => {
      answering = { 'tools/list': lists, 'tools/call': calling };
      const { message } = await new RawClient(path, await path.connection(server.url)).call('x');
      expect(message.error.message).toMatch(new RegExp(`[.] ${UNKNOWN}$`));
      expect(message.error.message.split(UNKNOWN)).toHaveLength(2);
    });

    it.each<[string, Answering]>([
      ['malformed', malformed],
      ['lost', (response) => void response.destroy()],
    ])('surely did not run when the list of tools before it was %s', async (_, listing) => {
      answering = { 'tools/list': listing };
      const { message } = await new RawClient(path, await path.connection(server.url)).call('x');
      expect(message.error.message).toEqual(expect.not.stringContaining(UNKNOWN));
      expect(server.heard.at(-1)?.body.method).not.toBe('tools/call');
    });

    const withTokens = () =>
      path.connection(server.url, {
        secret: {
          MCP_AUTH: 'exchange',
          MCP_TOKEN_URL: tokens.url,
          MCP_CLIENT_ID: 'gateway',
          MCP_CLIENT_SECRET: 'secret',
        },
      });

    it.each([
      ['prompts/get', { name: 'x' }],
      ['subscriptions/listen', { notifications: { toolsListChanged: true } }],
    ])(
      'surely did not run when the database is away before there is a credential: %s',
      async (method, params) => {
        const connection = await withTokens();
        const heard = server.heard.length;
        const end = await outageOnce(path.gateway.database, 'upstream_tokens', 'lease');
        const { message } = await new RawClient(path, connection).modern(method, params);
        await end();
        expect(message).toMatchObject({
          id: 1,
          error: { code: 503, message: 'the database cannot be reached, try again shortly' },
        });
        expect(server.heard.length).toBe(heard);
      },
    );

    it('surely did not run when its session is killed before the gateway has a credential', async () => {
      const connection = await withTokens();
      const heard = server.heard.length;
      const call = new RawClient(path, connection).modern('prompts/get', { name: 'x' });
      await eventually('the request for a token', () => tokens.requests > 0);
      const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`);
      await path.gateway.call('admin', 'POST', `/sessions/${body.data[0].id}/kill`);
      const { message } = await call;
      expect(message.error.message).toEqual(expect.not.stringContaining(UNKNOWN));
      expect(server.heard.length).toBe(heard);
    });
  }),
);
