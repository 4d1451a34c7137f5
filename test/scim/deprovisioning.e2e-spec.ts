import { eventually } from '../support/eventually';
import { startMcpPath } from '../support/mcp/mcp-path';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { PING, openEverything } from '../support/opened-access';
import { type ScimProvider, scimProvider } from '../support/scim/provider';
import { scoped } from '../support/scoped';
import { connect, freshTarget } from '../support/target';

// promises: SCIM-11
describe(
  'a person whom SCIM takes away',
  scoped((begin) => {
    const server = begin(() => startMcpServer('legacy'));
    const path = begin(() => startMcpPath());
    const beside = begin(() => startMcpPath({}, path.gateway));
    const target = begin(freshTarget, (it) => it.drop());
    let scim: ScimProvider;
    let count = 0;

    beforeAll(async () => {
      scim = await scimProvider(path.gateway);
    });

    it.each<[string, (id: string) => Promise<{ status: number }>]>([
      [
        'sets inactive',
        (id) => scim.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' }),
      ],
      ['deletes', (id) => scim.send('DELETE', `/Users/${id}`)],
    ])('and %s is out of scripts, streams, PostgreSQL and MCP at every gateway', async (_, takeAway) => {
      const id = await scim.user('alice');
      const database = `database-${++count}`;
      await connect(path.gateway, target, database, { access_groups: ['*'] });
      const tools = await path.connection(server.url, { access_groups: ['*'] });
      const all = [];
      for (const endpoints of [path, beside])
        all.push(await openEverything({ gateway: endpoints.gateway, endpoints, database, tools }));
      expect((await takeAway(id)).status).toBeLessThan(300);
      for (const { script, stream, client, visit, session } of all) {
        // The script's session was ended. Its answer is 401 if alice was already refused at that time.
        expect([200, 401]).toContain((await script).status);
        expect(await stream.over).toBe('ended');
        await eventually('the client is out', async () => client.isOver);
        await eventually('the visit is over', async () => (await visit.send(PING, session)).status === 401);
      }
      const open = await path.gateway.call('admin', 'GET', '/sessions?status=open');
      expect(open.body.data).toEqual([]);
      // Makes alice active again for the next case.
      await scim.send('DELETE', `/Users/${id}`);
      await path.gateway.call('admin', 'PATCH', '/users/alice', { status: 'active' });
      expect((await path.gateway.call('alice', 'GET', '/userinfo')).status).toBe(200);
    });
  }),
);
