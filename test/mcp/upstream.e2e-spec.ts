import { setImmediate as soon } from 'node:timers/promises';
import type { JsonObject } from '../../src/kernel/json/json';
import { UpstreamFault } from '../../src/targets/mcp/upstream';
import { eventually } from '../support/eventually';
import { type OpenedUpstream, openedUpstream, plain, textOf } from '../support/mcp/opened-upstream';
import { type McpServerKind, type McpTestServer, startMcpServer } from '../support/mcp/start-mcp-server';
import { ELICITED, PNG, SAMPLED } from '../support/mcp/tools';
import { volume } from '../support/volume';

const ENVIRONMENT = { action: 'accept', content: { environment: 'test' } };
const CAPITAL = {
  role: 'assistant',
  model: 'm',
  stopReason: 'endTurn',
  content: { type: 'text', text: 'Paris' },
};
const ROOTS = { roots: [{ uri: 'file:///home', name: 'home' }] };
const SERVERS: [McpServerKind, 'modern' | 'legacy', string][] = [
  ['modern', 'modern', '2026-07-28'],
  ['modern-sse', 'modern', '2026-07-28'],
  ['dual', 'modern', '2026-07-28'],
  ['legacy', 'legacy', '2025-11-25'],
  ['legacy-json', 'legacy', '2025-11-25'],
  ['legacy-shared', 'legacy', '2025-11-25'],
  ['sse', 'legacy', '2025-11-25'],
];

/**
 * Size of a large answer in MB. In the short form, only three servers send as much as in the long form: one
 * of each MCP era, and the HTTP+SSE server.
 */
const megabytes = (kind: McpServerKind): number =>
  ['modern-sse', 'legacy-json', 'sse'].includes(kind) ? 10 : volume(2, 10);

