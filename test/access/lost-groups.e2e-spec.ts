import { eventually } from '../support/eventually';
import { startMcpPath } from '../support/mcp/mcp-path';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { PING, openEverything } from '../support/opened-access';
import { scoped } from '../support/scoped';
import { connect, freshTarget } from '../support/target';
import { WireClient } from '../support/wire-client';

// promises: CONNECTION-17
describe(
  'a group that is taken away',
  scoped((begin) => {
    const server = begin(() => startMcpServer('legacy'));
    const path = begin(() => startMcpPath());
    const beside = begin(() => startMcpPath({}, path.gateway));
    const target = begin(freshTarget, (it) => it.drop());
    let count = 0;

    beforeAll(() =>
      path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } }),
    );

    it.each<[string, (connections: readonly string[]) => Promise<unknown>]>([
      [
        'off access_groups of the connection',
        (connections) =>
          Promise.all(
            connections.map((name) =>
              path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_groups: ['dba'] }),
            ),
          ),
      ],
      [
        'from the person',
        () =>
          path.gateway.database.query(
            `DELETE FROM user_groups WHERE user_id = (SELECT id FROM users WHERE subject = 'alice')`,
          ),
      ],
      [
        'from the person, while the groups of all are read back',
        () =>
          path.gateway.database.query(
            `CREATE TEMP TABLE kept ON COMMIT DROP AS SELECT * FROM user_groups
               WHERE user_id <> (SELECT id FROM users WHERE subject = 'alice');
             TRUNCATE user_groups;
             INSERT INTO user_groups SELECT * FROM kept`,
          ),
      ],
    ])('%s ends scripts, streams, PostgreSQL and MCP sessions at every gateway', async (_, takeAway) => {
      const database = `database-${++count}`;
      await path.gateway.call('admin', 'PATCH', '/users/alice', { groups: ['engineering'] });
      await connect(path.gateway, target, database, { access_groups: ['engineering'] });
      const tools = await path.connection(server.url, { access_groups: ['engineering'] });
      const all = [];
      for (const endpoints of [path, beside])
        all.push(await openEverything({ gateway: endpoints.gateway, endpoints, database, tools }));
      const bystander = await WireClient.through(path.gateway, database, 'admin');

      await takeAway([database, tools]);
      for (const { script, stream, client, visit, session } of all) {
        expect((await script).body).toMatchObject({ output_status: 'failed', exit_code: 254 });
        expect(await stream.over).toBe('ended');
        await eventually('the client is out', async () => client.isOver);
        await eventually('the visit is over', async () => (await visit.send(PING, session)).status === 404);
      }
      const open = async (): Promise<string[]> => {
        const { body } = await path.gateway.call('admin', 'GET', '/sessions?status=open');
        return (body.data as { user: string }[]).map(({ user }) => user);
      };
      // The session of a client is closed a moment after the client.
      await eventually('all others are closed', async () => (await open()).length < 2);
      expect(await open()).toEqual(['admin@example.com']);
      bystander.close();
      await eventually('all is closed', async () => (await open()).length === 0);
    });
  }),
);
