import { createHash } from 'node:crypto';
import { eventually } from '../support/eventually';
import { type McpClient, connectClient } from '../support/mcp/clients';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { type McpServerKind, startMcpServer } from '../support/mcp/start-mcp-server';
import { testOffer } from '../support/mcp/offer';
import { scoped } from '../support/scoped';
import { volume } from '../support/volume';

const ANSWERS = {
  elicitation: { action: 'accept', content: { environment: 'test' } },
  sampling: {
    role: 'assistant',
    model: 'm',
    stopReason: 'endTurn',
    content: { type: 'text', text: 'Paris' },
  },
  roots: { roots: [{ uri: 'file:///home', name: 'home' }] },
};

/** Uses everything that a server can do. Returns the answers that the client gets. */
async function journey(client: McpClient): Promise<Record<string, unknown>> {
  const progress: number[] = [];
  const told: Record<string, unknown> = {
    server: client.server(),
    tools: await client.ask('tools'),
    resources: await client.ask('resources'),
    templates: await client.ask('resourceTemplates'),
    template: await client.read('test://people/Ada'),
    completion: await client.complete('greet', 'who', 'A'),
    noCompletion: await client.complete('greet', 'who', 'Z'),
    prompts: await client.ask('prompts'),
    text: await client.read('test://text'),
    blob: await client.read('test://blob'),
    prompt: await client.prompt('greet', { who: 'Ada' }),
    echo: await client.call('echo', { text: 'Grüße, 世界 \u2028 "quoted"' }),
    contents: await client.call('contents'),
    structured: await client.call('structured', { a: 2, b: 3 }),
    progress: await client.call('progress', { steps: 3 }, { onprogress: (at) => progress.push(at.progress) }),
    fail: await client.call('fail'),
    region: await client.call('region', { region: 'eu 1 ü' }),
    person: await client.call('ask_person'),
    model: await client.call('ask_model'),
    roots: await client.call('ask_roots'),
    twice: await client.call('ask_twice'),
    absent: await faultOf(client.read('test://nothing')),
    noPrompt: await faultOf(client.prompt('nothing', {})),
  };
  return { ...told, steps: progress, asked: client.asked };
}

const OF_ONE_ERA = ['resultType', 'ttlMs', 'cacheScope', '_meta', 'execution', '$schema'];

/**
 * Removes the fields that only one MCP era adds to results. Parses texts that contain JSON, because the order
 * of names does not matter.
 */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (name, inner: unknown) => {
    if (OF_ONE_ERA.includes(name)) return undefined;
    if (typeof inner !== 'string' || !inner.startsWith('{')) return inner;
    return JSON.parse(inner) as unknown;
  });
}

/** Returns the code of an error. Replaces -32002, the legacy code for absent resources, by -32602. */
async function faultOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => 'none',
    ({ code }: { code?: unknown }) => (code === -32002 ? -32602 : code),
  );
}

/**
 * Size of a large text in MB. In the short form, the text is larger if server and client speak different
 * MCP eras, because then the gateway changes messages more. Each server and each client is in such a pair.
 */
const megabytes = (server: string, client: string): number =>
  server === client ? volume(1, 10) : volume(4, 10);

const KINDS = ['modern', 'auto', 'default', 'legacy'] as const;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

describe(
  'six pairs of client and server',
  scoped((begin) => {
    // Allows many clients, because all of them stay open until the end.
    const path = beginMcpPath(begin, { MCP_CLIENTS_PER_USER: '200' });
    const policy = { server_requests: ['sampling', 'elicitation', 'roots'] };

    describe.each<[McpServerKind, 'modern' | 'legacy']>([
      ['modern', 'modern'],
      ['legacy', 'legacy'],
      ['dual', 'modern'],
      ['sse', 'legacy'],
    ])('a server that is %s', (kind, era) => {
      const server = begin(() =>
        startMcpServer(kind, undefined, (counts) => ({ ...testOffer(counts), pageSize: 2 })),
      );

      // Clients of another MCP era or transport cannot connect to this server directly. Their answers are
      // compared with the answers to a client that can.
      let expected: unknown;
      beforeAll(async () => {
        const beside = kind === 'sse' ? await startMcpServer('legacy', undefined, testOffer) : undefined;
        const direct = await connectClient(era, beside?.url ?? server.url, { answers: ANSWERS });
        expected = plain(await journey(direct));
        await direct.close();
        await beside?.close();
      });

      // promises: MCP-1
      it.each(KINDS)('tells a %s client the same as directly', async (clientEra) => {
        const name = await path.connection(server.url, { mcp_policy: policy });
        const through = await path.client(clientEra, name, { answers: ANSWERS });
        expect(plain(await journey(through))).toEqual(expected);
      });

      // promises: MCP-1
      it.each(KINDS)('tells a %s client of changes', async (clientEra) => {
        const name = await path.connection(server.url);
        const client = await path.client(clientEra, name);
        await client.listen(['test://text']);
        await eventually('a change is told', async () => {
          server.changed('tools');
          server.changed({ uri: 'test://text' });
          const methods = client.heard.map(({ method }) => method);
          return (
            methods.includes('notifications/tools/list_changed') &&
            methods.includes('notifications/resources/updated')
          );
        });
      });

      // promises: MCP-1
      it.each(KINDS)('hears that a %s client cancelled', async (clientEra) => {
        const name = await path.connection(server.url);
        const client = await path.client(clientEra, name);
        const before = server.counts.cancelled;
        const leaving = new AbortController();
        const call = client.call('wait', {}, { signal: leaving.signal });
        await eventually('the call runs', async () => (server.counts.runs.get('wait') ?? 0) > before);
        leaving.abort();
        await expect(call).rejects.toThrow();
        await eventually('the server hears it', async () => server.counts.cancelled > before);
      });

      // promises: MCP-7
      it.each(
        (['modern', 'legacy'] as const).map((clientEra) => ({
          clientEra,
          megabytes: megabytes(era, clientEra),
        })),
      )('sends $megabytes MB to a $clientEra client', async ({ clientEra, megabytes }) => {
        const client = await path.client(clientEra, await path.connection(server.url));
        const bytes = megabytes * 1_048_576;
        const { content } = await client.call('large', { bytes }, { timeout: 110_000 });
        expect(sha256(content[0].text as string)).toBe(sha256('0123456789abcdef'.repeat(bytes / 16)));
      });

      it('is recorded, message by message', async () => {
        const name = await path.connection(server.url);
        const client = await path.client('modern', name);
        await client.call('echo', { text: 'recorded' });
        const events = await path.recorded(name);
        expect(events).toContainEqual(['i', expect.stringContaining('"method":"tools/call"')]);
        expect(events).toContainEqual(['o', expect.stringContaining('"text":"recorded"')]);
      });
    });
  }),
);
