import { getEventListeners } from 'node:events';
import { Authenticator } from '../../src/gate/ports/authenticator';
import { LegacySessions } from '../../src/proxies/mcp/legacy/legacy-sessions';
import { eventually } from '../support/eventually';
import { figure } from '../support/mcp/figures';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';

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

    /** Reads a stream until it ends, or breaks it after `breakAfter` events with data. */
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
      'after %s messages loses none and repeats none',
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
        // Resumes the stream again and again, each time for one to three more messages.
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

    it('after any byte loses no message and doubles none', async () => {
      const name = await path.connection(server.url);
      const session = await new RawClient(path, name).begin('2025-11-25');
      const headers = {
        ...session,
        authorization: `Bearer ${await path.gateway.token('alice')}`,
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
      };
      const steps = 8;
      const call = (id: number): Promise<Response> =>
        fetch(path.endpoint(name), {
          method: 'POST',
          headers,
          body: JSON.stringify({
            jsonrpc: '2.0',
            id,
            method: 'tools/call',
            params: { name: 'progress', arguments: { steps }, _meta: { progressToken: id } },
          }),
        });
      /** Reads `count` bytes of a stream, then hangs up. Returns the complete events in these bytes. */
      const firstBytes = async (response: Response, count: number): Promise<Event[]> => {
        let bytes = Buffer.alloc(0);
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          bytes = Buffer.concat([bytes, chunk]);
          if (bytes.length >= count) break;
        }
        const text = bytes.subarray(0, count).toString();
        const whole = text.slice(0, text.lastIndexOf('\n\n') + 2);
        return read(new Response(whole));
      };
      const length = Buffer.byteLength(await (await call(1)).text());
      const cuts = volume(24, 240);
      const counts = { cuts: 0, resumptions: 0, lost: 0, doubled: 0 };
      for (let cut = 0; cut < cuts; cut += 1) {
        const id = 2 + cut;
        const events = await firstBytes(await call(id), 1 + Math.floor((cut * length) / cuts));
        // Without a complete event, there is no ID from which to resume.
        if (events.length === 0) continue;
        counts.cuts += 1;
        for (let tries = 0; tries < 40 && events.at(-1)?.data?.id !== id; tries += 1) {
          const resumed = await fetch(path.endpoint(name), {
            headers: { ...headers, 'last-event-id': events.at(-1)?.id ?? '' },
          });
          expect(resumed.status).toBe(200);
          // Closes each resumed stream early as well, after its first event.
          events.push(...(await firstBytes(resumed, 220 + ((cut * 37) % 400))));
          counts.resumptions += 1;
        }
        const came = events
          .filter(({ data }) => data !== undefined)
          .map(({ data }) => data.params?.progress ?? `${data.id}`);
        const wanted = [...Array.from({ length: steps }, (_, step) => step + 1), `${id}`];
        counts.lost += wanted.filter((one) => !came.includes(one)).length;
        counts.doubled += came.length - new Set(came).size;
        expect(came).toEqual(wanted);
      }
      figure('cuts of clients', counts);
      expect(counts).toMatchObject({ lost: 0, doubled: 0 });
      expect(counts.cuts).toBeGreaterThan(cuts * 0.9);
    });

    it('is forgotten by the visit, also after several resumptions', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      const session = await client.begin('2025-11-25');
      const { app } = path.gateway;
      const bearer = await path.gateway.token('alice');
      const principal = await app.get(Authenticator).identify({ bearer, address: '127.0.0.1' });
      const visit = app.get(LegacySessions).find(session['mcp-session-id'] ?? '', principal, name)?.visit;
      const listeners = (): number =>
        visit === undefined ? NaN : getEventListeners(visit.ended, 'abort').length;
      const before = listeners();
      for (let round = 0; round < 20; round += 1) {
        const leaving = new AbortController();
        const headers = { ...session, authorization: `Bearer ${bearer}`, accept: 'text/event-stream' };
        const open = await fetch(path.endpoint(name), { headers, signal: leaving.signal });
        expect(open.status).toBe(200);
        leaving.abort();
      }
      // The last opened stream may still have its listeners.
      await eventually('the streams are forgotten', async () => listeners() <= before + 2);
    });

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
