import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Connections } from '../../src/process/shutdown';
import { eventually } from '../support/eventually';
import { type McpPath, startMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META, RawClient } from '../support/mcp/raw-client';
import { type RawServer, event, json, startRawServer, stream } from '../support/mcp/raw-server';
import { type RawEnd, RawReading, dataOf } from '../support/raw-reading';
import { scoped } from '../support/scoped';
import { turnOf, volume } from '../support/volume';
import { RefusedInserts } from '../support/refused-inserts';

/** A text larger than all socket buffers between the gateway and a client that does not read. */
const LARGE = 'x'.repeat(6 * 1024 * 1024);
const CALL_ID = 7;

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly message?: string; readonly _meta?: Record<string, unknown> };
  readonly result?: { readonly isError?: boolean; readonly content?: readonly { readonly text: string }[] };
  readonly error?: object;
}

/** A legacy server that sends the messages of the test, on its GET stream and in the answers to its calls. */
class TalkingServer {
  /** The latest GET stream. The next field has the latest call, with the response to it. */
  shared: ServerResponse | undefined;
  call: { readonly id: number; readonly token: unknown; readonly response: ServerResponse } | undefined;
  private readonly raw: Promise<RawServer>;

  constructor() {
    this.raw = startRawServer(({ method, body }, response) => {
      if (method === 'DELETE') return void response.writeHead(200).end();
      if (method === 'GET') {
        stream(response);
        response.flushHeaders();
        this.shared = response;
        return;
      }
      const answer = (result: object, headers = {}): void =>
        json(response, { jsonrpc: '2.0', id: body.id, result }, 200, headers);
      if (body.method === 'server/discover') response.writeHead(400).end();
      else if (body.method === 'initialize')
        answer(
          {
            protocolVersion: '2025-11-25',
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: 'talking', version: '1' },
          },
          { 'mcp-session-id': randomUUID() },
        );
      else if (body.method === 'tools/list')
        answer({ tools: [{ name: 'talk', inputSchema: { type: 'object' } }] });
      else if (body.method === 'tools/call') {
        stream(response);
        response.flushHeaders();
        this.call = { id: body.id as number, token: body.params._meta?.progressToken, response };
      } else if (body.id === undefined) response.writeHead(202).end();
      else answer({});
    });
  }

  static async start(): Promise<TalkingServer & { readonly url: string }> {
    const server = new TalkingServer();
    return Object.assign(server, { url: (await server.raw).url });
  }

  changed(text: string): void {
    const params = { _meta: { 'com.example/text': text } };
    this.shared?.write(event({ jsonrpc: '2.0', method: 'notifications/tools/list_changed', params }));
  }

  progress(text: string, progress: number): void {
    const params = { progressToken: this.call?.token, progress, message: text };
    this.call?.response.write(event({ jsonrpc: '2.0', method: 'notifications/progress', params }));
  }

  answer(text: string): void {
    const { id, response } = this.call ?? {};
    response?.end(event({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text }] } }));
  }

  async close(): Promise<void> {
    await (await this.raw).close();
  }
}

type Era = 'modern' | 'legacy';

/** A kind of stream or answer that a client reads slowly. */
interface Kind {
  readonly era: Era;
  readonly asks: 'GET' | 'subscriptions/listen' | 'tools/call';
  /** Whether the answer is a stream, because a first small message was sent in it. */
  readonly isStream: boolean;
  readonly say: (server: TalkingServer, text: string, at: number) => void;
}

const KINDS: Readonly<Record<string, Kind>> = {};
const kinds = KINDS as Record<string, Kind>;
for (const era of ['legacy', 'modern'] as const) {
  kinds[`the changes of a ${era} client`] = {
    era,
    asks: era === 'legacy' ? 'GET' : 'subscriptions/listen',
    isStream: true,
    say: (server, text) => server.changed(text),
  };
  kinds[`the progress of a call of a ${era} client`] = {
    era,
    asks: 'tools/call',
    isStream: true,
    say: (server, text, at) => server.progress(text, at),
  };
  kinds[`the result in the stream of a ${era} client`] = {
    era,
    asks: 'tools/call',
    isStream: true,
    say: (server, text, at) => (text === LARGE ? server.answer(text) : server.progress(text, at)),
  };
  kinds[`the JSON of a ${era} client`] = {
    era,
    asks: 'tools/call',
    isStream: false,
    say: (server, text) => server.answer(text),
  };
}

/** Numbers of bytes after which the client stops reading: at once, or within the large message. */
const PLACES = [1, 100_000, 2_000_000];

/** A client that has stopped reading within its answer. */
interface Reading {
  readonly path: McpPath;
  /** Makes the database of `path` refuse inserts of recording chunks. */
  readonly chunks: RefusedInserts;
  readonly server: TalkingServer;
  readonly kind: Kind;
  readonly connection: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly answer: RawReading;
}

