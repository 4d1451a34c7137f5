import { eventually } from '../support/eventually';
import { listen, toldBy } from '../support/live';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

describe(
  'a visit of an MCP client is a session',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const begun = { modern: server, legacy: begin(() => startMcpServer('legacy')) };
    const sessionAt = async (name: string) =>
      (await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`)).body.data[0] as {
        id: string;
      };
    const found = async (q: string, person: 'admin' | 'bob' = 'admin') => {
      const query = new URLSearchParams({ q }).toString();
      const { body } = await path.gateway.call(person, 'GET', `/sessions?${query}`);
      return (body.data as { id: string }[]).map(({ id }) => id);
    };

    it('that has the reason of the header Access-Reason; one of which a part is not seen is refused', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      const list = (reason: string) =>
        client.modern('tools/list', {}, { 'access-reason': Buffer.from(reason).toString('latin1') });
      const refused = await list('OPS-1\u202E');
      expect(refused.status).toBe(400);
      expect(refused.text).toContain('Access-Reason must not contain control, invisible');
      expect(await sessionAt(name)).toBeUndefined();
      expect((await list('OPS-1: Rückzahlung ')).status).toBe(200);
      expect(await sessionAt(name)).toMatchObject({ reason: 'OPS-1: Rückzahlung' });
    });

    // promises: MCP-7
    it.each(['modern', 'legacy'] as const)(
      'that is followed while it lasts, and found by its words (%s)',
      async (era) => {
        const name = await path.connection(server.url);
        const client = new RawClient(path, name);
        const session = era === 'legacy' ? await client.begin() : undefined;
        const call = (text: string) =>
          session === undefined
            ? client.call('echo', { text })
            : client.send(
                {
                  jsonrpc: '2.0',
                  id: text,
                  method: 'tools/call',
                  params: { name: 'echo', arguments: { text } },
                },
                session,
              );
        await call(`zwetschge ${era}`);
        const { id } = await sessionAt(name);
        const reader = await listen(path.gateway, 'alice', id);
        const isHeard = (type: string, text: string) =>
          toldBy(reader.messages).some(([kind, said]) => kind === type && said.includes(text));
        await call(`mirabelle ${era}`);
        for (const text of [`zwetschge ${era}`, `mirabelle ${era}`])
          await eventually(
            `${text} is heard in both directions`,
            async () => isHeard('i', text) && isHeard('o', text),
          );
        await eventually('it is found', async () => (await found(`mirabelle ${era}`)).includes(id));
        expect(await found(`mirabelle ${era}`, 'bob')).toEqual([]);
        expect((await path.gateway.call('admin', 'POST', `/sessions/${id}/kill`)).status).toBeLessThan(300);
        expect(await reader.over).toBe('ended');
        expect(reader.messages.at(-1)).toMatchObject({ event: 'end', data: { status: 'done' } });
      },
    );

    // promises: MCP-5
    it.each(['modern', 'legacy'] as const)(
      'with the trace context of its first message, if it is one (%s)',
      async (era) => {
        const trace = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
        for (const [traceparent, kept] of [
          [trace, trace],
          [`${trace}-x`, undefined],
          ['00-0-0-00', undefined],
          [undefined, undefined],
        ] as const) {
          const name = await path.connection(server.url);
          const headers = traceparent === undefined ? {} : { traceparent };
          const client = new RawClient(path, name);
          const info = { name: 'raw', version: '1' };
          const answer =
            era === 'modern'
              ? await client.modern('tools/list', {}, headers)
              : await client.send(
                  {
                    jsonrpc: '2.0',
                    id: 0,
                    method: 'initialize',
                    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info },
                  },
                  headers,
                );
          expect(answer.status).toBe(200);
          const { id } = await sessionAt(name);
          const { metadata } = (await path.gateway.call('admin', 'GET', `/sessions/${id}`)).body;
          expect(metadata.traceparent).toBe(kept);
        }
      },
    );

    // promises: MCP-5
    it.each(['modern', 'legacy'] as const)(
      'passes the trace context of each message on to the server, in a header (%s)',
      async (era) => {
        const own = begun[era];
        const name = await path.connection(own.url);
        const client = new RawClient(path, name);
        const session = era === 'legacy' ? await client.begin() : {};
        const heardBefore = own.heard.length;
        for (const index of [1, 2]) {
          const traceparent = `00-${String(index).repeat(32)}-${'b'.repeat(16)}-01`;
          const headers = { ...session, traceparent };
          const params = { name: 'echo', arguments: { text: 'plum' } };
          const answer =
            era === 'modern'
              ? await client.modern('tools/call', params, headers)
              : await client.send({ jsonrpc: '2.0', id: index, method: 'tools/call', params }, headers);
          expect(answer.status).toBe(200);
        }
        const calls = own.heard.slice(heardBefore).filter(({ body }) => body?.method === 'tools/call');
        expect(calls.map(({ headers }) => headers['traceparent'])).toEqual([
          `00-${'1'.repeat(32)}-${'b'.repeat(16)}-01`,
          `00-${'2'.repeat(32)}-${'b'.repeat(16)}-01`,
        ]);
      },
    );
  }),
);

describe(
  'answers to MCP clients',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));

    // promises: MCP-3
    it('are kept by nobody: they depend on who asks, and on the policy', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      const resources = (await client.modern('resources/list')).message.result.resources as { uri: string }[];
      const uri = resources[0]?.uri;
      for (const [method, params] of [
        ['server/discover', {}],
        ['tools/list', {}],
        ['prompts/list', {}],
        ['resources/list', {}],
        ['resources/templates/list', {}],
        ['resources/read', { uri }],
      ] as const) {
        const { headers, message } = await client.modern(method, params);
        expect([method, message.result, headers.get('cache-control')]).toEqual([
          method,
          expect.objectContaining({ ttlMs: 0, cacheScope: 'private', resultType: 'complete' }),
          'no-store',
        ]);
      }
      const streamed = await client.modern(
        'tools/call',
        { name: 'progress', arguments: { steps: 2 } },
        {},
        { progressToken: 1 },
      );
      expect([streamed.messages.length, Object.fromEntries(streamed.headers)]).toEqual([
        3,
        expect.objectContaining({
          'content-type': 'text/event-stream',
          'x-accel-buffering': 'no',
          'cache-control': 'no-store',
        }),
      ]);
    });
  }),
);
