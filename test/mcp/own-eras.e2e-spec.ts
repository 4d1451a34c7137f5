import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { McpServer, createMcpHandler } from '@modelcontextprotocol/server';
import type { ClientKind } from '../support/mcp/clients';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const ANSWERS = {
  elicitation: { action: 'accept', content: { environment: 'test' } },
  sampling: {
    role: 'assistant',
    model: 'm',
    stopReason: 'endTurn',
    content: { type: 'text', text: 'Paris' },
  },
  roots: { roots: [{ uri: 'file:///home', name: 'home' }] },
};
const POLICY = { mcp_policy: { server_requests: ['sampling', 'elicitation', 'roots'] } };
const ASKING = ['ask_person', 'ask_model', 'ask_roots'];
const ASKED = ['elicitation/create', 'sampling/createMessage', 'roots/list'];

// promises: MCP-22
describe(
  'a server of both eras',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_CLIENTS_PER_USER: '100' });
    const both = begin(() => startMcpServer('dual'));
    const withoutSessions = begin(startWithoutSessions);

    /**
     * Returns the methods of the messages that the gateway sent to the server, by MCP era. `answer` stands
     * for an answer to a request of the server.
     */
    async function heardFrom(kind: ClientKind): Promise<{ legacy: Set<string>; modern: Set<string> }> {
      const before = both.heard.length;
      const client = await path.client(kind, await path.connection(both.url, POLICY), { answers: ANSWERS });
      for (const tool of ASKING) expect((await client.call(tool)).isError).toBeFalsy();
      expect(client.asked).toEqual(ASKED);
      const legacy = new Set<string>();
      const modern = new Set<string>();
      for (const { method: http, body, headers } of both.heard.slice(before)) {
        if (http !== 'POST') continue;
        const isModern = headers['mcp-protocol-version'] === '2026-07-28';
        (isModern ? modern : legacy).add((body.method as string | undefined) ?? 'answer');
      }
      return { legacy, modern };
    }

    it.each<ClientKind>(['legacy', 'default'])(
      'is spoken to in the legacy era for a %s client',
      async (kind) => {
        const { legacy, modern } = await heardFrom(kind);
        expect([...modern]).toEqual([]);
        expect([...legacy]).toEqual(expect.arrayContaining(['initialize', 'tools/call', 'answer']));
      },
    );

    it.each<ClientKind>(['modern', 'auto'])(
      'is spoken to in the modern era for a %s client',
      async (kind) => {
        const { legacy, modern } = await heardFrom(kind);
        expect([...legacy]).toEqual([]);
        expect([...modern]).toEqual(expect.arrayContaining(['tools/call']));
      },
    );

    it('is spoken to by the clients of one connection each in its own era', async () => {
      const name = await path.connection(both.url, POLICY);
      for (const kind of ['legacy', 'modern', 'legacy', 'modern'] as const) {
        const client = await path.client(kind, name, { name: `${kind} again` });
        const before = both.heard.length;
        await client.call('echo', { text: kind });
        const calls = both.heard.slice(before).filter(({ body }) => body?.method === 'tools/call');
        expect(calls.map(({ headers }) => headers['mcp-protocol-version'])).toEqual([
          kind === 'modern' ? '2026-07-28' : '2025-11-25',
        ]);
      }
    });

    it('is spoken to in the modern era where it keeps no sessions for others', async () => {
      const name = await path.connection(withoutSessions.url, POLICY);
      for (const kind of ['legacy', 'default', 'modern'] as const) {
        const client = await path.client(kind, name, { answers: ANSWERS });
        expect((await client.call('era')).content[0].text).toBe('modern');
      }
    });
  }),
);

describe(
  'a server of one era',
  scoped((begin) => {
    const path = beginMcpPath(begin);

    it.each(['modern', 'legacy', 'legacy-json', 'sse'] as const)(
      'that is %s asks legacy clients all the same',
      async (kind) => {
        const server = await startMcpServer(kind);
        try {
          const name = await path.connection(server.url, POLICY);
          const client = await path.client('legacy', name, { answers: ANSWERS });
          // A legacy server of the SDK whose answers are no streams cannot send requests during a call.
          const tools = kind === 'legacy-json' ? [] : ASKING;
          for (const tool of tools) expect((await client.call(tool)).isError).toBeFalsy();
          expect((await client.call('echo', { text: 'hi' })).content[0].text).toBe('hi');
          expect(client.asked).toEqual(tools.length === 0 ? [] : ASKED);
        } finally {
          await server.close();
        }
      },
    );
  }),
);

/**
 * Starts a server of the official SDK 2 with default options, which speaks both MCP eras and has no sessions.
 */
async function startWithoutSessions(): Promise<{ url: string; close(): Promise<void> }> {
  const handler = createMcpHandler(({ era }) => {
    const server = new McpServer({ name: 'without sessions', version: '1' });
    server.registerTool('era', { description: 'Says what it was called by' }, () => ({
      content: [{ type: 'text' as const, text: era }],
    }));
    return server;
  });
  const handle = toNodeHandler(handler);
  const http = createServer(
    (request, response) => void handle(request as Parameters<typeof handle>[0], response),
  );
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    close: async () => {
      await handler.close();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