const sessionAt = async ({ path, connection }: Reading): Promise<string> =>
  (await path.gateway.call('admin', 'GET', `/sessions?connection=${connection}`)).body.data[0].id as string;

/** Causes that end the answer while the client does not read it. */
const ENDINGS: Readonly<Record<string, (of: Reading) => Promise<unknown>>> = {
  'its session is killed': async (of) =>
    of.path.gateway.call('admin', 'POST', `/sessions/${await sessionAt(of)}/kill`),
  'the connection is removed': ({ path, connection }) =>
    path.gateway.call('admin', 'DELETE', `/connections/${connection}`),
  'the access is withdrawn': ({ path, connection }) =>
    path.gateway.call('admin', 'PATCH', `/connections/${connection}`, { access_groups: ['dba'] }),
  'the next message cannot be recorded': async ({ chunks, server, kind }) => {
    await chunks.begin();
    kind.say(server, 'unrecorded', 3);
  },
  'the server breaks its answer off': async ({ server, kind }) => {
    const { response } = (kind.asks === 'tools/call' ? server.call : { response: server.shared }) ?? {};
    response?.write('data: {"jsonrpc":"2.0","meth', () => response.destroy());
  },
};

const SMALL = 'small';
const textOf = ({ params, result }: Message): unknown =>
  params?.message ?? params?._meta?.['com.example/text'] ?? result?.content?.[0]?.text;

/** Expects whole messages in their order. The last one has the result of a call, or why the call ended. */
function expectWholeMessages(end: RawEnd, { isStream, asks }: Kind): readonly Message[] {
  expect(end.status).toBe(200);
  const isJson = end.type === 'application/json';
  expect(isJson).toBe(!isStream);
  if (isJson && !end.isWhole) return [];
  const messages = (isJson ? [JSON.parse(end.body)] : dataOf(end)) as readonly Message[];
  const told = messages.filter(({ method }) => /list_changed|progress/.test(method ?? '')).map(textOf);
  expect([[], [SMALL], [SMALL, LARGE]].some((texts) => texts.join() === told.join())).toBe(true);
  if (end.isWhole && asks === 'tools/call') {
    const last = messages.at(-1);
    expect(last?.id).toBe(CALL_ID);
    expect(last?.error !== undefined || last?.result?.isError === true || textOf(last ?? {}) === LARGE).toBe(
      true,
    );
  }
  return messages;
}

