import { eventually } from '../support/eventually';
import { createRule, denyWords } from '../support/guardrails';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const URIS = Array.from({ length: 20 }, (_, at) => `test://many/${at}`);

// promises: MCP-20
describe(
  'a legacy client that subscribes to many resources',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));

    it('hears the updates of all, for about one request each', async () => {
      const client = await path.client('legacy', await path.connection(server.url));
      await client.listen(URIS);
      const missing = () =>
        URIS.filter((uri) => !client.heard.some(({ params }) => (params as { uri?: string }).uri === uri));
      await eventually('updates of all resources', () => {
        for (const uri of missing()) server.changed({ uri });
        return missing().length === 0;
      });
      // More than one request for a resource is sent if the machine is too slow.
      const requests = server.methods().filter((method) => method === 'resources/subscribe');
      expect(requests.length).toBeLessThan(3 * URIS.length);
    });
  }),
);

// promises: MCP-20
describe(
  'a legacy client with a subscription that is refused',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));

    it('keeps its other subscriptions, and may add more', async () => {
      const name = await path.connection(server.url, { mcp_policy: { streams: 1 } });
      const { body } = await path.gateway.call('admin', 'GET', `/connections/${name}`);
      const rule = { name: 'secret', connection_ids: [body.id], input: denyWords(['forbidden']) };
      await createRule(path.gateway, rule);
      const client = await path.client('legacy', name);
      const hears = (uri: string) =>
        eventually(`an update of ${uri}`, () => {
          server.changed({ uri });
          return client.heard.some(({ params }) => (params as { uri?: string }).uri === uri);
        });
      await client.listen(['test://kept']);
      await hears('test://kept');
      await client.listen(['test://forbidden']);
      client.heard.length = 0;
      await hears('test://kept');
      await client.listen(['test://added']);
      await hears('test://added');
    });
  }),
);
