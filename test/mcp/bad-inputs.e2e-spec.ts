import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { createRule, denyWords } from '../support/guardrails';
import { eventually } from '../support/eventually';
import { type McpPath, beginMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import {
  type RawAnswering,
  type RawServer,
  event,
  json,
  rawLegacy,
  rawModern,
  stream,
} from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { pattern } from '../support/rule-entries';
import { scoped } from '../support/scoped';

type Ask = (method: string, params?: Record<string, unknown>) => Promise<RawAnswer>;
const ERAS = ['modern', 'legacy'] as const;

/** Returns a function that sends requests as a client of the given MCP era. */
async function asking(
  era: (typeof ERAS)[number],
  path: McpPath,
  name: string,
  person: 'alice' | 'bob' = 'alice',
): Promise<Ask> {
  const client = new RawClient(path, name, person);
  if (era === 'modern') return (method, params) => client.modern(method, params);
  const session = await client.begin();
  let id = 0;
  return (method, params = {}) => client.send({ jsonrpc: '2.0', id: ++id, method, params }, session);
}

/** Expects an error that describes the fault to the client, and no status of a gateway fault (5xx). */
function isRefusedInWords({ status, message, text }: RawAnswer): void {
  const words = (message?.error?.message ?? message?.result?.content?.[0]?.text) as string | undefined;
  expect([
    status < 500,
    message?.error !== undefined || message?.result?.isError === true,
    text.slice(0, 300),
  ]).toEqual([true, true, expect.anything()]);
  expect(words).toMatch(/\w+ \w+/);
}

/** Answers as a server with one tool, `say`. `answering` answers the calls of the tool. */
function listing(answering: RawAnswering): RawAnswering {
  return (request, response) => {
    const { body } = request;
    if (body?.method === 'tools/call') return answering(request, response);
    const tools = [{ name: 'say', inputSchema: { type: 'object' } }];
    if (body?.id === undefined) return void response.writeHead(request.method === 'GET' ? 405 : 202).end();
    json(response, { jsonrpc: '2.0', id: body.id, result: { resultType: 'complete', tools } });
  };
}

/**
 * 40 MB of spaces, compressed. A gzip bomb has three members: these spaces between two parts of an answer.
 */
const SPACES = gzipSync(' '.repeat(40_000_000), { level: 1 });
const bomb = (json: string): Buffer => {
  const [before = '', after = ''] = json.split('BOMB');
  return Buffer.concat([gzipSync(before), SPACES, gzipSync(after)]);
};

const done = (id: unknown, text = 'done') => ({
  jsonrpc: '2.0',
  id,
  result: { resultType: 'complete', content: [{ type: 'text', text }] },
});

describe(
  'is answered in words',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_ANSWER_SECONDS: '2' });
    const server = begin(() => startMcpServer('modern'));
    let answersCalls: RawAnswering = () => undefined;
    const bad = [rawModern, rawLegacy].map((start) =>
      begin(() => start(listing((request, response) => answersCalls(request, response)))),
    );
    const open: RawServer[] = [];
    afterEach(async () => {
      for (const one of open.splice(0)) await one.close();
    });

    describe.each(ERAS)('a %s client', (era) => {
      let askServer: Ask;
      const askBad: Ask[] = [];
      beforeAll(async () => {
        askServer = await asking(era, path, await path.connection(server.url));
        for (const { url } of bad) askBad.push(await asking(era, path, await path.connection(url)));
      });

      it.each([
        ['a slash', 'a/b'],
        ['dots', '../echo'],
        ['look-alike letters', 'еcho'],
        ['10 kB', 'x'.repeat(10_000)],
        ['line breaks', 'echo\r\nx: y'],
        ['an invisible letter', 'echo\u200B'],
        ['NUL', 'echo\u0000'],
        ['nothing', ''],
        ['a name of JavaScript', '__proto__'],
        ['spaces around it', ' echo '],
      ])('when the name of a tool has %s', async (_, tool) => {
        const before = server.counts.runs.get('echo') ?? 0;
        isRefusedInWords(await askServer('tools/call', { name: tool, arguments: { text: 'x' } }));
        isRefusedInWords(await askServer('prompts/get', { name: tool, arguments: {} }));
        expect(server.counts.runs.get('echo') ?? 0).toBe(before);
      });

      it('when it calls a tool before it listed any, and the tool is looked up first', async () => {
        const ask = await asking(era, path, await path.connection(server.url));
        const before = server.heard.length;
        const { message } = await ask('tools/call', { name: 'echo', arguments: { text: 'first' } });
        expect(message.result.content[0].text).toBe('first');
        const methods = server.methods().slice(before);
        expect(methods.indexOf('tools/list')).toBeGreaterThanOrEqual(0);
        expect(methods.indexOf('tools/list')).toBeLessThan(methods.indexOf('tools/call'));
      });

      it('when a cursor is of another list, person or connection, or is none', async () => {
        const paged = await rawModern(({ body }, response) => {
          const page = Number((body.params as { cursor?: string }).cursor ?? '0');
          const result = {
            'tools/list': { tools: [{ name: `tool-${page}`, inputSchema: { type: 'object' } }] },
            'prompts/list': { prompts: [{ name: `prompt-${page}` }] },
          }[body.method as string];
          const more = page < 3 ? { nextCursor: String(page + 1) } : {};
          json(response, {
            jsonrpc: '2.0',
            id: body.id,
            result: { resultType: 'complete', ...result, ...more },
          });
        });
        open.push(paged);
        const [name, other] = [await path.connection(paged.url), await path.connection(paged.url)];
        const ask = await asking(era, path, name);
        const cursor = (await ask('tools/list')).message.result.nextCursor as string;
        expect((await ask('tools/list', { cursor })).message.result.tools[0].name).toBe('tool-1');
        isRefusedInWords(await ask('prompts/list', { cursor }));
        isRefusedInWords(await (await asking(era, path, name, 'bob'))('tools/list', { cursor }));
        isRefusedInWords(await (await asking(era, path, other))('tools/list', { cursor }));
        for (const wrong of ['1', '', `${cursor}x`, 7, ['1'], {}])
          isRefusedInWords(await ask('tools/list', { cursor: wrong }));
        // The right cursor still works.
        expect((await ask('tools/list', { cursor })).message.result.tools[0].name).toBe('tool-1');
      });

      it.each<[string, RawAnswering]>([
        ['a page', (_, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>')],
        [
          'a bomb',
          ({ body }, r) =>
            json(r, bomb(JSON.stringify(done(body.id, 'BOMB'))), 200, { 'content-encoding': 'gzip' }),
        ],
        [
          'a bomb that is none',
          (_, r) => json(r, Buffer.from('no gzip'), 200, { 'content-encoding': 'gzip' }),
        ],
        [
          'an encoding that nobody knows',
          ({ body }, r) => json(r, JSON.stringify(done(body.id)), 200, { 'content-encoding': 'x-secret' }),
        ],
        [
          'a stream without an event',
          (_, r) => {
            stream(r);
            const timer = setInterval(() => r.write(': and\n\n'), 50);
            r.on('close', () => clearInterval(timer));
          },
        ],
        ['an answer with another id', (_, r) => json(r, done('another'))],
        ['an answer with the id of another type', ({ body }, r) => json(r, done(String(body.id)))],
        [
          'status 401 after its stream began',
          (_, r) => {
            stream(r);
            r.write(': 401\n\n');
            setImmediate(() => r.end('HTTP/1.1 401 Unauthorized\r\n\r\n'));
          },
        ],
        ['status 401', (_, r) => void r.writeHead(401, { 'www-authenticate': 'Bearer' }).end()],
        [
          'a redirect to loopback',
          (_, r) => void r.writeHead(307, { location: 'http://localhost:1/mcp' }).end(),
        ],
        ['a redirect to a file', (_, r) => void r.writeHead(302, { location: 'file:///etc/passwd' }).end()],
        [
          'half of an answer',
          ({ body }, r) => (
            r.writeHead(200, { 'content-type': 'application/json' }),
            r.write(JSON.stringify(done(body.id)).slice(0, 30)),
            void setImmediate(() => r.destroy())
          ),
        ],
        ['status 500', (_, r) => void r.writeHead(500).end('stack trace at /srv/secret.js')],
        ['a batch', ({ body }, r) => json(r, [done(body.id), done(body.id)])],
        ['nothing', (_, r) => void r.socket?.destroy()],
      ])('when a server answers with %s', async (_, answering) => {
        answersCalls = answering;
        for (const [index, { heard }] of bad.entries()) {
          const ask = askBad[index] as Ask;
          const before = heard.length;
          const answer = await ask('tools/call', { name: 'say', arguments: {} });
          isRefusedInWords(answer);
          expect(answer.text).not.toContain('secret');
          // The gateway does not repeat the call, and answers the next request.
          expect(heard.slice(before).filter(({ body }) => body?.method === 'tools/call')).toHaveLength(1);
          expect((await ask('tools/list')).message.result.tools).toHaveLength(1);
        }
      });

      it('once, when a server answers twice', async () => {
        for (const start of [rawModern, rawLegacy]) {
          const twice = await start(
            listing(({ body }, response) => {
              stream(response);
              response.end(event(done(body.id, 'one')) + event(done(body.id, 'two')));
            }),
          );
          open.push(twice);
          const ask = await asking(era, path, await path.connection(twice.url));
          const { status, messages } = await ask('tools/call', { name: 'say', arguments: {} });
          expect([status, messages.map(({ result }) => result.content[0].text)]).toEqual([200, ['one']]);
        }
      });

      it('when the schemas of a tool refer to the network, which nobody asks', async () => {
        const network = await rawModern((_, response) => json(response, { type: 'object' }));
        open.push(network);
        const $ref = network.url;
        const referring = await rawModern(({ body }, response) => {
          const result =
            body.method === 'tools/list'
              ? {
                  tools: [
                    {
                      name: 'refers',
                      inputSchema: { type: 'object', $ref },
                      outputSchema: { type: 'object', $ref },
                    },
                    {
                      name: 'deeper',
                      inputSchema: {
                        type: 'object',
                        properties: { a: { $ref }, b: { $dynamicRef: $ref } },
                        $schema: $ref,
                        $id: $ref,
                      },
                    },
                  ],
                }
              : { content: [], structuredContent: { mail: 'a@example.com' } };
          json(response, { jsonrpc: '2.0', id: body.id, result: { resultType: 'complete', ...result } });
        });
        open.push(referring);
        const name = await path.connection(referring.url);
        const { id } = (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body;
        await createRule(path.gateway, {
          name: `mask-${name}`,
          connection_ids: [id],
          output: { rules: [pattern('[a-z]+@example\\.com', { action: 'mask' })] },
        });
        const ask = await asking(era, path, name);
        expect((await ask('tools/list')).message.result.tools).toHaveLength(2);
        // The output schema has a reference that the gateway does not load, so it cannot check that a mask
        // fits.
        isRefusedInWords(await ask('tools/call', { name: 'refers', arguments: { a: 1 } }));
        const { message } = await ask('tools/call', { name: 'deeper', arguments: { a: 1 } });
        expect(message.result.structuredContent).toEqual({ mail: '****' });
        expect(network.heard).toEqual([]);
      });
    });
  }),
);