// promises: MCP-24
describe(
  'a client that has stopped reading',
  scoped((begin) => {
    const server = begin(() => TalkingServer.start());
    const environment = { RECORDING_MODE: 'store', MCP_CLIENTS_PER_USER: '500' };
    const path = begin(() => startMcpPath(environment));
    let connections: Connections;
    let chunks: RefusedInserts;

    beforeAll(async () => {
      connections = new Connections(path.gateway.app.getHttpServer());
      await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
      chunks = await RefusedInserts.on(path.gateway.database, 'session_chunks');
    });

    const requestOf = ({ era, asks, isStream }: Kind) => {
      if (asks === 'GET') return { method: 'GET' };
      const meta = {
        ...(era === 'modern' ? MODERN_META : {}),
        ...(isStream && asks === 'tools/call' ? { progressToken: 'p' } : {}),
      };
      const params =
        asks === 'tools/call'
          ? { name: 'talk', arguments: {}, _meta: meta }
          : { notifications: { toolsListChanged: true }, _meta: meta };
      return {
        method: 'POST',
        body: JSON.stringify({ jsonrpc: '2.0', id: CALL_ID, method: asks, params }),
      };
    };

    /**
     * Starts a client that reads its answer up to `place` and then stops. Resolves while the large message is
     * being sent.
     */
    async function stopped(kind: Kind, place: number): Promise<Reading> {
      const connection = await path.connection(server.url);
      const client = new RawClient(path, connection);
      const own =
        kind.era === 'legacy'
          ? await client.begin()
          : { 'mcp-protocol-version': '2026-07-28', 'mcp-method': kind.asks, 'mcp-name': 'talk' };
      const headers = {
        authorization: `Bearer ${await path.gateway.token('alice')}`,
        accept: kind.asks === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...own,
      };
      server.shared = undefined;
      server.call = undefined;
      const answer = RawReading.open(client.url, { ...requestOf(kind), headers }, place);
      const upstream = () => (kind.asks === 'tools/call' ? server.call : server.shared) !== undefined;
      await eventually('the server is asked', async () => upstream());
      if (kind.isStream) kind.say(server, SMALL, 1);
      if (kind.asks === 'subscriptions/listen')
        await eventually('it listens', async () => answer.text.includes('acknowledged') || place === 1);
      kind.say(server, LARGE, 2);
      await eventually('the large message is recorded', async () => {
        const [row] = await path.gateway.database.query<{ size: string }>(
          'SELECT max(event_size)::text AS size FROM sessions WHERE connection_name = $1',
          [connection],
        );
        return Number(row?.size) > LARGE.length;
      });
      await eventually('it is on its way', async () => answer.bytes >= place);
      return { path, chunks, server, kind, connection, headers, answer };
    }

    const names = Object.keys(KINDS);
    const cases = Object.keys(ENDINGS).flatMap((ending, index) =>
      turnOf(names, index, 2)
        // Leaves out streams that break off at the server, because the gateway opens them again.
        .filter((name) => KINDS[name]?.asks === 'tools/call' || !/server/.test(ending))
        .flatMap((name, at) => turnOf(PLACES, index + at, 1).map((place) => [name, ending, place] as const)),
    );

    it.each(cases)('%s gets whole messages when %s (after %d bytes)', async (name, ending, place) => {
      const kind = KINDS[name] as Kind;
      const reading = await stopped(kind, place);
      try {
        await ENDINGS[ending]?.(reading);
        await pause(20);
        reading.answer.readOn();
        const end = await reading.answer.ended;
        expect(end.isWhole).toBe(true);
        expectWholeMessages(end, kind);
      } finally {
        reading.answer.leave();
        await chunks.end();
      }
    });

    it.each([
      ['opens its stream anew', false],
      ['resumes its stream', true],
    ])('and %s hears on the new one what comes next', async (_, isResumed) => {
      const kind = KINDS['the changes of a legacy client'] as Kind;
      for (const place of turnOf(PLACES, Number(isResumed), 1)) {
        const reading = await stopped(kind, Math.max(place, 1_000));
        const { answer, headers, connection } = reading;
        const [id = ''] = [...answer.text.matchAll(/^id: (\S+)\r?\n/gm)]
          .map(([, found = '']) => found)
          .slice(-1);
        const again = RawReading.open(path.endpoint(connection), {
          headers: { ...headers, ...(isResumed ? { 'last-event-id': id } : {}) },
        });
        await eventually('the new stream is there', async () => again.text.includes('event-stream'));
        server.changed('next');
        await eventually('it hears what comes next', async () =>
          again.text.slice(-10_000).includes('"next"'),
        );
        answer.readOn();
        const end = await answer.ended;
        expect(end.isWhole).toBe(true);
        expectWholeMessages(end, kind);
        again.leave();
      }
    });

    it('loses no change, and hears each once, when its stream is opened anew again and again', async () => {
      const connection = await path.connection(server.url);
      const client = new RawClient(path, connection);
      const headers = {
        authorization: `Bearer ${await path.gateway.token('alice')}`,
        accept: 'text/event-stream',
        ...(await client.begin()),
      };
      server.shared = undefined;
      const readings = [RawReading.open(client.url, { headers })];
      await eventually('the server is asked', async () => server.shared !== undefined);
      const sent = Array.from({ length: volume(60, 600) }, (_, at) => `change ${at}`);
      for (const [at, text] of sent.entries()) {
        server.changed(text);
        await pause(2);
        if (at % 10 !== 0) continue;
        await eventually('the last stream is there', async () =>
          readings.at(-1)?.text.includes('event-stream'),
        );
        readings.push(RawReading.open(client.url, { headers }));
      }
      const heard = (): string[] =>
        readings.flatMap((reading) => [...reading.text.matchAll(/change \d+/g)].map(([text]) => text));
      await eventually('the last one is heard', async () => heard().includes(sent.at(-1) ?? ''));
      readings.at(-1)?.leave();
      for (const reading of readings.slice(0, -1)) {
        const end = await reading.ended;
        expect(end.isWhole).toBe(true);
        dataOf(end);
      }
      expect(heard().toSorted()).toEqual(sent.toSorted());
    });

    it('gets no message within another one, and no part as a whole, when the gateway stops', async () => {
      const readings: Reading[] = [];
      for (const name of turnOf(names, 0, 4)) readings.push(await stopped(KINDS[name] as Kind, 100_000));
      // The gateway waits for the first client as long as it needs. For the others, the time ends at once.
      connections.drain(120_000);
      const closed = path.gateway.app.close();
      const [first, ...others] = readings as [Reading, ...Reading[]];
      first.answer.readOn();
      const end = await first.answer.ended;
      expect(end.isWhole).toBe(true);
      expectWholeMessages(end, first.kind);
      connections.drain(1);
      await closed;
      for (const { answer, kind } of others) {
        answer.readOn();
        expectWholeMessages(await answer.ended, kind);
      }
    });
  }),
);
