import { eventually } from '../support/eventually';
import { MADE_ROOM } from '../../src/proxies/mcp/visits/room';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const LIMIT = 4;

describe(
  'a client that begins a session for each call and ends none',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_CLIENTS_PER_USER: String(LIMIT) });
    const server = begin(() => startMcpServer('modern'));
    const own = (): RawClient =>
      new RawClient({ gateway: path.gateway, endpoint: () => `${path.gateway.api}/mcp` }, '');
    const ping = (client: RawClient, session: Record<string, string>) =>
      client.send({ jsonrpc: '2.0', id: 1, method: 'ping' }, session);

    // promises: MCP-19
    it.each(['a connection', 'our own tools'])('is not locked out of %s', async (where) => {
      const name = await path.connection(server.url);
      const client = where === 'a connection' ? new RawClient(path, name) : own();
      const sessions: Record<string, string>[] = [];
      for (let at = 0; at < LIMIT * 3; at += 1) {
        sessions.push(await client.begin());
        expect((await ping(client, sessions.at(-1)!)).status).toBe(200);
      }
      // The newest sessions still exist. Older sessions were ended to stay within the limit.
      expect((await ping(client, sessions.at(-LIMIT)!)).status).toBe(200);
      expect((await ping(client, sessions.at(-LIMIT - 1)!)).status).toBe(404);
      if (where === 'a connection') {
        const list = await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`);
        expect(list.status).toBe(200);
        const [oldest] = list.body.data.slice(-1);
        const one = await path.gateway.call('admin', 'GET', `/sessions/${oldest.id}?expand=event_stream`);
        const events = (one.body.event_stream as [number, string, string][]).map(([, , content]) =>
          Buffer.from(content, 'base64').toString(),
        );
        expect(events.join('\n')).toContain(MADE_ROOM);
      }
      for (const session of sessions.slice(-LIMIT)) await client.send(undefined, session, 'DELETE');
    });

    // promises: MCP-19
    it('keeps what has a stream or a running call, and is refused where all have', async () => {
      const client = new RawClient(path, await path.connection(server.url));
      const leave = new AbortController();
      const idle = await client.begin();
      const token = await path.gateway.token('alice');
      const calls: Promise<unknown>[] = [];
      const before = server.counts.runs.get('wait') ?? 0;
      for (let id = 1; id < LIMIT; id += 1) {
        const session = await client.begin();
        const params = { name: 'wait', arguments: {} };
        calls.push(client.send({ jsonrpc: '2.0', id, method: 'tools/call', params }, session));
      }
      await eventually('all run', async () => (server.counts.runs.get('wait') ?? 0) === before + LIMIT - 1);
      // At the limit, a new session ends the idle session. Sessions with running calls stay.
      const next = await client.begin();
      expect((await ping(client, idle)).status).toBe(404);
      expect((await ping(client, next)).status).toBe(200);
      const stream = await fetch(client.url, {
        headers: { accept: 'text/event-stream', authorization: `Bearer ${token}`, ...next },
        signal: leave.signal,
      });
      expect(stream.status).toBe(200);
      await expect(client.begin()).rejects.toThrow(/limit/);
      server.finishWaits();
      await Promise.all(calls);
      await client.begin();
      expect((await ping(client, next)).status).toBe(200);
      leave.abort();
    });
  }),
);
