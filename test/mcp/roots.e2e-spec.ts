import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { type OwnServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const CHANGED = 'notifications/roots/list_changed';

describe(
  'roots of a legacy client that changed',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));

    /**
     * Calls a tool, reports changed roots, and calls again. Returns the messages that the server then gets.
     */
    async function changedAt(
      kind: OwnServerKind,
      serverRequests: string[],
      roots: object | undefined,
    ): Promise<{ methods: string[]; recorded: string }> {
      await server.become(kind);
      const name = await path.connection(server.url, { mcp_policy: { server_requests: serverRequests } });
      const capabilities = roots === undefined ? {} : { roots };
      const client = new Client({ name: 'client', version: '1' }, { capabilities });
      if (roots !== undefined) client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [] }));
      const headers = { authorization: `Bearer ${await path.gateway.token('alice')}` };
      const transport = new StreamableHTTPClientTransport(new URL(path.endpoint(name)), {
        requestInit: { headers },
      });
      await client.connect(transport);
      await client.callTool({ name: 'echo', arguments: { text: 'before' } });
      const before = server.methods().length;
      // Bypasses the SDK, because it would send only notifications of declared capabilities. Other clients
      // send more.
      await transport.send({ jsonrpc: '2.0', method: CHANGED });
      await client.callTool({ name: 'echo', arguments: { text: 'after' } });
      await transport.terminateSession();
      await client.close();
      const events = await path.recorded(name);
      return { methods: server.methods().slice(before), recorded: events.map(([, text]) => text).join('\n') };
    }

    it.each<OwnServerKind>(['legacy', 'sse'])(
      'are told to a server that is %s, in order, and recorded',
      async (kind) => {
        const { methods, recorded } = await changedAt(kind, ['roots'], { listChanged: true });
        expect(methods).toEqual([CHANGED, 'tools/call']);
        expect(recorded).toContain(`"method":"${CHANGED}"`);
      },
    );

    it.each<[string, OwnServerKind, string[], object | undefined]>([
      ['the policy does not let ask for roots', 'legacy', ['sampling'], { listChanged: true }],
      ['the client did not declare that it tells', 'legacy', ['roots'], {}],
      ['the client declared no roots', 'legacy', ['roots'], undefined],
      ['is modern, and asks when it needs them', 'modern', ['roots'], { listChanged: true }],
    ])('are not told to a server when %s', async (_, kind, serverRequests, roots) => {
      const { methods } = await changedAt(kind, serverRequests, roots);
      expect(methods).toEqual(['tools/call']);
    });
  }),
);
