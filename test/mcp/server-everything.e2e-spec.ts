import type { JsonObject } from '../../src/kernel/json/json';
import { eventually } from '../support/eventually';
import type { UpstreamAnswer } from '../../src/targets/mcp/upstream';
import { type OpenedUpstream, openedUpstream, textOf } from '../support/mcp/opened-upstream';
import { type McpServerKind, type McpTestServer, startMcpServer } from '../support/mcp/start-mcp-server';

/** The client's answers to requests of the server, by method. */
const SAID: JsonObject = {
  'sampling/createMessage': {
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'sampled words' },
  },
  'elicitation/create': { action: 'decline' },
  'roots/list': { roots: [{ uri: 'file:///home', name: 'home' }] },
};

/** Tests the official server "everything", over both of its transports, each in its own process. */
describe.each<[McpServerKind, string]>([
  ['everything', '2025-11-25'],
  ['everything-sse', '2024-11-05'],
])('the server with everything: %s', (kind, remembered) => {
  let server: McpTestServer;
  let upstream: OpenedUpstream;
  const asked: string[] = [];

  beforeAll(async () => {
    server = await startMcpServer(kind);
    upstream = openedUpstream(server.url);
  });
  afterAll(async () => {
    await upstream.close();
    await server.close();
  });

  /**
   * Calls a tool, and answers all requests of the server until it sends its result. The server requests the
   * roots as soon as a session has begun.
   */
  async function finished(
    name: string,
    args: JsonObject,
    meta?: JsonObject,
    at = upstream,
  ): Promise<UpstreamAnswer> {
    const params = { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) };
    let answer = await at.ask('tools/call', params);
    while (answer.kind === 'input') {
      const requests = Object.values(answer.requests).map(({ method }) => method);
      asked.push(...requests);
      const responses = Object.fromEntries(
        Object.entries(answer.requests).map(([key, { method }]) => [key, SAID[method] ?? {}]),
      );
      const { state } = answer;
      const continuation = { responses, ...(state === undefined ? {} : { state }) };
      answer = await at.ask('tools/call', params, { continuation });
    }
    return answer;
  }

  it('is of the legacy era', async () => {
    const { era, revision, capabilities, serverInfo } = await upstream.discover();
    expect([era, revision, serverInfo?.['name']]).toEqual([
      'legacy',
      '2025-11-25',
      expect.stringContaining('everything'),
    ]);
    expect(Object.keys(capabilities)).toEqual(expect.arrayContaining(['tools', 'resources', 'prompts']));
    expect(upstream.remembered).toEqual([['legacy', remembered]]);
  });

  it('echoes, adds, and shows a picture', async () => {
    expect(textOf(await finished('echo', { message: 'hi' }))).toContain('hi');
    expect(textOf(await finished('get-sum', { a: 2, b: 3 }))).toContain('5');
    const image = await finished('get-tiny-image', {});
    const content = image.kind === 'result' ? (image.result['content'] as JsonObject[]) : [];
    expect(content.map(({ type }) => type)).toContain('image');
  });

  it('reports the progress of a long operation', async () => {
    expect(
      textOf(
        await finished('trigger-long-running-operation', { duration: 1, steps: 4 }, { progressToken: 'p' }),
      ),
    ).toMatch(/completed/i);
    expect(
      upstream.told
        .filter(({ method }) => method === 'notifications/progress')
        .map(({ params: { progress, progressToken } }) => [progressToken, progress]),
    ).toEqual([
      ['p', 1],
      ['p', 2],
      ['p', 3],
      ['p', 4],
    ]);
  });

  it('asks the model, and the person', async () => {
    expect(
      JSON.stringify(await finished('trigger-sampling-request', { prompt: 'p', maxTokens: 10 })),
    ).toContain('sampled words');
    expect(JSON.stringify(await finished('trigger-elicitation-request', {}))).toMatch(/declin/i);
    expect(asked.toSorted()).toEqual(['elicitation/create', 'roots/list', 'sampling/createMessage']);
  });

  it('reads a resource that it lists', async () => {
    const listed = await upstream.ask('resources/list');
    const resources = listed.kind === 'result' ? (listed.result['resources'] as JsonObject[]) : [];
    const read = await upstream.ask('resources/read', { uri: resources[0]?.['uri'] ?? '' });
    expect(read.kind).toBe('result');
  });

  it('is reached again after a restart', async () => {
    await server.close();
    await expect(upstream.call('echo', { message: 'x' })).rejects.toMatchObject({ name: 'UpstreamFault' });
    const second = await startMcpServer(kind);
    const again = openedUpstream(second.url);
    await eventually('an answer', async () =>
      textOf(await finished('echo', { message: 'again' }, undefined, again)).includes('again'),
    );
    await again.close();
    await second.close();
  });
});
