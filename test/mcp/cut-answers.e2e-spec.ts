import type { ServerResponse } from 'node:http';
import { UpstreamFault } from '../../src/targets/mcp/upstream';
import { openedUpstream } from '../support/mcp/opened-upstream';
import { rawLegacy, rawModern, startRawServer, stream } from '../support/mcp/raw-server';
import { volume } from '../support/volume';

const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'ü' }] };
const event = (message: object): string => `data: ${JSON.stringify(message)}\r\n\r\n`;

/** Ways to end an answer too early. Each sends the given bytes first. */
const CUTS: Readonly<Record<string, (response: ServerResponse, bytes: Buffer, length: number) => void>> = {
  'an end of its chunks': (response, bytes) => void response.end(bytes),
  'a broken connection': (response, bytes) => void response.write(bytes, () => response.destroy()),
  'less than its length': (response, bytes, length) => {
    response.setHeader('content-length', length + 1);
    response.write(bytes, () => response.destroy());
  },
};

// promises: MCP-24
describe.each([
  ['modern', rawModern],
  ['legacy', rawLegacy],
] as const)('an answer of a %s server that is cut', (_, start) => {
  it.each(
    Object.keys(CUTS).flatMap((cut) => (['JSON', 'events'] as const).map((form) => [form, cut] as const)),
  )('at any byte of its %s by %s is no answer', async (form, cut) => {
    let at = 0;
    let size = 1;
    const server = await start(({ method, body }, response) => {
      if (method !== 'POST') return void response.writeHead(405).end();
      const answer = { jsonrpc: '2.0', id: body.id, result: RESULT };
      const whole = Buffer.from(form === 'JSON' ? JSON.stringify(answer) : event(answer));
      // An event is complete at the first byte of its empty line (CR LF), so the last byte is not needed.
      size = form === 'JSON' ? whole.length : whole.length - 1;
      response.setHeader('content-type', form === 'JSON' ? 'application/json' : 'text/event-stream');
      CUTS[cut]?.(response, whole.subarray(0, at), whole.length);
    });
    const upstream = openedUpstream(server.url, { timeoutMs: 5_000 });
    try {
      for (at = 0; at < size; at += 1) {
        const answer = await upstream.call('x').catch((error: unknown) => error);
        expect([at, answer]).toEqual([at, expect.any(UpstreamFault)]);
      }
      expect(at).toBeGreaterThan(80);
    } finally {
      await upstream.close();
      await server.close();
    }
  });
});

/** The stream of an HTTP+SSE server, event by event: the address for messages, and the answers. */
const SAID = {
  'the address for messages': 'event: endpoint\r\ndata: /messages\r\n\r\n',
  'the first answer': (id: number) =>
    event({
      jsonrpc: '2.0',
      id,
      result: {
        protocolVersion: '2024-11-05',
        capabilities: { tools: {} },
        serverInfo: { name: 'r', version: '1' },
      },
    }),
  'the answer to a call': (id: number) => event({ jsonrpc: '2.0', id, result: RESULT }),
} as const;

// promises: MCP-24
describe('the stream of an HTTP+SSE server that is cut', () => {
  const cases = Object.keys(SAID).flatMap((said) =>
    (['an end of its chunks', 'a broken connection'] as const).map((cut) => [said, cut] as const),
  );

  it.each(cases)('at any byte of %s by %s is no answer', async (said, cut) => {
    let at = 0;
    let size = 1;
    let shared: ServerResponse | undefined;
    const say = (what: keyof typeof SAID, id = 0): void => {
      const text = SAID[what];
      const whole = Buffer.from(typeof text === 'string' ? text : text(id));
      if (what !== said) return void shared?.write(whole);
      size = whole.length - 1;
      CUTS[cut]?.(shared as ServerResponse, whole.subarray(0, at), whole.length);
    };
    const server = await startRawServer(({ method, body }, response) => {
      if (method === 'GET') {
        stream(response);
        response.flushHeaders();
        shared = response;
        return say('the address for messages');
      }
      response.writeHead(202).end();
      if (body.method === 'initialize') say('the first answer', body.id as number);
      else if (body.method === 'tools/call') say('the answer to a call', body.id as number);
    });
    try {
      for (at = 0; at < size; at += volume(3, 1)) {
        const upstream = openedUpstream(server.url, { timeoutMs: 5_000, transport: 'sse' });
        const answer = await upstream.call('x').catch((error: unknown) => error);
        expect([at, answer]).toEqual([at, expect.any(UpstreamFault)]);
        await upstream.close();
      }
      expect(size).toBeGreaterThan(30);
    } finally {
      await server.close();
    }
  });
});
