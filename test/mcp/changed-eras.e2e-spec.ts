import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { type OwnServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

/** The gateway remembers which MCP era a server speaks. Meanwhile, the server may change its era. */
describe(
  'a server that speaks something else than before',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const ranOf = (): number => server.counts.runs.get('echo') ?? 0;
    const said = (answer: { content: { text: string }[] }): string | undefined => answer.content[0]?.text;

    it.each<[OwnServerKind, OwnServerKind]>([
      ['modern', 'legacy'],
      ['legacy', 'modern'],
      ['modern', 'sse'],
      ['sse', 'modern'],
      ['legacy', 'sse'],
      ['sse', 'legacy'],
      ['legacy', 'dual'],
      ['dual', 'legacy'],
    ])('is found out again without a call that fails: %s, then %s', async (before, after) => {
      await server.become(before);
      const name = await path.connection(server.url);
      const open = [await path.client('modern', name), await path.client('legacy', name)];
      for (const client of open) expect(said(await client.call('echo', { text: 'before' }))).toBe('before');
      await server.become(after);
      const ran = ranOf();
      // Clients that connected earlier still have sessions in the server's previous MCP era.
      for (const client of open) expect(said(await client.call('echo', { text: 'after' }))).toBe('after');
      // For new clients, the gateway begins with the MCP era that it remembers for the server.
      for (const era of ['modern', 'legacy'] as const) {
        const client = await path.client(era, name, { name: 'another client' });
        expect(said(await client.call('echo', { text: 'anew' }))).toBe('anew');
        expect(await client.ask('tools')).toHaveLength((await open[0]?.ask('tools'))?.length ?? -1);
      }
      expect(ranOf() - ran).toBe(4);
    });

    it.each<[OwnServerKind, OwnServerKind]>([
      ['modern', 'legacy'],
      ['legacy', 'modern'],
    ])('tells its changes to who listens anew: %s, then %s', async (before, after) => {
      await server.become(before);
      const name = await path.connection(server.url);
      await server.become(after);
      const client = await path.client('modern', name);
      await client.listen(['test://text']);
      await eventually('a change is told', async () => {
        server.changed('tools');
        return client.heard.some(({ method }) => method === 'notifications/tools/list_changed');
      });
    });
  }),
);
