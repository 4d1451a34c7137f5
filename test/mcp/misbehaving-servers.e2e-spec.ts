import type { ServerResponse } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import type { JsonObject } from '../../src/kernel/json/json';
import { writeJson } from '../../src/kernel/json/json';
import {
  UpstreamFault,
  type UpstreamFaultReason,
  type UpstreamOptions,
} from '../../src/targets/mcp/upstream';
import { eventually } from '../support/eventually';
import { freePort } from '../support/free-port';
import { figure } from '../support/mcp/figures';
import { openedUpstream, plain, textOf } from '../support/mcp/opened-upstream';
import {
  type RawAnswering,
  type RawServer,
  event,
  json,
  rawLegacy,
  rawModern,
  startRawServer,
  stream,
} from '../support/mcp/raw-server';
import { type HeardRequest, type McpServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { IS_LONG, turnOf } from '../support/volume';

const RESULT = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] };
const answer = ({ body }: HeardRequest, result: unknown = RESULT) => ({
  jsonrpc: '2.0',
  id: body.id,
  result,
});
const MB = 1024 * 1024;
/** A message with 8 MB of spaces, which compress to a few kB. */
const BOMB = `{"jsonrpc":"2.0","id":1,"result":{"a":"${' '.repeat(8 * MB)}"}}`;
/**
 * Bombs by encoding. They are compressed in advance, because that takes longer than a server's time limit.
 */
