import { beginMcpPath } from '../support/mcp/mcp-path';
import { type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { type RawAnswering, type RawServer, json, rawLegacy, rawModern } from '../support/mcp/raw-server';
import { scoped } from '../support/scoped';

const ERAS = ['modern', 'legacy'] as const;
type Era = (typeof ERAS)[number];

/**
 * Kinds of paging whose cursors lead back to earlier pages. Each function gets a cursor. It returns the page
 * for the cursor, and the next cursor.
 */
const REPEATING = {
  'the same cursor without end': () => ({ page: 0, next: 'again' }),
  'cursors in a circle': (cursor: string | undefined) =>
    ({ a: { page: 1, next: 'b' }, b: { page: 2, next: 'a' } })[cursor ?? ''] ?? { page: 0, next: 'a' },
  'new cursors for the same page': (cursor: string | undefined) => ({ page: 0, next: `${cursor ?? ''}x` }),
  'the empty cursor': () => ({ page: 0, next: '' }),
} as const;

const ITEMS = {
  'tools/list': (page: number) => ({ tools: [{ name: `echo-${page}`, inputSchema: { type: 'object' } }] }),
  'prompts/list': (page: number) => ({ prompts: [{ name: `prompt-${page}` }] }),
  'resources/list': (page: number) => ({ resources: [{ uri: `file:///${page}`, name: 'r' }] }),
  'resources/templates/list': (page: number) => ({
    resourceTemplates: [{ uriTemplate: `file:///${page}/{a}`, name: 't' }],
  }),
} as const;
type Listing = keyof typeof ITEMS;

const CASES = Object.keys(REPEATING) as (keyof typeof REPEATING)[];

/** Starts a server. The cursors of all its lists lead back to earlier pages. */
function repeating(era: Era, how: keyof typeof REPEATING): Promise<RawServer> {
  const answering: RawAnswering = ({ body, method }, response) => {
    if (body?.id === undefined) return void response.writeHead(method === 'GET' ? 405 : 202).end();
    const { cursor } = (body.params ?? {}) as { cursor?: string };
    const listed = ITEMS[body.method as Listing] as ((page: number) => object) | undefined;
    const { page, next } = REPEATING[how](cursor);
    const result =
      listed === undefined
        ? { content: [{ type: 'text', text: 'said' }] }
        : { ...listed(page), nextCursor: next };
    json(response, { jsonrpc: '2.0', id: body.id, result: { resultType: 'complete', ...result } });
  };
  return era === 'modern' ? rawModern(answering) : rawLegacy(answering);
}

describe(
  'lists of servers that lead back',
  scoped((begin) => {
    const path = beginMcpPath(begin);

    describe.each(ERAS)('of a %s server', (serverEra) => {
      describe.each(ERAS)('to a %s client', (era) => {
        // promises: MCP-23
        it.each(CASES)('end, and every item comes once: %s', async (how) => {
          const server = await repeating(serverEra, how);
          try {
            const name = await path.connection(server.url);
            const client = new RawClient(path, name, 'admin');
            const ask = await asking(client, era);
            for (const list of Object.keys(ITEMS) as Listing[]) {
              const seen: unknown[] = [];
              const cursors: string[] = [];
              for (let cursor: string | undefined; cursors.length < 20;) {
                const { message } = await ask(list, cursor === undefined ? {} : { cursor });
                seen.push(...Object.values(message.result).filter(Array.isArray).flat());
                cursor = message.result.nextCursor as string | undefined;
                if (cursor === undefined) break;
                cursors.push(cursor);
              }
              const pages = how === 'cursors in a circle' ? 3 : 1;
              expect([list, seen.length, new Set(seen.map((item) => JSON.stringify(item))).size]).toEqual([
                list,
                pages,
                pages,
              ]);
              expect(cursors.length).toBeLessThanOrEqual(pages);
            }
            // To find an unknown tool, the gateway itself requests the list. It must stop after a few pages.
            const other = new RawClient(path, await path.connection(server.url), 'admin');
            const before = server.heard.length;
            const called = await (await asking(other, era))('tools/call', { name: 'echo-0', arguments: {} });
            expect(called.message.result.content[0].text).toBe('said');
            const lists = server.heard.slice(before).filter(({ body }) => body?.method === 'tools/list');
            expect(lists.length).toBeLessThanOrEqual(4);
          } finally {
            await server.close();
          }
        });
      });
    });

    // promises: MCP-23
    it('say in the recording why they ended', async () => {
      const server = await repeating('modern', 'the same cursor without end');
      const client = new RawClient(path, await path.connection(server.url), 'admin');
      const first = await client.modern('tools/list');
      const second = await client.modern('tools/list', { cursor: first.message.result.nextCursor as string });
      expect(second.message.result.nextCursor).toBeUndefined();
      const { body } = await path.gateway.call('admin', 'GET', '/sessions?limit=1');
      const { body: session } = await path.gateway.call(
        'admin',
        'GET',
        `/sessions/${body.data[0].id as string}?expand=event_stream`,
      );
      const texts = (session.event_stream as [number, string, string][]).map(([, type, content]) => [
        type,
        Buffer.from(content, 'base64').toString(),
      ]);
      expect(texts).toContainEqual([
        'e',
        'The server gave a page that it had given before: the gateway ends its tools/list here.\n',
      ]);
      await server.close();
    });
  }),
);

type Ask = (method: string, params?: Record<string, unknown>) => Promise<RawAnswer>;

async function asking(client: RawClient, era: Era): Promise<Ask> {
  if (era === 'modern') return (method, params) => client.modern(method, params);
  const session = await client.begin();
  let id = 0;
  return (method, params = {}) => client.send({ jsonrpc: '2.0', id: ++id, method, params }, session);
}
