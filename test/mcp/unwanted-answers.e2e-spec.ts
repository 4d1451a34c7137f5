import {
  Client as ModernSdk,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client as LegacySdk } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { eventually } from '../support/eventually';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { type OwnServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

const KINDS: OwnServerKind[] = ['legacy', 'legacy-json', 'modern', 'sse'];

// promises: MCP-21
describe(
  'a request that its legacy client does not want any more',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));
    const runs = (): number => server.counts.runs.get('wait') ?? 0;

    const waiting = (id: number, more: object = {}): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'wait', arguments: {}, ...more },
    });
    const cancelled = (requestId: number): object => ({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId, reason: 'enough' },
    });

    /** Calls the tool `wait`. Resolves when the call runs at the server. */
    async function running(
      client: RawClient,
      headers: Record<string, string>,
      body: unknown,
    ): Promise<{ answer: Promise<RawAnswer> }> {
      const before = runs();
      const answer = client.send(body, headers);
      await eventually('the call runs', async () => runs() > before);
      return { answer };
    }

    it.each(KINDS)('is not answered when it is cancelled, and a server that is %s hears it', async (kind) => {
      await server.become(kind);
      const client = new RawClient(path, await path.connection(server.url));
      const headers = await client.begin();
      const before = server.counts.cancelled;
      const { answer } = await running(client, headers, waiting(1));
      expect((await client.send(cancelled(1), headers)).status).toBe(202);
      const { status, messages, text, headers: given } = await answer;
      expect({ status, messages, text, type: given.get('content-type') }).toEqual({
        status: 200,
        messages: [],
        text: '',
        type: 'text/event-stream',
      });
      await eventually('the server hears it', async () => server.counts.cancelled > before);
      // The cancelled call's ID can be used again, and the session still works.
      const echo = { name: 'echo', arguments: { text: 'next' } };
      const next = await client.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: echo }, headers);
      expect(next.message.result.content[0].text).toBe('next');
    });

    it('has no answer on a stream that is open either, and nothing to resume there', async () => {
      await server.become('legacy');
      const client = new RawClient(path, await path.connection(server.url));
      const headers = await client.begin();
      const { answer } = await running(client, headers, waiting(1, { _meta: { progressToken: 'p' } }));
      await client.send(cancelled(1), headers);
      const { messages, text } = await answer;
      expect(messages.map(({ method }) => method as unknown)).toEqual(['notifications/progress']);
      const ids = [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '');
      const again = async (id: string): Promise<RawAnswer> =>
        client.send(undefined, { ...headers, 'last-event-id': id }, 'GET');
      // A client that missed the last event receives it. After the last event, status 204 ends its retries.
      expect((await again(ids.at(-2) ?? '')).messages).toHaveLength(1);
      expect(await again(ids.at(-1) ?? '')).toMatchObject({ status: 204, text: '' });
    });

    it('is left out of a batch, whose other requests are answered', async () => {
      await server.become('legacy');
      const client = new RawClient(path, await path.connection(server.url));
      const headers = await client.begin('2025-03-26');
      const { answer } = await running(client, headers, [
        waiting(1),
        { jsonrpc: '2.0', id: 2, method: 'ping' },
        waiting(3),
      ]);
      await eventually('both run', async () => server.counts.finishWaits.size === 2);
      await client.send([cancelled(1), cancelled(3)], headers);
      expect((await answer).message).toEqual([{ jsonrpc: '2.0', id: 2, result: {} }]);
    });

    it.each([
      ['not open', {}, 0],
      ['open', { _meta: { progressToken: 'p' } }, 1],
    ])('is not answered when the session ends by DELETE, on a stream that is %s', async (_, more, told) => {
      await server.become('legacy');
      const client = new RawClient(path, await path.connection(server.url));
      const headers = await client.begin();
      const before = server.counts.cancelled;
      const { answer } = await running(client, headers, waiting(1, more));
      expect((await client.send(undefined, headers, 'DELETE')).status).toBe(204);
      const { status, messages } = await answer;
      expect(status).toBe(200);
      expect(messages).toHaveLength(told);
      await eventually('the server hears it', async () => server.counts.cancelled > before);
    });

    it('is answered in words when somebody else ends the session', async () => {
      await server.become('legacy');
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      const { answer } = await running(client, await client.begin(), waiting(1));
      const { body } = await path.gateway.call('admin', 'GET', `/sessions?connection=${name}`);
      await path.gateway.call('admin', 'POST', `/sessions/${body.data[0].id}/kill`);
      expect((await answer).message).toMatchObject({ id: 1, error: { message: expect.any(String) } });
    });

    it.each(['SDK 1', 'SDK 2'])(
      'leaves %s in order, cancelled or open when the client closes',
      async (sdk) => {
        await server.become('legacy');
        const url = new URL(path.endpoint(await path.connection(server.url)));
        const options = {
          requestInit: { headers: { authorization: `Bearer ${await path.gateway.token('alice')}` } },
        };
        const [client, transport] =
          sdk === 'SDK 1'
            ? [new LegacySdk({ name: 'c', version: '1' }), new LegacyTransport(url, options)]
            : [new ModernSdk({ name: 'c', version: '1' }), new ModernTransport(url, options)];
        const errors: unknown[] = [];
        Object.assign(client, { onerror: (error: unknown) => errors.push(error) });
        await (client as LegacySdk).connect(transport);
        const leaving = new AbortController();
        let progress = 0;
        const call = (signal?: AbortSignal): Promise<unknown> => {
          const given = {
            onprogress: () => void (progress += 1),
            ...(signal === undefined ? {} : { signal }),
          };
          return client instanceof LegacySdk
            ? client.callTool({ name: 'wait' }, undefined, given)
            : client.callTool({ name: 'wait' }, given);
        };
        const first = call(leaving.signal).catch((error: unknown) => error);
        await eventually('the call runs', async () => progress === 1);
        leaving.abort();
        await first;
        const second = call().catch((error: unknown) => error);
        await eventually('another runs', async () => progress === 2);
        await transport.terminateSession();
        await client.close();
        expect(await second).toBeInstanceOf(Error);
        expect(errors).toEqual([]);
      },
    );
  }),
);