const BOMBS = {
  gzip: gzipSync(BOMB, { level: 1 }),
  deflate: deflateSync(BOMB, { level: 1 }),
  br: brotliCompressSync(BOMB, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  events: gzipSync(`data: ${BOMB}\n\n`, { level: 1 }),
};

/** Writes `piece` without end, as fast as the client reads. */
function endless(response: ServerResponse, piece: string): void {
  const chunk = piece.repeat(Math.max(1, 16_384 / piece.length));
  const write = (): void => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', write);
  write();
}

/** Writes `piece` every 10 ms. */
function trickle(response: ServerResponse, piece: string): void {
  const timer = setInterval(() => response.write(piece), 10);
  response.on('close', () => clearInterval(timer));
}

/** Starts a stream as the answer, unless the answer is a stream already, as with HTTP+SSE. */
function begun(response: ServerResponse): ServerResponse {
  if (!response.headersSent) stream(response);
  return response;
}

/** Starts an HTTP+SSE server. @param calling gets each tool call, and the stream for its answer */
function rawSse(calling: (request: HeardRequest, streamed: ServerResponse) => void): Promise<RawServer> {
  let streamed: ServerResponse | undefined;
  return startRawServer((request, response) => {
    if (request.method === 'GET') {
      stream(response);
      response.write('event: endpoint\ndata: /messages?session=1\n\n');
      streamed = response;
      return;
    }
    response.writeHead(202).end('Accepted');
    const { id, method } = request.body;
    const result = {
      protocolVersion: '2024-11-05',
      capabilities: {},
      serverInfo: { name: 'x', version: '1' },
    };
    if (method === 'initialize') streamed?.write(event({ jsonrpc: '2.0', id, result }));
    else if (method === 'tools/call' && streamed !== undefined) calling(request, streamed);
  });
}

const NOT_FOLLOWED =
  "The gateway follows no redirect: if that is the server's address, write it to REMOTE_URL of the connection.";

// promises: MCP-15
describe('an MCP server that misbehaves', () => {
  const open: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one.close();
  });

  async function calling(started: Promise<RawServer>, options: Partial<UpstreamOptions> = {}) {
    const server = await started;
    const upstream = openedUpstream(server.url, { maxMessageBytes: MB, timeoutMs: 5_000, ...options });
    open.push(server, upstream);
    return { server, upstream };
  }

  it.each<[string, UpstreamFaultReason, RegExp, RawAnswering]>([
    [
      'a page instead of an answer',
      'malformed',
      /neither JSON nor a stream of events but text\/html/,
      (_, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>Sign in</p>'),
    ],
    [
      'a media type with unusual characters',
      'malformed',
      /nor a stream of events\.$/,
      (_, r) => void r.writeHead(200, { 'content-type': `<b>${'x'.repeat(500)}` }).end('{}'),
    ],
    ['no media type', 'malformed', /neither JSON/, (_, r) => void r.writeHead(200).end('{}')],
    ['nothing to a request', 'malformed', /neither JSON/, (_, r) => void r.writeHead(202).end()],
    ['an empty body', 'malformed', /.*/, (_, r) => json(r, '')],
    ['half of an answer as a whole', 'malformed', /.*/, (_, r) => json(r, '{"jsonrpc":"2.0"')],
    ['two answers in a body', 'malformed', /.*/, (q, r) => json(r, JSON.stringify(answer(q)).repeat(2))],
    ['a batch', 'malformed', /batch/, (q, r) => json(r, [answer(q)])],
    [
      'names that are given twice',
      'malformed',
      /.*/,
      (q, r) => json(r, `{"jsonrpc":"2.0","id":${q.body.id},"result":{"a":1,"a":2}}`),
    ],
    ['nesting without end', 'malformed', /.*/, (_, r) => json(r, '['.repeat(100_000))],
    [
      'NUL in a text',
      'malformed',
      /.*/,
      (q, r) => json(r, `{"jsonrpc":"2.0","id":${q.body.id},"result":{"a":"\\u0000"}}`),
    ],
    [
      'bytes that are not UTF-8',
      'malformed',
      /UTF-8/,
      (_, r) => json(r, Buffer.from('7b2261223a22ff227d', 'hex')),
    ],
    [
      'an answer to another request',
      'malformed',
      /answers another request/,
      (_, r) => json(r, { jsonrpc: '2.0', id: 999, result: RESULT }),
    ],
    [
      'an answer to the same number as text',
      'malformed',
      /answers another request/,
      (q, r) => json(r, { jsonrpc: '2.0', id: String(q.body.id), result: RESULT }),
    ],
    [
      'an answer without an id',
      'malformed',
      /"id"/,
      (_, r) => json(r, { jsonrpc: '2.0', id: null, result: RESULT }),
    ],
    [
      'an error to another request',
      'malformed',
      /answers another request/,
      (_, r) => json(r, { jsonrpc: '2.0', id: 999, error: { code: 1, message: 'm' } }, 400),
    ],
    ['a result that is a text', 'malformed', /"result"/, (q, r) => json(r, answer(q, 'done'))],
    [
      'an error without code',
      'malformed',
      /"code"/,
      (q, r) => json(r, { jsonrpc: '2.0', id: q.body.id, error: { message: 'no' } }),
    ],
    [
      'an unknown type of result',
      'malformed',
      /of a type/,
      (q, r) => json(r, answer(q, { resultType: 'surprise' })),
    ],
    [
      'a type of result that is a number',
      'malformed',
      /of a type/,
      (q, r) => json(r, answer(q, { resultType: 7 })),
    ],
    [
      'a question without a question',
      'malformed',
      /names none/,
      (q, r) => json(r, answer(q, { resultType: 'input_required' })),
    ],
    [
      'a question that is no request',
      'malformed',
      /asks for an input/,
      (q, r) => json(r, answer(q, { resultType: 'input_required', inputRequests: { a: 'x' } })),
    ],
    [
      'a question for the password file',
      'malformed',
      /asks for an input/,
      (q, r) =>
        json(r, answer(q, { resultType: 'input_required', inputRequests: { a: { method: 'files/read' } } })),
    ],
    [
      'questions as a list',
      'malformed',
      /inputRequests/,
      (q, r) => json(r, answer(q, { resultType: 'input_required', inputRequests: [1] })),
    ],
    [
      'a state that is an object',
      'malformed',
      /requestState/,
      (q, r) => json(r, answer(q, { resultType: 'input_required', requestState: {} })),
    ],
    [
      'a request on its answer',
      'malformed',
      /is a request/,
      (_, r) => (stream(r), void r.end(event({ jsonrpc: '2.0', id: 1, method: 'roots/list' }))),
    ],
    [
      'a stream that ends without an answer',
      'lost',
      /ended its answer before it was complete/,
      (_, r) => (stream(r), void r.end(':\n\n')),
    ],
    [
      'a stream that breaks off',
      'lost',
      /broke off/,
      (_, r) => (stream(r), r.write(':\n\n'), void setTimeout(() => r.destroy(), 20)),
    ],
    [
      'a body that breaks off',
      'lost',
      /broke off/,
      (_, r) => (
        r.writeHead(200, { 'content-type': 'application/json', 'content-length': '900' }),
        r.write('{'),
        void setTimeout(() => r.destroy(), 20)
      ),
    ],
    ['a hang-up', 'lost', /broke off before the answer/, (_, r) => void r.destroy()],
    [
      'an encoding that nobody asked for',
      'malformed',
      /encoding/,
      (_, r) => json(r, '{}', 200, { 'content-encoding': 'zstd' }),
    ],
    [
      'gzip that is none',
      'malformed',
      /not compressed/,
      (_, r) => json(r, 'no gzip', 200, { 'content-encoding': 'gzip' }),
    ],
    [
      'brotli that is none',
      'malformed',
      /not compressed/,
      (_, r) => json(r, '\xff\xff no brotli', 200, { 'content-encoding': 'br' }),
    ],
    [
      'gzip that breaks off',
      'malformed',
      /not compressed/,
      (q, r) =>
        json(r, gzipSync(JSON.stringify(answer(q))).subarray(0, 30), 200, { 'content-encoding': 'gzip' }),
    ],
    [
      'a bomb of gzip',
      'too_large',
      /larger than 1048576 bytes/,
      (_, r) => json(r, BOMBS.gzip, 200, { 'content-encoding': 'gzip' }),
    ],
    [
      'a bomb of brotli',
      'too_large',
      /larger than/,
      (_, r) => json(r, BOMBS.br, 200, { 'content-encoding': 'br' }),
    ],
    [
      'a bomb of deflate',
      'too_large',
      /larger than/,
      (_, r) => json(r, BOMBS.deflate, 200, { 'content-encoding': 'deflate' }),
    ],
    [
      'a bomb in a stream',
      'too_large',
      /larger than/,
      (_, r) => (stream(r, { 'content-encoding': 'gzip' }), void r.end(BOMBS.events)),
    ],
    [
      'JSON without end',
      'too_large',
      /larger than/,
      (_, r) => (r.writeHead(200, { 'content-type': 'application/json' }), endless(r, ' ')),
    ],
    ['an event without end', 'too_large', /larger than/, (_, r) => (stream(r), endless(r, 'data: xxxx\n'))],
    [
      'a line without end',
      'too_large',
      /larger than/,
      (_, r) => (stream(r), r.write('data: '), endless(r, 'x')),
    ],
    [
      'status 401',
      'needs_reauth',
      /refuses the credential \(status 401\)/,
      (_, r) => json(r, '{}', 401, { 'www-authenticate': 'Bearer resource_metadata="https://x"' }),
    ],
    [
      'status 403',
      'refused',
      /refuses the credential \(status 403\)/,
      (_, r) => json(r, { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'm' } }, 403),
    ],
    [
      'status 422 with another kind of JSON',
      'refused',
      /status 422/,
      (_, r) => json(r, { error: 'no' }, 422),
    ],
    ['status 429', 'refused', /status 429/, (_, r) => void r.writeHead(429).end()],
    ['status 503', 'refused', /status 503/, (_, r) => void r.writeHead(503).end()],
    [
      'status 502',
      'lost',
      /status 502/,
      (_, r) => void r.writeHead(502, { 'content-type': 'text/html' }).end('<p>'),
    ],
    ['a status that is none', 'refused', /status 399/, (_, r) => void r.writeHead(399).end()],
    [
      'headers without end',
      'lost',
      /broke off/,
      (_, r) =>
        void r.writeHead(200, { 'content-type': 'application/json', x: 'x'.repeat(60_000) }).end('{}'),
    ],
  ])('with %s is a fault in words', async (_, reason, words, answering) => {
    const { upstream, server } = await calling(rawModern(answering));
    const fault: unknown = await upstream.call('x').catch((error: unknown) => error);
    expect(fault).toMatchObject({ name: 'UpstreamFault', reason, message: expect.stringMatching(words) });
    expect(server.heard.filter(({ body }) => body?.method === 'tools/call')).toHaveLength(1);
    if (reason === 'lost')
      expect((fault as Error).message).toMatch(/Whether the request ran is not known\.$/);
  });

  it.each(['headers', 'refused'] as const)(
    'is not called for who leaves while the gateway waits for a credential (%s)',
    async (waiting) => {
      let isAsked = false;
      const never = new Promise<never>(() => undefined);
      let isReady = false;
      const ask = (): Promise<never> => ((isAsked = true), never);
      const headers = () => (isReady ? ask() : {});
      const { upstream, server } = await calling(
        rawModern((_, r) => void r.writeHead(401).end()),
        waiting === 'headers' ? { headers } : { refused: ask },
      );
      await upstream.discover();
      isReady = true;
      const leave = new AbortController();
      const call = upstream.call('x', {}, { signal: leave.signal }).catch((error: unknown) => error);
      await eventually('it waits', async () => isAsked);
      leave.abort();
      expect(await call).toMatchObject({ reason: 'cancelled' });
      const calls = server.heard.filter(({ body }) => body?.method === 'tools/call');
      expect(calls).toHaveLength(waiting === 'headers' ? 0 : 1);
    },
  );

  const STREAMED = ['modern', 'legacy', 'HTTP+SSE'] as const;
  /**
   * Endless answers, which the gateway must read as fast as they come, until the time limit. In `npm test`,
   * each kind of server sends only one of them.
   */
  const FLOODS: [string, RawAnswering][] = [
    ['comments as fast as it can', (_, r) => endless(begun(r), ': comment\n')],
    ['a comment without end', (_, r) => (begun(r).write(':'), endless(r, 'x'))],
    ['ids and times without an event', (_, r) => endless(begun(r), 'id: 7\nretry: 50\n\n')],
  ];

  describe.each(STREAMED)('of the kind %s', (kind) => {
    /**
     * Starts a server of the kind. The legacy server refuses a GET stream with 405. The HTTP+SSE server
     * answers calls on its single stream.
     */
    const started = (answering: RawAnswering): Promise<RawServer> => {
      if (kind === 'modern') return rawModern(answering);
      if (kind === 'legacy')
        return rawLegacy((request, response) =>
          request.method === 'GET' ? void response.writeHead(405).end() : answering(request, response),
        );
      return rawSse((request, streamed) => answering(request, streamed));
    };

    it.each<[string, RawAnswering]>([
      ['nothing at all', () => undefined],
      ['headers alone', (_, r) => begun(r).flushHeaders()],
      ['comments', (_, r) => trickle(begun(r), ':\n\n')],
      ['events that are none of MCP', (_, r) => trickle(begun(r), 'event: ping\ndata: {}\n\n')],
      ...turnOf(FLOODS, STREAMED.indexOf(kind), 1),
    ])('with %s ends with a fault after the time limit', async (_, answering) => {
      const transport = kind === 'HTTP+SSE' ? ({ transport: 'sse' } as const) : {};
      const { upstream, server } = await calling(started(answering), { timeoutMs: 400, ...transport });
      await expect(upstream.call('x')).rejects.toMatchObject({
        reason: 'lost',
        message: expect.stringMatching(/no message for 1 s/),
      });
      expect(server.heard.filter(({ body }) => body?.method === 'tools/call')).toHaveLength(1);
    });
  });

  it('with half of an answer ends with a fault after the time limit', async () => {
    const half: RawAnswering = (_, r) => (
      r.writeHead(200, { 'content-type': 'application/json' }),
      void r.write('{')
    );
    const { upstream } = await calling(rawModern(half), { timeoutMs: 400 });
    await expect(upstream.call('x')).rejects.toMatchObject({
      reason: 'lost',
      message: expect.stringMatching(/no message for 1 s/),
    });
  });

  it.each<[string, UpstreamFaultReason | 'legacy', RawAnswering]>([
    [
      'names other modern revisions',
      'refused',
      (q, r) =>
        json(
          r,
          {
            jsonrpc: '2.0',
            id: q.body.id,
            error: { code: -32022, message: 'm', data: { supported: ['2031-01-01'] } },
          },
          400,
        ),
    ],
    [
      'names no revision',
      'refused',
      (_, r) => json(r, { jsonrpc: '2.0', id: null, error: { code: -32022, message: 'm' } }, 400),
    ],
    [
      'names its legacy revisions',
      'legacy',
      (q, r) =>
        json(
          r,
          {
            jsonrpc: '2.0',
            id: q.body.id,
            error: { code: -32022, message: 'm', data: { supported: ['2025-06-18', '2031-01-01'] } },
          },
          400,
        ),
    ],
    [
      'finds the headers wrong',
      'refused',
      (q, r) => json(r, { jsonrpc: '2.0', id: q.body.id, error: { code: -32020, message: 'm' } }, 400),
    ],
    [
      'wants capabilities to say what it is',
      'refused',
      (q, r) => json(r, { jsonrpc: '2.0', id: q.body.id, error: { code: -32021, message: 'm' } }, 400),
    ],
    [
      'does not know the method, at status 200',
      'legacy',
      (q, r) => json(r, { jsonrpc: '2.0', id: q.body.id, error: { code: -32601, message: 'm' } }),
    ],
    [
      'wants a session',
      'legacy',
      (_, r) => json(r, { jsonrpc: '2.0', id: null, error: { code: -32000, message: 'm' } }, 400),
    ],
    [
      'has a page for it',
      'legacy',
      (_, r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    ],
    [
      'answers with what is none of its protocol',
      'legacy',
      (q, r) => json(r, { jsonrpc: '2.0', id: q.body.id, result: { supportedVersions: 'all' } }),
    ],
    ['refuses the credential', 'needs_reauth', (_, r) => void r.writeHead(401).end()],
    ['is out of order', 'unreachable', (_, r) => void r.writeHead(500).end()],
  ])('that %s when asked what it is: %s', async (_, outcome, answering) => {
    const began: string[] = [];
    const { upstream } = await calling(
      startRawServer((request, response) => {
        const { method, id } = request.body ?? {};
        if (method === 'server/discover') return answering(request, response);
        began.push(method);
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'x', version: '1' },
        };
        if (id === undefined) response.writeHead(202).end();
        else json(response, { jsonrpc: '2.0', id, result });
      }),
    );
    if (outcome === 'legacy')
      expect(await upstream.discover()).toMatchObject({ era: 'legacy', revision: '2025-06-18' });
    else {
      await expect(upstream.discover()).rejects.toMatchObject({ reason: outcome });
      expect(began).toEqual([]);
    }
  });

  it.each([200, 400])(
    'that refuses the revision once, at status %i, and names it, is asked once more',
    async (status) => {
      let refusals = 0;
      const { upstream, server } = await calling(
        startRawServer((request, response) => {
          const { id, method } = request.body;
          const error = { code: -32022, message: 'm', data: { supported: ['2026-07-28'] } };
          if ((refusals += 1) === 1) return json(response, { jsonrpc: '2.0', id, error }, status);
          const found = { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} };
          json(response, { jsonrpc: '2.0', id, result: method === 'server/discover' ? found : RESULT });
        }),
      );
      expect(textOf(await upstream.call('x'))).toBe('done');
      expect(server.heard.map(({ body }) => body.method)).toEqual([
        'server/discover',
        'server/discover',
        'tools/call',
      ]);
      const { upstream: refused, server: stubborn } = await calling(
        startRawServer((request, response) => {
          const error = { code: -32022, message: 'm', data: { supported: ['2026-07-28'] } };
          json(response, { jsonrpc: '2.0', id: request.body.id, error }, status);
        }),
      );
      await expect(refused.call('x')).rejects.toMatchObject({ reason: 'refused' });
      expect(stubborn.heard).toHaveLength(2);
    },
  );

  it('that dropped the revision that was remembered is asked again', async () => {
    const at = new Date();
    const { upstream } = await calling(
      startRawServer((request, response) => {
        const { method, id } = request.body ?? {};
        const isLegacy = request.body?.params?._meta === undefined;
        const error = { code: -32022, message: 'm', data: { supported: ['2025-06-18'] } };
        const begun = {
          protocolVersion: '2025-06-18',
          capabilities: {},
          serverInfo: { name: 'x', version: '1' },
        };
        if (id === undefined) response.writeHead(202).end();
        else if (!isLegacy) json(response, { jsonrpc: '2.0', id, error }, 400);
        else json(response, { jsonrpc: '2.0', id, result: method === 'initialize' ? begun : RESULT });
      }),
      { era: { era: 'modern', revision: '2026-07-28', at } },
    );
    expect(textOf(await upstream.call('x'))).toBe('done');
    expect(upstream.remembered).toEqual([['legacy', '2025-06-18']]);
  });

  it('that fails before the request, is a fault that says so: the request did not run', async () => {
    const answerings: RawAnswering[] = [
      (_, response) => void response.writeHead(500).end(),
      (_, response) => void response.destroy(),
      (_, response) => (stream(response), void response.end()),
      (_, response) => json(response, BOMBS.gzip, 200, { 'content-encoding': 'gzip' }),
    ];
    for (const answering of answerings) {
      for (const method of ['server/discover', 'initialize']) {
        const { upstream, server } = await calling(
          startRawServer((request, response) => {
            if (request.body?.method === method) answering(request, response);
            else response.writeHead(400).end();
          }),
        );
        const fault: unknown = await upstream.call('x').catch((error: unknown) => error);
        expect(fault).toMatchObject({
          reason: 'unreachable',
          message: expect.not.stringContaining('not known'),
        });
        expect(server.heard.some(({ body }) => body?.method === 'tools/call')).toBe(false);
      }
    }
  });

  // promises: MCP-13
  it.each(['server/discover', 'initialize'])(
    'surely did not run a call that is closed in %s',
    async (held) => {
      const { upstream, server } = await calling(
        startRawServer((request, response) => {
          if (request.body?.method !== held) response.writeHead(400).end();
        }),
      );
      const call = upstream.call('x').catch((error: unknown) => error);
      await eventually('the request before the call', () =>
        server.heard.some(({ body }) => body?.method === held),
      );
      await upstream.close();
      expect(await call).toMatchObject({ reason: 'cancelled', mayHaveRun: false });
      await expect(upstream.call('x')).rejects.toMatchObject({ reason: 'cancelled', mayHaveRun: false });
      // This call continues an earlier call with an input. The earlier call was sent, so it may have run.
      const continuation = { state: 'x', responses: {} };
      await expect(upstream.call('x', {}, { continuation })).rejects.toMatchObject({
        reason: 'cancelled',
        mayHaveRun: true,
      });
    },
  );

  it('is not sent a method whose name cannot be in a header', async () => {
    const { upstream, server } = await calling(
      rawModern((request, response) => json(response, answer(request))),
    );
    for (const method of ['a\r\nx-admin: 1', 'größe', ' a', ''])
      await expect(upstream.ask(method)).rejects.toMatchObject({ reason: 'refused' });
    expect(server.heard.map(({ body }) => body.method)).toEqual(['server/discover']);
  });

  it('that answers twice: the first answer counts, and the next request works', async () => {
    const { upstream } = await calling(
      rawModern((request, response) => {
        stream(response);
        response.end(event(answer(request)) + event(answer(request, { ...RESULT, content: [] })));
      }),
    );
    for (let n = 0; n < 3; n++) expect(textOf(await upstream.call('x'))).toBe('done');
  });

  it.each([301, 302, 303, 307, 308])('with a redirect of status %i leads nowhere', async (status) => {
    const other = await startRawServer((request, response) => json(response, answer(request)));
    open.push(other);
    const { upstream } = await calling(
      rawModern((_, response) => void response.writeHead(status, { location: other.url }).end()),
    );
    await expect(upstream.call('x')).rejects.toMatchObject({
      reason: 'refused',
      what: `The MCP server answered with status ${status} and leads to ${other.url}. ${NOT_FOLLOWED}`,
    });
    expect(other.heard).toEqual([]);
  });

  // promises: CONNECTION-14
  it.each(['streamable-http', 'sse'] as const)(
    'that says by %s that its address ends with a slash names it',
    async (transport) => {
      const server = await startRawServer((_, response) =>
        response.writeHead(307, { location: '/mcp/' }).end(),
      );
      open.push(server);
      const upstream = openedUpstream(server.url, { transport });
      await expect(upstream.call('x')).rejects.toMatchObject({
        what: `The MCP server answered with status 307 and leads to ${new URL('/mcp/', server.url).href}. ${NOT_FOLLOWED}`,
      });
      await upstream.close();
    },
  );

  it('that is not there, or at a private address, is not reached', async () => {
    const gone = openedUpstream(`http://127.0.0.1:${await freePort()}/mcp`);
    await expect(gone.call('x')).rejects.toMatchObject({
      reason: 'unreachable',
      message: 'The MCP server could not be reached.',
    });
    const { server } = await calling(rawModern((request, response) => json(response, answer(request))));
    for (const host of ['127.0.0.1', 'localhost', '127.1', '[::1]', '[::ffff:127.0.0.1]']) {
      const url = new URL(server.url);
      const upstream = openedUpstream(`http://${host}:${url.port}/mcp`, { allowedHosts: [] });
      await expect(upstream.call('x')).rejects.toMatchObject({
        reason: 'refused',
        message: expect.stringContaining('MCP_ALLOWED_HOSTS'),
      });
    }
    expect(server.heard).toEqual([]);
  });

  it('that speaks no HTTP, or no TLS, is a fault in words', async () => {
    const tcp = createTcpServer((socket) =>
      socket
        .resume()
        .on('error', () => undefined)
        .end('SSH-2.0-OpenSSH_9.9\r\n'),
    );
    await new Promise<void>((listening) => tcp.listen(0, '127.0.0.1', listening));
    const { port } = tcp.address() as { port: number };
    await expect(openedUpstream(`http://127.0.0.1:${port}/`).call('x')).rejects.toMatchObject({
      reason: 'unreachable',
    });
    await expect(openedUpstream(`https://127.0.0.1:${port}/`).call('x')).rejects.toMatchObject({
      reason: 'unreachable',
    });
    await new Promise((closed) => tcp.close(closed));
  });

  it('never gets a header of the secret that contains a line break, nor one that belongs to HTTP or MCP', async () => {
    const { upstream: odd } = await calling(
      rawModern((request, response) => json(response, answer(request))),
      {
        headers: () => ({ 'x-team': 'a\r\nx-admin: 1' }),
      },
    );
    await expect(odd.call('x')).rejects.toMatchObject({ reason: 'unreachable' });
    const { upstream, server } = await calling(
      rawModern((request, response) => json(response, answer(request))),
      {
        headers: () => ({ Host: 'evil', 'Mcp-Method': 'tools/list', 'Content-Length': '1', 'X-Team': 't' }),
      },
    );
    await upstream.call('x');
    expect(server.heard.at(-1)?.headers).toMatchObject({
      host: new URL(server.url).host,
      'mcp-method': 'tools/call',
      'x-team': 't',
    });
  });

  it('gets and sends large numbers and unknown members unchanged', async () => {
    const text =
      '{"n":9007199254740993,"f":1.0000000000000000001,"__proto__":{"x":1},"constructor":"c","ü":null}';
    const { upstream, server } = await calling(
      rawModern(({ body }, response) => {
        stream(response);
        response.write(
          `data: {"jsonrpc":"2.0","method":"notifications/com.example/odd","params":${text}}\n\n`,
        );
        response.end(
          `data: {"jsonrpc":"2.0","id":${body.id},"result":{"resultType":"complete","structuredContent":${text},"com.example":${text}}}\n\n`,
        );
      }),
    );
    const first = await upstream.call('x');
    const content = first.kind === 'result' ? (first.result['structuredContent'] as JsonObject) : {};
    expect(writeJson(content)).toBe(text);
    expect(first.kind === 'result' && writeJson(first.result['com.example'] ?? null)).toBe(text);
    expect(upstream.told.map(({ method, params }) => [method, writeJson(params)])).toEqual([
      ['notifications/com.example/odd', text],
    ]);
    await upstream.ask('tools/call', { name: 'x', arguments: content, more: content });
    expect(server.heard.at(-1)?.text).toContain(`"arguments":${text},"more":${text}`);
  });

  // promises: MCP-13
  it('is not asked twice by a call whose kept connection was closed', async () => {
    let calls = 0;
    const { upstream, server } = await calling(
      rawModern((request, response) => {
        calls += 1;
        if (calls === 2) response.socket?.destroy();
        else json(response, answer(request));
      }),
    );
    expect(textOf(await upstream.call('x'))).toBe('done');
    await expect(upstream.call('x')).rejects.toMatchObject({ reason: 'lost' });
    expect(server.heard.filter(({ body }) => body.method === 'tools/call')).toHaveLength(2);
    // Unlike a call, a request for a list may be repeated on a new connection.
    expect(textOf(await upstream.call('x'))).toBe('done');
    calls = 1;
    expect((await upstream.ask('tools/list')).kind).toBe('result');
  });

  describe('while changes are subscribed', () => {
    const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
    const subscriptionId = 'io.modelcontextprotocol/subscriptionId';
    const acknowledged = ({ body }: HeardRequest, notifications: unknown, id: unknown = body.id) =>
      event({
        jsonrpc: '2.0',
        method: ACKNOWLEDGED,
        params: { _meta: { [subscriptionId]: id }, notifications },
      });
    const change = (id: unknown, more: object = {}) =>
      event({
        jsonrpc: '2.0',
        method: 'notifications/tools/list_changed',
        params: { _meta: { [subscriptionId]: id, ...more } },
      });

    function listening() {
      const heard: unknown[] = [];
      const stop = new AbortController();
      const on = {
        signal: stop.signal,
        ends: 0,
        notify: (method: string, params: JsonObject) => void heard.push([method, plain(params)]),
        ended: () => void (on.ends += 1),
      };
      return { heard, stop, on };
    }

    it.each<[string, UpstreamFaultReason, RegExp, RawAnswering]>([
      [
        'no acknowledgment',
        'malformed',
        /acknowledgment/,
        (q, r) => (stream(r), void r.end(change(q.body.id))),
      ],
      [
        'the acknowledgment of another',
        'malformed',
        /acknowledgment/,
        (q, r) => (stream(r), void r.end(acknowledged(q, {}, 999))),
      ],
      ['an end before it begins', 'lost', /before it began/, (_, r) => (stream(r), void r.end())],
      ['silence', 'lost', /no message/, (_, r) => (stream(r), r.flushHeaders())],
      [
        'a limit',
        'refused',
        /refuses the subscription/,
        (q, r) => json(r, { jsonrpc: '2.0', id: q.body.id, error: { code: -32603, message: 'm' } }),
      ],
      ['status 401', 'needs_reauth', /401/, (_, r) => void r.writeHead(401).end()],
    ])('with %s is a fault in words', async (_, reason, words, answering) => {
      const { upstream } = await calling(rawModern(answering), { timeoutMs: 400 });
      const { on } = listening();
      await expect(upstream.subscribe({ tools: true }, on)).rejects.toMatchObject({
        reason,
        message: expect.stringMatching(words),
      });
      expect(on.ends).toBe(0);
    });

    it.each([404, 200])('with an unknown method (%s) sends no notices', async (status) => {
      const { upstream } = await calling(
        rawModern((q, r) =>
          json(r, { jsonrpc: '2.0', id: q.body.id, error: { code: -32601, message: 'm' } }, status),
        ),
      );
      const { on } = listening();
      expect(await upstream.subscribe({ tools: true, uris: ['a://1'] }, on)).toEqual({});
      expect(on.ends).toBe(0);
    });

    it('without a stream sends no notices', async () => {
      const { upstream } = await calling(rawLegacy((_, r) => void r.writeHead(405).end()));
      const { on } = listening();
      expect(await upstream.subscribe({ tools: true }, on)).toEqual({});
      expect(on.ends).toBe(0);
    });

    it('passes on only notices of this subscription, and only those that were subscribed to', async () => {
      const { upstream } = await calling(
        rawModern((request, response) => {
          stream(response);
          const { id } = request.body;
          response.write(
            acknowledged(request, {
              toolsListChanged: true,
              promptsListChanged: true,
              resourceSubscriptions: ['a://1', 'a://3'],
            }),
          );
          response.write(change(id, { 'com.example/x': 1 }) + change(999) + change(undefined));
          response.write(
            event({
              jsonrpc: '2.0',
              method: 'notifications/prompts/list_changed',
              params: { _meta: { [subscriptionId]: id } },
            }),
          );
          for (const uri of ['a://1', 'a://2', 'a://3'])
            response.write(
              event({
                jsonrpc: '2.0',
                method: 'notifications/resources/updated',
                params: { uri, _meta: { [subscriptionId]: id } },
              }),
            );
          response.end(event({ jsonrpc: '2.0', id, result: { resultType: 'complete' } }));
        }),
      );
      const { on, heard } = listening();
      expect(await upstream.subscribe({ tools: true, uris: ['a://1', 'a://2'] }, on)).toEqual({
        tools: true,
        uris: ['a://1'],
      });
      await eventually('the end', async () => on.ends === 1);
      expect(heard).toEqual([
        ['notifications/tools/list_changed', { _meta: { 'com.example/x': 1 } }],
        ['notifications/resources/updated', { uri: 'a://1' }],
      ]);
    });

    it.each<McpServerKind>(['modern', 'sse'])(
      'and goes away (%s) ends them once, and not when the client ended them',
      async (kind) => {
        const server = await startMcpServer(kind);
        const upstream = openedUpstream(server.url);
        open.push(server, upstream);
        const [first, second] = [listening(), listening()];
        await upstream.subscribe({ tools: true }, first.on);
        await upstream.subscribe({ tools: true }, second.on);
        second.stop.abort();
        server.disconnect();
        await eventually('the end', async () => first.on.ends === 1);
        expect([first.on.ends, second.on.ends]).toEqual([1, 0]);
      },
    );

    it('and goes away ends all subscriptions of its session', async () => {
      const server = await startMcpServer('sse');
      const upstream = openedUpstream(server.url);
      open.push(server, upstream);
      const all = [listening(), listening(), listening()];
      for (const { on } of all) await upstream.subscribe({ tools: true }, on);
      server.disconnect();
      await eventually('all ends', async () => all.every(({ on }) => on.ends === 1));
    });

    it('and ends the stream of a session for good is asked for it by the next subscription', async () => {
      let streams = 0;
      const { upstream, server } = await calling(
        rawLegacy((_, response) => {
          streams += 1;
          if (streams === 2) return void response.writeHead(500).end();
          stream(response, {});
          response.write(': open\n\nretry: 50\n\n');
          if (streams === 1) response.end();
        }),
      );
      const [first, second] = [listening(), listening()];
      await upstream.subscribe({}, first.on);
      await eventually('the end', async () => first.on.ends === 1);
      await upstream.subscribe({}, second.on);
      expect(server.heard.filter(({ method }) => method === 'GET')).toHaveLength(3);
      expect(second.on.ends).toBe(0);
    });

    it('and drops the stream of a session is asked for it again', async () => {
      const server = await startMcpServer('legacy');
      const upstream = openedUpstream(server.url);
      open.push(server, upstream);
      const { on, heard } = listening();
      await upstream.subscribe({ tools: true }, on);
      server.disconnect();
      const streams = () => server.heard.filter(({ method }) => method === 'GET').length;
      await eventually('another stream', async () => streams() === 2);
      await eventually('a change', async () => {
        server.changed('tools');
        return heard.length > 0;
      });
      expect(on.ends).toBe(0);
    });
  });

  describe('of the legacy era', () => {
    const legacyAnswer = ({ body }: HeardRequest) => ({
      jsonrpc: '2.0',
      id: body.id,
      result: { content: [{ type: 'text', text: 'done' }] },
    });

    it.each<[string, UpstreamFaultReason, RegExp, RawAnswering]>([
      [
        'status 401 after its stream began',
        'lost',
        /could not be resumed/,
        (request, response) => {
          if (request.method === 'GET') return json(response, '{}', 401);
          stream(response);
          response.end('retry: 1\n' + event({ jsonrpc: '2.0', method: 'x' }, 'e1'));
        },
      ],
      [
        'a stream that breaks off and has no ids',
        'lost',
        /before it was complete/,
        (_, response) => {
          stream(response);
          response.end(event({ jsonrpc: '2.0', method: 'x' }));
        },
      ],
      [
        'a stream that is resumed without end',
        'lost',
        /./,
        (_, response) => {
          stream(response);
          response.end('id: same\nretry: 1\ndata:\n\n');
        },
      ],
      [
        'a stream whose resumption is a page',
        'lost',
        /could not be resumed/,
        (request, response) => {
          if (request.method === 'GET')
            return void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>');
          stream(response);
          response.end('id: 1\nretry: 1\ndata:\n\n');
        },
      ],
      [
        'an answer to another request',
        'malformed',
        /answers another request/,
        (_, response) => json(response, { jsonrpc: '2.0', id: 999, result: {} }),
      ],
      [
        'a batch, after the one revision that has them',
        'malformed',
        /batch/,
        (request, response) => json(response, [legacyAnswer(request)]),
      ],
      ['status 401', 'needs_reauth', /401/, (_, response) => json(response, '{}', 401)],
      [
        'sessions that are all forgotten',
        'refused',
        /does not keep its sessions/,
        (_, response) => json(response, '{}', 404),
      ],
    ])('with %s is a fault in words', async (_, reason, words, answering) => {
      const { upstream } = await calling(
        rawLegacy((request, response) =>
          request.method === 'GET' && request.headers['last-event-id'] === undefined
            ? void response.writeHead(405).end()
            : answering(request, response),
        ),
      );
      await expect(upstream.call('x')).rejects.toMatchObject({
        reason,
        message: expect.stringMatching(words),
      });
    });

    // promises: MCP-13
    it.each<[string, object]>([
      ['an answer that broke off', { method: 'x' }],
      ['input for its server', { id: 1, method: 'roots/list' }],
    ])('may have run a call when the credential for %s is missing', async (_, message) => {
      let isMissing = false;
      const headers = () => {
        if (isMissing) throw new UpstreamFault('refused', 'There is no credential.');
        return {};
      };
      const { upstream } = await calling(
        rawLegacy((request, response) => {
          if (request.method === 'GET') return void response.writeHead(405).end();
          isMissing = true;
          stream(response);
          response.write('retry: 1\n' + event({ jsonrpc: '2.0', ...message }, 'e1'));
          if (!('id' in message)) response.end();
        }),
        { headers },
      );
      const ended = upstream.call('x').then((asked) => {
        const { state } = asked as { state?: string };
        return upstream.call('x', {}, { continuation: { state, responses: { 'request-1': { roots: [] } } } });
      });
      await expect(ended).rejects.toMatchObject({ reason: 'refused', mayHaveRun: true });
    });

    it('may answer in batches at 2025-03-26', async () => {
      const { upstream } = await calling(
        rawLegacy(
          (request, response) =>
            request.method === 'GET'
              ? void response.writeHead(405).end()
              : json(response, [
                  { jsonrpc: '2.0', method: 'notifications/odd', params: {} },
                  legacyAnswer(request),
                ]),
          '2025-03-26',
        ),
      );
      expect(textOf(await upstream.call('x'))).toBe('done');
      expect(upstream.told).toHaveLength(1);
    });

    it.each(['2031-01-01', '2026-07-28', '', 'x'])('is refused with the revision "%s"', async (revision) => {
      const { upstream } = await calling(rawLegacy((_, response) => void response.end(), revision));
      await expect(upstream.call('x')).rejects.toMatchObject({
        reason: 'refused',
        message: expect.stringMatching(/no revision/),
      });
    });

    it('may send answers that nobody asked for, and requests that nobody knows', async () => {
      const { upstream, server } = await calling(
        rawLegacy((request, response) => {
          if (request.method === 'GET') {
            stream(response);
            response.write(
              event({ jsonrpc: '2.0', id: 77, result: {} }) +
                event({ jsonrpc: '2.0', id: 'p', method: 'ping' }),
            );
            response.write(event({ jsonrpc: '2.0', id: 9, method: 'files/read', params: {} }));
          } else if (request.body?.method === 'tools/call')
            setTimeout(() => json(response, legacyAnswer(request)), 100);
          else response.writeHead(202).end();
        }),
      );
      expect(textOf(await upstream.call('x'))).toBe('done');
      const answers = () =>
        server.heard.map(({ body }) => body).filter((body) => body !== undefined && !('method' in body));
      await eventually('both are answered', async () => answers().length >= 2);
      expect(answers()).toEqual(
        expect.arrayContaining([
          { jsonrpc: '2.0', id: 'p', result: {} },
          { jsonrpc: '2.0', id: 9, error: { code: -32601, message: expect.any(String) } },
        ]),
      );
      expect(answers()).toHaveLength(2);
    });

    it('has no event lost or told twice, wherever its stream is cut', async () => {
      const message = (request: HeardRequest, n: number) =>
        event(
          {
            jsonrpc: '2.0',
            method: 'notifications/progress',
            params: { progressToken: request.body?.params._meta.progressToken, progress: n },
          },
          `e${n}`,
        );
      const whole = (request: HeardRequest) =>
        Buffer.from(
          `id: e0\nretry: 1\ndata:\n\n${message(request, 1)}:\n\n${message(request, 2)}${message(request, 3)}${event(legacyAnswer(request), 'e4')}`,
        );
      const cuts = new Map<string, { readonly bytes: Buffer; readonly at: number }>();
      const { upstream, server } = await calling(
        rawLegacy((request, response) => {
          const last = request.headers['last-event-id'];
          if (request.method === 'GET' && last === undefined) return void response.writeHead(405).end();
          stream(response);
          if (request.method === 'POST') {
            const bytes = Buffer.from(
              whole(request)
                .toString()
                .replaceAll(/id: (e\d)/g, `id: ${request.body.id}-$1`),
            );
            const at = Number(request.body.params.arguments.at);
            cuts.set(String(request.body.id), { bytes, at });
            response.write(bytes.subarray(0, at));
            // Breaks the connection after the written bytes have been sent.
            setTimeout(() => response.destroy(), 5);
          } else {
            const [call = ''] = String(last).split('-');
            const { bytes = Buffer.alloc(0) } = cuts.get(call) ?? {};
            const text = bytes.toString();
            response.end(text.slice(text.indexOf('\n\n', text.indexOf(`id: ${String(last)}`)) + 2));
          }
        }),
      );
      const outcome = async (at: number): Promise<unknown> => {
        const told: unknown[] = [];
        const params = { name: 'x', arguments: { at }, _meta: { progressToken: 'p' } };
        const on = {
          signal: new AbortController().signal,
          notify: (_: string, { progress }: JsonObject) => void told.push(progress),
        };
        const end = await upstream
          .exchange({ method: 'tools/call', params }, on)
          .catch((error: Error & { reason: string }) => ({ kind: error.reason }));
        return { told, end: end.kind };
      };
      // In the short form, cuts at every byte up to the second event, then at every third byte.
      const cutAt = Array.from({ length: 450 }, (_, at) => at).filter(
        (at) => IS_LONG || at < 180 || at % 3 === 0,
      );
      const outcomes = new Map<string, number>();
      for (let from = 0; from < cutAt.length; from += 30) {
        for (const one of await Promise.all(cutAt.slice(from, from + 30).map(outcome)))
          outcomes.set(JSON.stringify(one), (outcomes.get(JSON.stringify(one)) ?? 0) + 1);
      }
      const resumed = server.heard.filter(({ headers }) => headers['last-event-id'] !== undefined).length;
      const complete = JSON.stringify({ told: [1, 2, 3], end: 'result' });
      const toldTwice = [...outcomes].filter(([one]) => /"told":\[.*(\d).*\1/.test(one));
      const torn = [...outcomes].filter(
        ([one]) => one !== complete && one !== JSON.stringify({ told: [], end: 'lost' }),
      );
      const sum = (some: readonly [string, number][]) => some.reduce((total, [, count]) => total + count, 0);
      figure('cuts of servers', { cuts: resumed, lost: sum(torn) - sum(toldTwice), doubled: sum(toldTwice) });
      // A stream that breaks before its first event ID is complete cannot be resumed, so it is lost.
      const lost = outcomes.get(JSON.stringify({ told: [], end: 'lost' })) ?? 0;
      expect([...outcomes.keys()].sort()).toEqual(
        [
          JSON.stringify({ told: [1, 2, 3], end: 'result' }),
          JSON.stringify({ told: [], end: 'lost' }),
        ].sort(),
      );
      expect(lost).toBeLessThan(40);
      expect(resumed).toBeGreaterThanOrEqual(200);
    });
  });

  describe('of HTTP+SSE', () => {
    const endpoint =
      (data: string): RawAnswering =>
      (request, response) => {
        if (request.method !== 'GET') return void response.writeHead(404).end();
        stream(response);
        response.write(`event: endpoint\ndata: ${data}\n\n`);
      };

    it.each<[string, UpstreamFaultReason, RegExp, RawAnswering]>([
      ['an address of another origin', 'refused', /another origin/, endpoint('http://127.0.0.2:1/messages')],
      ['an address of another scheme', 'refused', /another origin/, endpoint('file:///etc/passwd')],
      [
        'an address that begins with two slashes',
        'refused',
        /another origin/,
        endpoint('//evil.example.com/messages'),
      ],
      ['an address that is none', 'unreachable', /names an address/, endpoint('http://[')],
      [
        'no address',
        'unreachable',
        /no address for messages/,
        (request, response) => (
          request.method === 'GET' ? stream(response) : void response.writeHead(405).end(),
          response.flushHeaders()
        ),
      ],
      [
        'an end before its address',
        'unreachable',
        /closed its stream/,
        (request, response) =>
          request.method === 'GET'
            ? (stream(response), void response.end())
            : void response.writeHead(405).end(),
      ],
      [
        'a page',
        'unreachable',
        /not a stream/,
        (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      ],
    ])('with %s is a fault in words', async (_, reason, words, answering) => {
      const { upstream } = await calling(startRawServer(answering), { transport: 'sse', timeoutMs: 500 });
      await expect(upstream.call('x')).rejects.toMatchObject({
        reason,
        message: expect.stringMatching(words),
      });
    });

    it('loses what is open when its stream ends, and has another one for what follows', async () => {
      let calls = 0;
      const { upstream } = await calling(
        rawSse(({ body }, streamed) => {
          if ((calls += 1) === 1) setTimeout(() => streamed.end(), 20);
          else streamed.write(event({ jsonrpc: '2.0', id: body.id, result: legacyResult }));
        }),
        { transport: 'sse' },
      );
      const legacyResult = { content: [{ type: 'text', text: 'done' }] };
      await expect(upstream.call('x')).rejects.toMatchObject({ reason: 'lost' });
      expect(textOf(await upstream.call('x'))).toBe('done');
      expect(plain(upstream.remembered)).toEqual([['legacy', '2024-11-05']]);
    });
  });
});
