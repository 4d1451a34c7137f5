import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';

interface Event {
  readonly id: string;
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any;
}

describe(
  'a stream of a legacy client that breaks',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('legacy'));

    /** Reads a stream until it ends, or breaks it after so many events with data. */
    async function read(response: Response, breakAfter = Infinity): Promise<Event[]> {
      const events: Event[] = [];
      let text = '';
      if (breakAfter === 0) {
        await response.body?.cancel();
        return events;
      }
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        text += Buffer.from(chunk).toString();
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const event = text.slice(0, end);
          text = text.slice(end + 2);
          const id = /^id: (.+)$/m.exec(event)?.[1];
          const data = /^data: (.*)$/m.exec(event)?.[1];
          if (id === undefined || data === undefined) continue;
          events.push({ id, data: data === '' ? undefined : JSON.parse(data) });
          if (events.filter((one) => one.data !== undefined).length >= breakAfter) return events;
        }
      }
      return events;
    }

    // promises: MCP-14
    it.each(Array.from({ length: 12 }, (_, cut) => cut))(
      'after %s messages loses none and doubles none',
      async (cut) => {
        const name = await path.connection(server.url);
        const session = await new RawClient(path, name).begin('2025-11-25');
        const headers = {
          ...session,
          authorization: `Bearer ${await path.gateway.token('alice')}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
        };
        const steps = 10;
        const response = await fetch(path.endpoint(name), {
          method: 'POST',
          headers,
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'progress', arguments: { steps }, _meta: { progressToken: 'p' } },
          }),
        });
        expect(response.headers.get('content-type')).toBe('text/event-stream');
        const events = await read(response, Math.max(cut, 1));
        // Resumed again and again, each time for one message more.
        for (let tries = 0; tries < 40 && events.at(-1)?.data?.id !== 1; tries += 1) {
          const last = events.at(-1)?.id ?? '';
          const resumed = await fetch(path.endpoint(name), {
            headers: { ...headers, 'last-event-id': last },
          });
          expect(resumed.status).toBe(200);
          events.push(...(await read(resumed, 1 + (tries % 3))));
        }
        const messages = events.filter(({ data }) => data !== undefined);
        expect(messages.map(({ data }) => data.params?.progress ?? data.id)).toEqual([
          ...Array.from({ length: steps }, (_, step) => step + 1),
          1,
        ]);
        expect(new Set(messages.map(({ id }) => id)).size).toBe(messages.length);
      },
    );

    it.each(['nothing', 'answer-99/1', 'changes/999999', '../../1'])(
      'cannot be resumed at %s',
      async (last) => {
        const client = new RawClient(path, await path.connection(server.url));
        const session = await client.begin();
        const answer = await client.send(undefined, { ...session, 'last-event-id': last }, 'GET');
        expect([answer.status, typeof answer.message.error.message]).toEqual([400, 'string']);
      },
    );
  }),
);
