import { DataSource } from 'typeorm';
import type { Pool } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';

/** Number of held calls and of slow calls. Both exceed the gateway's number of database connections. */
const [HELD, SLOW] = [volume(60, 200), volume(50, 100)];

describe(
  'many clients at once',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_HOLD_SECONDS: '120', PENDING_REQUESTS: '1000' });
    const server = begin(() => startMcpServer('modern'));
    /** Returns the number of database connections that are in use. */
    const inUse = (): number => {
      const { master } = path.gateway.app.get(DataSource).driver as PostgresDriver;
      const { totalCount, idleCount } = master as Pool;
      return totalCount - idleCount;
    };
    /**
     * Waits until no connection is in use. Background work such as heartbeats uses a connection only for a
     * moment. A waiting call that held a connection would make this fail.
     */
    const noneIsHeld = () => eventually('no connection is in use', async () => inUse() === 0);

    it.each(['modern', 'legacy'] as const)('have ids of their own over a %s server', async (era) => {
      const target = era === 'modern' ? server : await startMcpServer('legacy');
      try {
        const name = await path.connection(target.url);
        const senders = await Promise.all(
          Array.from({ length: 12 }, async (_, at) => {
            const client = new RawClient(path, name, at % 2 === 0 ? 'alice' : 'bob');
            // Uses several sessions of each person, and modern clients, which have no sessions.
            const session = at % 3 === 0 ? undefined : await client.begin();
            return (id: number, text: string) => {
              if (session === undefined) return client.call('echo', { text });
              const params = { name: 'echo', arguments: { text } };
              return client.send({ jsonrpc: '2.0', id, method: 'tools/call', params }, session);
            };
          }),
        );
        for (let id = 1; id <= 5; id += 1) {
          const answers = await Promise.all(senders.map((send, at) => send(id, `${at} of ${id}`)));
          expect(answers.map(({ message }) => message.result.content[0].text)).toEqual(
            senders.map((_, at) => `${at} of ${id}`),
          );
        }
      } finally {
        if (target !== server) await target.close();
      }
    });

    it('cancel only what is theirs', async () => {
      const name = await path.connection(server.url);
      const [one, two] = [new RawClient(path, name), new RawClient(path, name, 'bob')];
      const [first, second] = [await one.begin(), await two.begin()];
      const wait = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait', arguments: {} },
      };
      const { cancelled } = server.counts;
      const before = server.counts.runs.get('wait') ?? 0;
      const waiting = [one.send(wait, first), two.send(wait, second)];
      await eventually('both run', async () => (server.counts.runs.get('wait') ?? 0) === before + 2);
      await two.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }, second);
      await eventually('one is cancelled', async () => server.counts.cancelled === cancelled + 1);
      server.finishWaits();
      const [mine] = await Promise.all(waiting);
      expect(mine?.message.result.content[0].text).toBe('waited');
      expect(server.counts.cancelled).toBe(cancelled + 1);
    });

    it(`hold no database connection while people decide on ${HELD} calls`, async () => {
      const name = await path.connection(server.url, { mcp_policy: { tools: { approval: ['echo'] } } });
      const client = new RawClient(path, name);
      const before = server.counts.runs.get('echo') ?? 0;
      const held = Array.from({ length: HELD }, (_, at) => client.call('echo', { text: `held ${at}` }));
      const count = async () =>
        (await path.gateway.database.query(`SELECT FROM reviews WHERE status = 'PENDING'`)).length;
      await eventually('all are held', async () => (await count()) === HELD, 100_000);
      await noneIsHeld();
      // While the calls wait, other requests must be answered.
      expect((await new RawClient(path, name, 'bob').modern('tools/list')).status).toBe(200);
      // Deletes the connection to end all waiting calls. Another test covers their approval.
      expect((await path.gateway.call('admin', 'DELETE', `/connections/${name}`)).status).toBe(204);
      for (const answer of await Promise.all(held)) expect(answer.status).toBeLessThan(500);
      expect(server.counts.runs.get('echo') ?? 0).toBe(before);
    });

    it('hold no database connection while a server is slow', async () => {
      const waiting: (() => void)[] = [];
      const slow = await rawModern(({ body }, response) => {
        const tools = [{ name: 'slow', inputSchema: { type: 'object' } }];
        const result =
          body.method === 'tools/list' ? { tools } : { content: [{ type: 'text', text: 'at last' }] };
        const answer = () =>
          json(response, { jsonrpc: '2.0', id: body.id, result: { resultType: 'complete', ...result } });
        if (body.method === 'tools/list') answer();
        else waiting.push(answer);
      });
      try {
        const client = new RawClient(path, await path.connection(slow.url));
        const calls = Array.from({ length: SLOW }, (_, at) => client.call('slow', { at }));
        await eventually('all wait for the server', async () => waiting.length === SLOW);
        await noneIsHeld();
        for (const answer of waiting) answer();
        for (const { message } of await Promise.all(calls))
          expect(message.result.content[0].text).toBe('at last');
      } finally {
        await slow.close();
      }
    });
  }),
);