describe(
  'messages of clients',
  scoped((begin) => {
    const path = beginMcpPath(begin, { MCP_HOLD_SECONDS: '30' });
    const server = begin(() => startMcpServer('modern'));
    const legacy = begin(() => startMcpServer('legacy'));
    const runs = (): number => server.counts.runs.get('echo') ?? 0;
    const call = (id: string, tool = 'echo', text = 'x'): string =>
      `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${tool}","arguments":{"text":"${text}"}}}`;

    it.each(['null', '1.5', '{}', '[1]', 'true', '1e400'])(
      'have no id %s in a legacy session',
      async (id) => {
        const client = new RawClient(path, await path.connection(server.url));
        const session = await client.begin();
        const before = runs();
        const answer = await client.send(call(id), session);
        isRefusedInWords(answer);
        expect([answer.status, answer.message.error.code, runs()]).toEqual([400, -32600, before]);
      },
    );

    it('have ids that no double holds, also to cancel them', async () => {
      const client = new RawClient(path, await path.connection(server.url));
      const session = await client.begin();
      const answer = await client.send(call('9007199254740993'), session);
      expect(answer.text).toContain('"id":9007199254740993');
      const cancelled = server.counts.cancelled;
      const before = server.counts.runs.get('wait') ?? 0;
      const waiting = client.send(call('9007199254740995', 'wait'), session);
      await eventually('it runs', async () => (server.counts.runs.get('wait') ?? 0) > before);
      const cancel = (id: string) =>
        client.send(
          `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`,
          session,
        );
      // 9007199254740996 is the double nearest to the ID of the call, but it is another ID.
      expect((await cancel('9007199254740996')).status).toBe(202);
      expect((await cancel('9007199254740995')).status).toBe(202);
      await eventually('it is cancelled', async () => server.counts.cancelled > cancelled);
      expect((await waiting).status).toBeLessThan(500);
    });

    it('have no id that is being answered', async () => {
      const client = new RawClient(path, await path.connection(server.url));
      const session = await client.begin();
      const before = server.counts.runs.get('wait') ?? 0;
      const first = client.send(
        '{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"wait","arguments":{"ms":1500}}}',
        session,
      );
      await eventually('it runs', async () => (server.counts.runs.get('wait') ?? 0) > before);
      const again = await client.send(call('7'), session);
      expect([again.status, again.message.error.code]).toEqual([400, -32600]);
      // The ids `7` and `"7"` are different, so the second call does not conflict with the first.
      expect((await client.send(call('"7"'), session)).message.result.content[0].text).toBe('x');
      expect((await first).message.result.content[0].text).toBe('waited');
      expect((await client.send(call('7'), session)).message.result.content[0].text).toBe('x');
    });

    it('have the version of their era', async () => {
      const name = await path.connection(server.url);
      const client = new RawClient(path, name);
      const legacyHeader = await client.modern('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' });
      expect([legacyHeader.status, legacyHeader.message.error.code]).toEqual([400, -32020]);
      const session = await client.begin();
      for (const version of ['2026-07-28', '2025-03-26', 'x']) {
        const answer = await client.send(call('1'), { ...session, 'mcp-protocol-version': version });
        isRefusedInWords(answer);
        expect(answer.status).toBe(400);
      }
    });

    it.each([
      'Mcp-Name: ec\nho',
      'Mcp-Name: ec\rho',
      'Mcp-Name: echo\r\n folded',
      'Mcp-Name: ec\u0000ho',
      'Mcp Name: echo',
    ])('have no broken header: %j', async (header) => {
      const name = await path.connection(server.url);
      const before = runs();
      const { hostname, port, pathname } = new URL(path.endpoint(name));
      const socket = connect(Number(port), hostname);
      const body = '{}';
      socket.end(
        `POST ${pathname} HTTP/1.1\r\nHost: ${hostname}\r\nAuthorization: Bearer ${await path.gateway.token('alice')}\r\nContent-Type: application/json\r\nAccept: */*\r\nContent-Length: ${body.length}\r\n${header}\r\n\r\n${body}`,
      );
      const [first] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      expect(first.toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
      expect(runs()).toBe(before);
    });

    it('are judged one by one in a batch, and answered one by one', async () => {
      const name = await path.connection(server.url, { mcp_policy: { tools: { denied: ['contents'] } } });
      const { id } = (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body;
      await createRule(path.gateway, {
        name: `r-${name}`,
        connection_ids: [id],
        input: denyWords(['forbidden']),
      });
      const client = new RawClient(path, name);
      const session = await client.begin('2025-03-26');
      const before = server.heard.length;
      const { status, message } = await client.send(
        `[${call('1')},${call('"1"', 'echo', 'forbidden')},${call('2', 'contents')},${call('3', 'nothing')},${call('4', 'echo', 'y')}]`,
        session,
      );
      expect(status).toBe(200);
      const answers = message as { id: unknown; result?: { isError?: boolean }; error?: object }[];
      expect(
        answers.map((answer) => [answer.id, answer.error !== undefined || answer.result?.isError === true]),
      ).toEqual([
        [1, false],
        ['1', true],
        [2, true],
        [3, true],
        [4, false],
      ]);
      const heard = server.heard.slice(before).filter(({ body }) => body?.method === 'tools/call');
      expect(heard).toHaveLength(2);
      expect(new Set(heard.map(({ body }) => body.params.arguments.text as string))).toEqual(
        new Set(['x', 'y']),
      );
    });

    it.each(['null', '1.5', '{}'])('have no id %s in a batch', async (id) => {
      const client = new RawClient(path, await path.connection(server.url));
      const session = await client.begin('2025-03-26');
      const before = runs();
      isRefusedInWords(await client.send(`[${call('1')},${call(id)}]`, session));
      expect(runs()).toBe(before);
    });

    it('are 50 in a batch at most', async () => {
      const client = new RawClient(path, await path.connection(server.url));
      const session = await client.begin('2025-03-26');
      const batch = (length: number): string =>
        `[${Array.from({ length }, (_, id) => call(String(id))).join(',')}]`;
      const before = runs();
      isRefusedInWords(await client.send(batch(51), session));
      expect(runs()).toBe(before);
      expect((await client.send(batch(50), session)).message).toHaveLength(50);
      expect(runs()).toBe(before + 50);
    });

    it('are about no connection of a catalog entry that does not exist', async () => {
      const { status, body } = await path.gateway.call('admin', 'POST', '/connections', {
        name: 'from-nowhere',
        catalog: 'no-such-server',
      });
      expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining('catalog')]);
    });

    it('are ended in words, and never run, when their connection is deleted while they are held', async () => {
      const name = await path.connection(legacy.url, { mcp_policy: { tools: { approval: ['echo'] } } });
      const ask = await asking('legacy', path, name);
      const held = ask('tools/call', { name: 'echo', arguments: { text: 'held' } });
      await eventually('people are asked', async () =>
        (await path.gateway.call('admin', 'GET', '/reviews?status=PENDING')).text.includes(name),
      );
      expect((await path.gateway.call('admin', 'DELETE', `/connections/${name}`)).status).toBe(204);
      const answer = await held;
      expect(answer.status).toBeLessThan(500);
      if (answer.message !== undefined) isRefusedInWords(answer);
      isRefusedInWords(await ask('tools/list'));
      expect(legacy.counts.runs.get('echo') ?? 0).toBe(0);
    });
  }),
);