describe.each(SERVERS)('an MCP server that is %s', (kind, era, revision) => {
  let server: McpTestServer;
  let upstream: OpenedUpstream;

  beforeAll(async () => {
    server = await startMcpServer(kind);
  });
  afterAll(() => server.close());
  beforeEach(() => {
    upstream = openedUpstream(server.url);
    server.heard.length = 0;
  });
  afterEach(() => upstream.close());

  it('is detected, and remembered', async () => {
    expect(plain(await upstream.discover())).toEqual({
      era,
      revision,
      capabilities: {
        completions: {},
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: {},
      },
      serverInfo: expect.objectContaining({ name: 'test-server', version: '1.2.3' }),
      instructions: 'Tools for tests.',
    });
    expect(upstream.remembered).toEqual([[era, kind === 'sse' ? '2024-11-05' : revision]]);
  });

  it('lists, calls, reads and prompts, and says the same as all others', async () => {
    const tools = await upstream.ask('tools/list');
    const listed = (tools.kind === 'result' ? tools.result['tools'] : []) as JsonObject[];
    expect(listed.map(({ name }) => name)).toContain('region');
    expect(plain(listed.find(({ name }) => name === 'echo'))).toMatchObject({
      title: 'Echo',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
      _meta: { 'com.example/tool': { kept: true } },
    });
    expect(textOf(await upstream.call('echo', { text: 'Grüße, 世界' }))).toBe('Grüße, 世界');
    const contents = await upstream.call('contents');
    expect(contents.kind === 'result' && plain(contents.result)).toMatchObject({
      content: [
        { type: 'text', text: 'Grüße, 世界', annotations: { audience: ['user'], priority: 0.5 } },
        { type: 'image', data: PNG },
        { type: 'audio', mimeType: 'audio/wav' },
        { type: 'resource_link', uri: 'test://text' },
        { type: 'resource', resource: { text: 'a text' } },
        { type: 'resource', resource: { blob: PNG } },
      ],
      _meta: { 'com.example/result': 'kept' },
    });
    const structured = await upstream.call('structured', { a: 2, b: 3 });
    expect(structured.kind === 'result' && plain(structured.result)).toMatchObject({
      structuredContent: { sum: 5, note: 'added' },
    });
    const read = await upstream.ask('resources/read', { uri: 'test://names/a%20b' });
    expect(plain(read)).toMatchObject({
      kind: 'result',
      result: { contents: [{ text: 'a name that is encoded' }] },
    });
    const prompt = await upstream.ask('prompts/get', { name: 'grüße', arguments: { who: 'Ada' } });
    expect(plain(prompt)).toMatchObject({
      result: { messages: [{ role: 'user', content: { text: 'Greet Ada.' } }] },
    });
    const results = [tools, contents, structured].map(
      (answer) => answer.kind === 'result' && answer.result['resultType'],
    );
    expect(results).toEqual(Array(3).fill(era === 'modern' ? 'complete' : undefined));
  });

  it('has its errors passed on', async () => {
    expect(plain(await upstream.call('fail'))).toMatchObject({ kind: 'result', result: { isError: true } });
    expect(await upstream.call('no such tool')).toMatchObject({ kind: 'error', error: { code: -32602 } });
    expect(await upstream.ask('no/such/method')).toMatchObject({ kind: 'error', error: { code: -32601 } });
    expect(await upstream.ask('resources/read', { uri: 'test://none' })).toMatchObject({
      kind: 'error',
      error: { code: era === 'modern' ? -32602 : -32002 },
    });
    expect(textOf(await upstream.call('echo', { text: 'still there' }))).toBe('still there');
  });

  it('reports progress with the token of the client, and none without a token', async () => {
    const params = {
      name: 'progress',
      arguments: { steps: 3 },
      _meta: { progressToken: 'mine', 'com.example/x': 1 },
    };
    expect(textOf(await upstream.ask('tools/call', params))).toBe('3 steps');
    // Expects no progress if the server answers without a stream.
    const expected = [1, 2, 3].map((progress) => ({
      method: 'notifications/progress',
      params: { progressToken: 'mine', progress, total: 3, message: `step ${progress}` },
    }));
    expect(plain(upstream.told)).toEqual(kind === 'legacy-json' ? [] : expected);
    const sent = server.heard.findLast(({ body }) => body?.method === 'tools/call')?.body;
    expect(sent.params._meta).toMatchObject({ progressToken: sent.id, 'com.example/x': 1 });
    upstream.told.length = 0;
    await upstream.call('progress');
    expect(upstream.told).toEqual([]);
  });

  it('sends the log messages that the client requested', async () => {
    await upstream.call('log');
    expect(upstream.told).toEqual([]);
    await upstream.call('log', {}, { logLevel: 'warning' });
    const levels = upstream.told.map(({ method, params }) => [method, params['level']]);
    const wanted = [
      ['notifications/message', 'warning'],
      ['notifications/message', 'error'],
    ];
    expect(levels).toEqual(kind === 'legacy-json' ? [] : wanted);
  });

  // A server that answers without streams cannot send requests to its client during a call.
  if (kind !== 'legacy-json') {
    it.each([
      ['ask_person', 'elicitation/create', ELICITED, ENVIRONMENT],
      ['ask_model', 'sampling/createMessage', SAMPLED, CAPITAL],
      ['ask_roots', 'roots/list', undefined, ROOTS],
    ])('asks the client during %s, and goes on with its answer', async (tool, method, params, response) => {
      const asked = await upstream.call(tool);
      if (asked.kind !== 'input') throw new Error(`no question: ${JSON.stringify(asked)}`);
      const [[key, request] = ['', undefined]] = Object.entries(asked.requests);
      expect(request?.method).toBe(method);
      if (params !== undefined) expect(plain(request?.params)).toMatchObject(params);
      const responses = { [key]: response as JsonObject };
      const continuation = { responses, ...(asked.state === undefined ? {} : { state: asked.state }) };
      expect(JSON.parse(textOf(await upstream.call(tool, {}, { continuation })))).toMatchObject(response);
    });

    it.each([['ask_twice']])('asks more than once during %s', async (tool) => {
      let answer = await upstream.call(tool);
      const methods: string[] = [];
      while (answer.kind === 'input') {
        const entries = Object.entries(answer.requests);
        methods.push(...entries.map(([, { method }]) => method));
        const responses = Object.fromEntries(
          entries.map(([key, { method }]): [string, JsonObject] => [
            key,
            method === 'elicitation/create' ? ENVIRONMENT : CAPITAL,
          ]),
        );
        answer = await upstream.call(
          tool,
          {},
          { continuation: { responses, ...(answer.state === undefined ? {} : { state: answer.state }) } },
        );
      }
      expect(methods).toEqual(['elicitation/create', 'sampling/createMessage']);
      expect(JSON.parse(textOf(answer))).toMatchObject({ environment: ENVIRONMENT, capital: { model: 'm' } });
    });
  }

  it('is told that a call is cancelled', async () => {
    const { cancelled: before, runs: counted } = server.counts;
    const runs = counted.get('wait') ?? 0;
    const stop = new AbortController();
    const running = upstream.call('wait', {}, { signal: stop.signal });
    await eventually('the call', async () => server.counts.runs.get('wait') === runs + 1);
    stop.abort();
    await expect(running).rejects.toMatchObject({ reason: 'cancelled' });
    await eventually('the cancellation', async () => server.counts.cancelled === before + 1);
    expect(textOf(await upstream.call('echo', { text: 'next' }))).toBe('next');
  });

  it('survives cancellations at every moment', async () => {
    await upstream.discover();
    const ends = new Set<string>();
    for (let turns = 0; turns < 150; turns += volume(4, 1)) {
      const stop = new AbortController();
      const params = { name: 'progress', arguments: { steps: 3 }, _meta: { progressToken: 'p' } };
      const running = upstream.ask('tools/call', params, { signal: stop.signal }).then(
        ({ kind: end }) => end,
        ({ reason }: UpstreamFault) => reason,
      );
      for (let turn = 0; turn < turns / 3; turn++) await soon();
      stop.abort();
      ends.add(await running);
    }
    expect([...ends].filter((end) => end !== 'result' && end !== 'cancelled')).toEqual([]);
    expect(ends).toContain('cancelled');
    expect(textOf(await upstream.call('echo', { text: 'still there' }))).toBe('still there');
  });

  it(`sends ${megabytes(kind)} MB`, async () => {
    const bytes = megabytes(kind) * 1_048_576;
    expect(textOf(await upstream.call('large', { bytes }))).toHaveLength(bytes);
  });

  it('runs many calls at once, each with its own answer', async () => {
    const texts = Array.from({ length: 40 }, (_, n) => `text ${n}`);
    const answers = await Promise.all(texts.map((text) => upstream.call('echo', { text })));
    expect(answers.map(textOf)).toEqual(texts);
    const ids = server.heard.map(({ body }) => body?.id).filter((id) => id !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sends change notices to subscribers', async () => {
    const heard: unknown[] = [];
    const stop = new AbortController();
    let ends = 0;
    const on = {
      signal: stop.signal,
      notify: (method: string, params: JsonObject) => void heard.push([method, plain(params)]),
      ended: () => void (ends += 1),
    };
    const filter = { tools: true, resources: true, uris: ['test://text'] };
    expect(await upstream.subscribe(filter, on)).toEqual(filter);
    server.changed('prompts');
    server.changed({ uri: 'test://blob' });
    server.changed('tools');
    server.changed({ uri: 'test://text' });
    server.changed('resources');
    await eventually('three changes', async () => heard.length === 3);
    expect(heard).toEqual([
      ['notifications/tools/list_changed', {}],
      ['notifications/resources/updated', { uri: 'test://text' }],
      ['notifications/resources/list_changed', {}],
    ]);
    stop.abort();
    if (era === 'legacy')
      await eventually('resources/unsubscribe', async () =>
        server.methods().includes('resources/unsubscribe'),
      );
    server.changed('tools');
    expect(textOf(await upstream.call('echo', { text: 'after' }))).toBe('after');
    expect([heard.length, ends]).toEqual([3, 0]);
  });

  it('sees who the client is, and never gets credentials of another origin', async () => {
    await upstream.call('echo', { text: 'x' });
    const call = server.heard.find(({ body }) => body?.method === 'tools/call');
    expect(call?.headers.authorization).toBe('Bearer of-the-connection');
    if (era === 'modern') {
      expect(call?.headers).toMatchObject({
        'mcp-protocol-version': revision,
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
      });
      expect(call?.body.params._meta).toMatchObject({
        'io.modelcontextprotocol/clientInfo': { name: 'test-client' },
      });
      expect(call?.headers).not.toHaveProperty('mcp-session-id');
    } else {
      const begin = server.heard.find(({ body }) => body?.method === 'initialize')?.body;
      expect(begin.params).toMatchObject({
        protocolVersion: '2025-11-25',
        clientInfo: { name: 'test-client' },
      });
      expect(server.methods()).toContain('notifications/initialized');
      expect(call?.body.params).not.toHaveProperty('_meta');
      expect(call?.headers).not.toHaveProperty('mcp-method');
    }
  });
});

describe('a modern server', () => {
  let server: McpTestServer;
  let upstream: OpenedUpstream;

  beforeAll(async () => {
    server = await startMcpServer('modern');
    upstream = openedUpstream(server.url);
  });
  afterAll(async () => {
    await upstream.close();
    await server.close();
  });

  it('is sent parameters in headers, and says when they are missing or others', async () => {
    const args = { region: 'Zürich 1', limit: 7, at: { dry: true }, query: 'q' };
    const paramHeaders = { Region: 'Zürich 1', Limit: '7', 'Dry-Run': 'true' };
    expect(JSON.parse(textOf(await upstream.call('region', args, { paramHeaders })))).toEqual(args);
    const call = server.heard.find(({ body }) => body?.method === 'tools/call');
    expect(call?.headers).toMatchObject({
      'mcp-param-region': '=?base64?WsO8cmljaCAx?=',
      'mcp-param-limit': '7',
      'mcp-param-dry-run': 'true',
    });
    for (const wrong of [{}, { ...paramHeaders, Region: 'Bern' }])
      expect(await upstream.call('region', args, { paramHeaders: wrong })).toMatchObject({
        kind: 'error',
        error: { code: -32020 },
      });
  });

  it('is asked for its era only once, and keeps its connections', async () => {
    for (let n = 0; n < 5; n++) await upstream.call('echo', { text: 'x' });
    expect(server.methods().filter((method) => method === 'server/discover')).toHaveLength(1);
  });
});

describe('a legacy server', () => {
  let server: McpTestServer;
  let upstream: OpenedUpstream;

  beforeEach(async () => {
    server = await startMcpServer('legacy');
    upstream = openedUpstream(server.url);
  });
  afterEach(async () => {
    await upstream.close();
    await server.close();
  });

  const sessions = () =>
    server.heard.map(({ headers }) => headers['mcp-session-id']).filter((id) => id !== undefined);

  it('has one session, and is told its end', async () => {
    await upstream.call('echo', { text: 'x' });
    await upstream.ask('tools/list');
    await upstream.close();
    expect(new Set(sessions()).size).toBe(1);
    expect(server.heard.filter(({ method }) => method === 'DELETE')).toMatchObject([
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
    ]);
    await expect(upstream.call('echo', { text: 'x' })).rejects.toMatchObject({ reason: 'cancelled' });
  });

  it('that forgot the session gets the request once more in a new one', async () => {
    await upstream.call('echo', { text: 'x' });
    const [session = ''] = sessions();
    await fetch(server.url, {
      method: 'DELETE',
      headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    });
    expect(textOf(await upstream.call('echo', { text: 'again' }))).toBe('again');
    expect(new Set(sessions()).size).toBe(2);
    expect(server.counts.runs.get('echo')).toBe(2);
  });

  it('loses what waits for input with its session, and does not run it again', async () => {
    const asked = await upstream.call('ask_person');
    const state = asked.kind === 'input' ? asked.state : undefined;
    const [session = ''] = sessions();
    await fetch(server.url, {
      method: 'DELETE',
      headers: { 'mcp-session-id': session, 'mcp-protocol-version': '2025-11-25' },
    });
    // The next request finds that the session has ended, and begins another session.
    await upstream.call('echo', { text: 'x' });
    expect(new Set(sessions()).size).toBe(2);
    const responses = { 'request-1': ENVIRONMENT };
    const continued = upstream.call(
      'ask_person',
      {},
      { continuation: { responses, ...(state === undefined ? {} : { state }) } },
    );
    await expect(continued).rejects.toMatchObject({ reason: 'lost' });
    expect(server.counts.runs.get('ask_person')).toBe(1);
  });

  it.each([
    ['one that was never given', 'ask_person', () => 'no-such-state'],
    ['another method', 'prompts/get', (state: string) => state],
  ])('continues nothing with a state of %s', async (_, method, change) => {
    const asked = await upstream.call('ask_person');
    const state = (asked.kind === 'input' && asked.state) || '';
    const continuation = { state: change(state), responses: { 'request-1': ENVIRONMENT } };
    const continued =
      method === 'ask_person'
        ? upstream.call(method, {}, { continuation })
        : upstream.ask(method, { name: 'greet' }, { continuation });
    await expect(continued).rejects.toMatchObject({ reason: 'lost' });
  });

  it('gets an answer for a client that refused, or did not answer', async () => {
    for (const [responses, words] of [
      [{ 'request-1': { error: { code: -1, message: 'the person refused' } } }, 'the person refused'],
      [{}, 'the client gave no answer'],
    ] as const) {
      const asked = await upstream.call('ask_person');
      const state = (asked.kind === 'input' && asked.state) || '';
      expect(
        JSON.stringify(await upstream.call('ask_person', {}, { continuation: { state, responses } })),
      ).toContain(words);
    }
  });

  it('is told that a call which waits for input is cancelled', async () => {
    const asked = await upstream.call('ask_person');
    const state = (asked.kind === 'input' && asked.state) || '';
    const cancelled = upstream.call(
      'ask_person',
      {},
      { continuation: { state, responses: {} }, signal: AbortSignal.abort() },
    );
    await expect(cancelled).rejects.toMatchObject({ reason: 'cancelled' });
    await eventually('notifications/cancelled', async () =>
      server.methods().includes('notifications/cancelled'),
    );
  });

  it('is not asked for what the client cannot do', async () => {
    const poor = openedUpstream(server.url, {
      client: { info: { name: 'poor', version: '1' }, capabilities: {} },
    });
    expect(JSON.stringify(await poor.call('ask_person'))).toContain(
      'the client does not support this request',
    );
    await poor.close();
  });

  it('is resumed where its answer broke off, without an event lost or told twice', async () => {
    const params = { name: 'wait', arguments: {}, _meta: { progressToken: 1 } };
    const running = upstream.ask('tools/call', params);
    await eventually('the begin of the answer', async () => upstream.told.length === 1);
    server.disconnect();
    await eventually('it is asked for the rest', async () =>
      server.heard.some(({ method, headers }) => method === 'GET' && headers['last-event-id'] !== undefined),
    );
    server.finishWaits();
    expect(textOf(await running)).toBe('waited');
    expect(upstream.told).toHaveLength(1);
    expect([server.counts.runs.get('wait'), server.counts.cancelled]).toEqual([1, 0]);
  });
});

describe('what a server spoke', () => {
  const at = new Date();
  it.each<[McpServerKind, { era: 'modern' | 'legacy'; revision: string; at: Date }, string[]]>([
    ['modern', { era: 'modern', revision: '2026-07-28', at }, ['tools/call']],
    [
      'legacy',
      { era: 'legacy', revision: '2025-06-18', at },
      ['initialize', 'notifications/initialized', 'tools/call'],
    ],
    [
      'sse',
      { era: 'legacy', revision: '2024-11-05', at },
      ['initialize', 'notifications/initialized', 'tools/call'],
    ],
  ])('is believed of a %s server', async (kind, era, methods) => {
    const server = await startMcpServer(kind);
    const upstream = openedUpstream(server.url, { era });
    expect(textOf(await upstream.call('echo', { text: 'x' }))).toBe('x');
    expect(server.methods()).toEqual(methods);
    expect(upstream.remembered).toEqual([]);
    await upstream.close();
    await server.close();
  });

  it.each<[McpServerKind, { era: 'modern' | 'legacy'; revision: string }]>([
    ['legacy', { era: 'modern', revision: '2026-07-28' }],
    ['sse', { era: 'modern', revision: '2026-07-28' }],
    ['modern', { era: 'legacy', revision: '2025-11-25' }],
    ['modern', { era: 'legacy', revision: '2024-11-05' }],
    ['sse', { era: 'legacy', revision: '2025-11-25' }],
    ['legacy', { era: 'legacy', revision: '2024-11-05' }],
    ['legacy', { era: 'modern', revision: '2031-01-01' }],
  ])('is asked again of a %s server that was remembered as %j', async (kind, era) => {
    const server = await startMcpServer(kind);
    const upstream = openedUpstream(server.url, { era: { ...era, at } });
    expect(textOf(await upstream.call('echo', { text: 'x' }))).toBe('x');
    expect(upstream.remembered).toHaveLength(1);
    expect(server.counts.runs.get('echo')).toBe(1);
    await upstream.close();
    await server.close();
  });

  it('is asked again after a day', async () => {
    const server = await startMcpServer('dual');
    const dayAgo = new Date(Date.now() - 25 * 3_600_000);
    const upstream = openedUpstream(server.url, {
      era: { era: 'legacy', revision: '2025-11-25', at: dayAgo },
    });
    expect((await upstream.discover()).era).toBe('modern');
    await upstream.close();
    await server.close();
  });

  it.each(['sse', 'legacy'] as const)(
    'needs few connections for messages without an answer: %s',
    async (kind) => {
      const server = await startMcpServer(kind);
      const upstream = openedUpstream(server.url, kind === 'sse' ? { transport: 'sse' } : {});
      for (let n = 0; n < 30; n++) await upstream.call('echo', { text: String(n) });
      expect(server.heard.length).toBeGreaterThan(30);
      expect(new Set(server.heard.map(({ port }) => port)).size).toBeLessThan(6);
      await upstream.close();
      await server.close();
    },
  );

  it('has to fit the transport of the connection', async () => {
    const server = await startMcpServer('sse');
    const upstream = openedUpstream(server.url, { transport: 'streamable-http' });
    await expect(upstream.discover()).rejects.toThrow(UpstreamFault);
    const right = openedUpstream(server.url, { transport: 'sse' });
    expect((await right.discover()).era).toBe('legacy');
    await Promise.all([upstream.close(), right.close()]);
    await server.close();
  });
});
