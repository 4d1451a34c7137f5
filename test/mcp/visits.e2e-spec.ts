import { watchQueries } from '../support/caused-queries';
import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META, RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { denyWords } from '../support/guardrails';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';

describe(
  'a visit of an MCP client',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    beforeAll(() =>
      path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } }),
    );
    const sessions = async (name: string) =>
      (await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`)).body.data as {
        id: string;
        status: string;
        verb: string;
      }[];
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

    // promises: MCP-5
    it('is one session, for all messages of a client', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      await Promise.all([
        client.call('echo', { text: '1' }),
        client.call('echo', { text: '2' }),
        client.modern('tools/list'),
      ]);
      await client.call('echo', { text: '3' });
      expect(await sessions(name)).toMatchObject([{ status: 'open', verb: 'connect' }]);
      await new RawClient(path, name, 'bob').call('echo', { text: '4' });
      expect(await sessions(name)).toHaveLength(2);
    });

    // promises: MCP-5
    it('ends when an admin kills it, and what runs is answered in words', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      const before = server.counts.runs.get('wait') ?? 0;
      const running = client.call('wait');
      await eventually('it runs', async () => (server.counts.runs.get('wait') ?? 0) > before);
      const [{ id } = { id: '' }] = await sessions(name);
      expect((await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`)).status).toBeLessThan(300);
      const { status, message } = await running;
      expect([status, typeof message.error.message]).toEqual([200, 'string']);
      await eventually('it is closed', async () => (await sessions(name))[0]?.status === 'done');
      // The client's next message begins another session.
      expect((await client.call('echo', { text: 'anew' })).message.result.content[0].text).toBe('anew');
      expect(await sessions(name)).toHaveLength(2);
    });

    // promises: MCP-5
    it('ends when access is withdrawn, and does not begin anew', async () => {
      const name = await path.connection(server.url, { access_groups: ['engineering'] });
      const client = new RawClient(path, name);
      expect((await client.call('echo', { text: 'in' })).status).toBe(200);
      const session = await client.begin();
      await path.gateway.call('admin', 'PATCH', `/connections/${name}`, { access_groups: ['dba'] });
      const before = server.counts.runs.get('echo') ?? 0;
      for (const headers of [{}, session]) {
        const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
        const first =
          headers === session ? await client.send(list, session) : await client.call('echo', { text: 'out' });
        // While the client's session ends, a message gets 403. Otherwise, the connection is not found (404).
        expect([403, 404]).toContain(first.message.error.code);
      }
      await eventually('it is closed', async () =>
        (await sessions(name)).every(({ status }) => status === 'done'),
      );
      expect((await client.call('echo', { text: 'out' })).status).toBe(404);
      expect((await client.send(ping, session)).status).toBe(404);
      expect(server.counts.runs.get('echo') ?? 0).toBe(before);
    });

    // promises: MCP-6
    it('of a legacy client belongs to the principal who began it, and to its connection', async () => {
      const [name, other] = [await path.connection(server.url), await path.connection(server.url)];
      const session = await new RawClient(path, name).begin();
      expect((await new RawClient(path, name).send(ping, session)).message.result).toEqual({});
      for (const thief of [
        new RawClient(path, name, 'bob'),
        new RawClient(path, name, 'admin'),
        new RawClient(path, other),
      ]) {
        for (const [method, body] of [
          ['POST', ping],
          ['GET', undefined],
          ['DELETE', undefined],
        ] as const)
          expect((await thief.send(body, session, method)).status).toBe(404);
      }
      const id = session['mcp-session-id'] ?? '';
      const guesses = Array.from({ length: volume(20, 100) }, (_, guess) => `${id.slice(0, -2)}${guess}`);
      const guessed = await Promise.all(
        guesses
          .filter((guess) => guess !== id)
          .map((guess) => new RawClient(path, name).send(ping, { ...session, 'mcp-session-id': guess })),
      );
      expect(new Set(guessed.map(({ status }) => status))).toEqual(new Set([404]));
      expect((await new RawClient(path, name).send(undefined, session, 'DELETE')).status).toBe(204);
      expect((await new RawClient(path, name).send(ping, session)).status).toBe(404);
    });

    it('is not for auditors, for people without a token, or for connections that are not open to them', async () => {
      const name = await path.connection(server.url, { access_groups: ['dba'] });
      const nobody = await new RawClient(path, name, null).modern('tools/list');
      expect(nobody.status).toBe(401);
      expect(nobody.headers.get('www-authenticate')).toBe(
        `Bearer scope="mcp", resource_metadata="${path.gateway.api.replace('/api', '')}/.well-known/oauth-protected-resource/api/mcp/${name}"`,
      );
      const hidden = await new RawClient(path, name).modern('tools/list');
      const absent = await new RawClient(path, 'nothing-here').modern('tools/list');
      expect([hidden.status, hidden.text.replaceAll(name, '…')]).toEqual([
        404,
        absent.text.replaceAll('nothing-here', '…'),
      ]);
      expect((await new RawClient(path, name, 'auditor').modern('tools/list')).status).toBe(403);
    });

    it('sends no query to the database while nothing changes', async () => {
      const client = new RawClient(path, await path.connection(server.url));
      const queries = watchQueries(path.gateway);
      try {
        const first = await queries.during(() => client.call('echo', { text: 'first' }));
        expect(first.length).toBeGreaterThan(0);
        expect(await queries.during(() => client.call('echo', { text: 'next' }))).toEqual([]);
      } finally {
        queries.stop();
      }
    });

    // promises: MCP-7
    it('records what a client subscribes to, and rules judge it first', async () => {
      const name = await path.connection(server.url);
      const rule = await path.gateway.call('admin', 'POST', '/guardrails', {
        name: `uris-${name}`,
        connection_ids: [(await path.gateway.call('admin', 'GET', `/connections/${name}`)).body.id],
        input: denyWords(['smuggled']),
      });
      expect(rule.status).toBe(201);
      const before = server.heard.length;
      const answer = await new RawClient(path, name).modern('subscriptions/listen', {
        notifications: { resourceSubscriptions: ['test://smuggled'] },
      });
      expect([answer.status, answer.message.error.code]).toEqual([403, 403]);
      expect(server.methods().slice(before)).not.toContain('subscriptions/listen');
      const events = await path.recorded(name);
      expect(events).toContainEqual(['i', expect.stringContaining('test://smuggled')]);
    });

    it('acknowledges nothing where the server has no subscriptions, and keeps the stream', async () => {
      const mute = await rawModern((request, response) =>
        json(response, { jsonrpc: '2.0', id: request.body.id, error: { code: -32601, message: 'm' } }, 404),
      );
      try {
        const name = await path.connection(mute.url);
        const leave = new AbortController();
        const stream = await fetch(path.endpoint(name), {
          method: 'POST',
          signal: leave.signal,
          headers: {
            authorization: `Bearer ${await path.gateway.token('alice')}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'subscriptions/listen',
          },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 5,
            method: 'subscriptions/listen',
            params: { notifications: { toolsListChanged: true }, _meta: MODERN_META },
          }),
        });
        expect(stream.status).toBe(200);
        const { value } = await stream.body!.getReader().read();
        expect(JSON.parse(Buffer.from(value).toString().replace('data: ', ''))).toEqual({
          jsonrpc: '2.0',
          method: 'notifications/subscriptions/acknowledged',
          params: { notifications: {}, _meta: { 'io.modelcontextprotocol/subscriptionId': 5 } },
        });
        leave.abort();
      } finally {
        await mute.close();
      }
    });

    // promises: MCP-16
    it('tells the server who the gateway is, and nothing that the client says of itself', async () => {
      const name = await path.connection(server.url);
      const before = server.heard.length;
      const meta = {
        'io.modelcontextprotocol/clientInfo': { name: 'canary-client', version: '7', canary: 'x' },
      };
      expect((await new RawClient(path, name).modern('tools/list', {}, {}, meta)).status).toBe(200);
      const heard = server.heard.slice(before).map(({ text }) => text);
      expect(heard.join('')).toContain('"name":"access-gateway"');
      expect(heard.join('')).not.toContain('canary');
    });

    it('needs a grant where a rule of type jit covers it', async () => {
      const name = await path.connection(server.url);
      await path.gateway.call('admin', 'POST', '/access-requests/rules', {
        name: `jit-${name}`,
        access_type: 'jit',
        reviewers_groups: ['dba'],
        min_approvals: 1,
        connection_names: [name],
      });
      const { status, message } = await new RawClient(path, name).modern('tools/list');
      expect(status).toBe(403);
      expect(message.error.message).toContain('approval');
    });

    // promises: MCP-7
    it('is judged by guardrails in both directions', async () => {
      const name = await path.connection(server.url);
      const rule = await path.gateway.call('admin', 'POST', '/guardrails', {
        name: `words-${name}`,
        connection_ids: [(await path.gateway.call('admin', 'GET', `/connections/${name}`)).body.id],
        input: denyWords(['dropme']),
        output: denyWords(['a text']),
      });
      expect([rule.status, rule.text]).toEqual([201, expect.anything()]);
      const client = new RawClient(path, name);
      const before = server.counts.runs.get('echo') ?? 0;
      const input = await client.call('echo', { text: 'please dropme' });
      expect(input.message.result.isError).toBe(true);
      expect(server.counts.runs.get('echo') ?? 0).toBe(before);
      const output = await client.modern('resources/read', { uri: 'test://text' });
      expect(output.text).not.toContain('a text');
    });
  }),
);
