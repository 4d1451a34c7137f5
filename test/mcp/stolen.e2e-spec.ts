import { RequestStates } from '../../src/proxies/mcp/states/request-states';
import { readJson } from '../../src/kernel/json/json';
import type { JsonObject } from '../../src/kernel/json/json';
import { Authenticator } from '../../src/gate/ports/authenticator';
import { registerClient, tokensFor } from '../support/mcp-sign-in';
import { forAll } from '../support/for-all';
import { figure } from '../support/mcp/figures';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META, type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { startMcpServer } from '../support/mcp/start-mcp-server';
import { scoped } from '../support/scoped';
import { IS_LONG, volume } from '../support/volume';
import { changedAt } from '../support/changed-letter';

const POLICY = { mcp_policy: { server_requests: ['elicitation', 'sampling'] } };
const CAPABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {}, sampling: {} } };
const AGREE = { action: 'accept', content: { environment: 'test' } };
const FAR = 16 * 60_000;

/** One attempt with a stolen credential, or with one that is no longer valid. */
interface Attempt {
  readonly what: string;
  readonly send: () => Promise<{ readonly status: number; readonly text: string }>;
}

/** Stolen credentials are useless: each attempt is refused with a message, and none reaches the server. */
describe(
  'what a thief presents',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() => startMcpServer('modern'));
    const paged = begin(() =>
      rawModern(({ body }, response) => {
        const { cursor = '0' } = body.params as { cursor?: string };
        const page = Number(cursor);
        const items = {
          'tools/list': { tools: [{ name: `tool-${page}`, inputSchema: { type: 'object' } }] },
          'prompts/list': { prompts: [{ name: `prompt-${page}` }] },
          'resources/list': { resources: [{ uri: `a://${page}`, name: 'r' }] },
        }[body.method as string];
        const more = page < 3 ? { nextCursor: String(page + 1) } : {};
        json(response, {
          jsonrpc: '2.0',
          id: body.id,
          result: { resultType: 'complete', ...items, ...more },
        });
      }),
    );
    const counts = { tried: 0, accepted: 0 };
    const reached = (): number => server.methods().filter((method) => method === 'tools/call').length;
    const client = (name: string, person: 'alice' | 'bob' | 'admin' = 'alice') =>
      new RawClient(path, name, person);

    /** Makes all attempts, and fails unless each is refused with a status 4xx and a message. */
    async function refuseAll(attempts: readonly Attempt[]): Promise<void> {
      const accepted: string[] = [];
      await forAll(attempts, 8, async ({ what, send }) => {
        const { status, text } = await send();
        const isRefused = status >= 400 && status < 500 && text.length > 10;
        if (!isRefused) accepted.push(`${what}: ${status} ${text.slice(0, 200)}`);
      });
      counts.tried += attempts.length;
      counts.accepted += accepted.length;
      expect(accepted).toEqual([]);
    }

    afterAll(() => figure('stolen', counts));

    it('is a session of somebody else, of another connection, or guessed', async () => {
      const [name, other] = [await path.connection(server.url), await path.connection(server.url)];
      const messages: [string, unknown, string?][] = [
        ['ping', { jsonrpc: '2.0', id: 1, method: 'ping' }],
        [
          'a call',
          { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'echo', arguments: { text: 'x' } } },
        ],
        ['a list', { jsonrpc: '2.0', id: 3, method: 'tools/list' }],
        ['a notification', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
        ['an answer', { jsonrpc: '2.0', id: 'gateway-1', result: {} }],
        ['a batch', [{ jsonrpc: '2.0', id: 1, method: 'ping' }]],
        ['a stream', undefined, 'GET'],
        ['an end', undefined, 'DELETE'],
      ];
      const before = reached();
      const owners: (() => Promise<RawAnswer>)[] = [];
      const attempts: Attempt[] = [];
      for (let session = 0; session < volume(2, 8); session += 1) {
        const headers = await client(name).begin(session % 2 === 0 ? '2025-11-25' : '2025-03-26');
        owners.push(() => client(name).send({ jsonrpc: '2.0', id: 1, method: 'ping' }, headers));
        const id = headers['mcp-session-id'] ?? '';
        const thieves = [client(name, 'bob'), client(name, 'admin'), client(other), client(other, 'bob')];
        for (const [what, body, method] of messages) {
          for (const thief of thieves)
            attempts.push({ what: `${what} of another`, send: () => thief.send(body, headers, method) });
          for (const guess of [id.slice(0, -1), `${id}A`, id.toUpperCase(), changedAt(id, 0), `${id},${id}`])
            attempts.push({
              what: `${what} of a guess`,
              send: () => client(name).send(body, { ...headers, 'mcp-session-id': guess }, method),
            });
        }
      }
      await refuseAll(attempts);
      expect(reached()).toBe(before);
      for (const owner of owners) expect((await owner()).status).toBe(200);
    });

    it('is a request state of another person, call, connection or time, or one that was used', async () => {
      const [name, other] = [
        await path.connection(server.url, POLICY),
        await path.connection(server.url, POLICY),
      ];
      const ask = (at: RawClient, tool: string, args: object, more: object): Promise<RawAnswer> =>
        at.modern('tools/call', { name: tool, arguments: args, ...more }, {}, CAPABLE);
      const attempts: Attempt[] = [];
      const good: (() => Promise<RawAnswer>)[] = [];
      for (let state = 0; state < volume(2, 22); state += 1) {
        const args = { state };
        const { message } = await ask(client(name), 'ask_person', args, {});
        const [key = ''] = Object.keys(message.result.inputRequests as object);
        const { requestState } = message.result as { requestState: string };
        const repeated = { inputResponses: { [key]: AGREE }, requestState };
        good.push(() => ask(client(name), 'ask_person', args, repeated));
        const tries: [string, () => Promise<RawAnswer>][] = [
          ['another person', () => ask(client(name, 'bob'), 'ask_person', args, repeated)],
          ['an admin', () => ask(client(name, 'admin'), 'ask_person', args, repeated)],
          ['another connection', () => ask(client(other), 'ask_person', args, repeated)],
          ['another tool', () => ask(client(name), 'ask_model', args, repeated)],
          ['a tool that asks nothing', () => ask(client(name), 'echo', args, repeated)],
          ['other arguments', () => ask(client(name), 'ask_person', { state: state + 0.5 }, repeated)],
          ['more arguments', () => ask(client(name), 'ask_person', { ...args, more: 1 }, repeated)],
          ['no arguments', () => ask(client(name), 'ask_person', {}, repeated)],
          [
            'another method',
            () => client(name).modern('resources/read', { uri: 'test://text', ...repeated }, {}, CAPABLE),
          ],
          ['a prompt', () => client(name).modern('prompts/get', { name: 'greet', ...repeated }, {}, CAPABLE)],
          ['a cursor', () => client(name).modern('tools/list', { cursor: requestState })],
          ['a list', () => client(name).modern('tools/list', { ...repeated })],
          ...[3, 40, 60, 100, requestState.length - 1].map((at): [string, () => Promise<RawAnswer>] => [
            `changed at ${at}`,
            () =>
              ask(client(name), 'ask_person', args, {
                ...repeated,
                requestState: changedAt(requestState, at),
              }),
          ]),
          [
            'cut',
            () =>
              ask(client(name), 'ask_person', args, { ...repeated, requestState: requestState.slice(0, -4) }),
          ],
        ];
        attempts.push(...tries.map(([what, send]) => ({ what: `a state at ${what}`, send })));
      }
      const before = reached();
      await refuseAll(attempts);
      expect(reached()).toBe(before);
      // The refused attempts have not used up any request state.
      for (const use of good) expect((await use()).message.result.content[0].text).toContain('test');
      const used = reached();
      await refuseAll(good.map((send) => ({ what: 'a used state', send })));
      expect(reached()).toBe(used);
    });

    it('is a request state that expired', async () => {
      const name = await path.connection(server.url, POLICY);
      const connectionId = (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body
        .id as string;
      const principal = await path.gateway.app
        .get(Authenticator)
        .identify({ bearer: await path.gateway.token('alice'), address: '127.0.0.1' });
      const states = path.gateway.app.get(RequestStates);
      const attempts: Attempt[] = [];
      const before = reached();
      for (let at = 0; at < volume(3, 60); at += 1) {
        const params = (await readJson(
          Buffer.from(JSON.stringify({ name: 'echo', arguments: { at } })),
        )) as JsonObject;
        const owner = { principal, connectionId, method: 'tools/call', params };
        const now = Date.now();
        jest.useFakeTimers({ now: at % 2 === 0 ? now - FAR : now, doNotFake: NOT_FAKED });
        const requestState = await states
          .seal(owner, { state: undefined }, 'state')
          .finally(() => jest.useRealTimers());
        const send = () =>
          client(name).modern(
            'tools/call',
            { name: 'echo', arguments: { at }, inputResponses: {}, requestState },
            {},
            CAPABLE,
          );
        if (at % 2 === 0) attempts.push({ what: 'an expired state', send });
        // The same call with a fresh request state succeeds, so the state was refused only because of its
        // age.
        else expect((await send()).status).toBe(200);
      }
      const inTime = reached() - before;
      await refuseAll(attempts);
      expect(reached() - before).toBe(inTime);
    });

    it('is a cursor of another list, person or connection', async () => {
      const [name, other] = [await path.connection(paged.url), await path.connection(paged.url)];
      const lists = ['tools/list', 'prompts/list', 'resources/list'];
      const attempts: Attempt[] = [];
      for (let round = 0; round < volume(1, 8); round += 1) {
        for (const list of lists) {
          const { message } = await client(name).modern(list);
          const cursor = message.result.nextCursor as string;
          const next = await client(name).modern(list, { cursor });
          expect(JSON.stringify(next.message.result)).toMatch(/tool-1|prompt-1|a:\/\/1/);
          for (const wrong of lists.filter((one) => one !== list))
            attempts.push({
              what: `a cursor at ${wrong}`,
              send: () => client(name).modern(wrong, { cursor }),
            });
          attempts.push(
            { what: 'a cursor of another', send: () => client(name, 'bob').modern(list, { cursor }) },
            { what: 'a cursor elsewhere', send: () => client(other).modern(list, { cursor }) },
            { what: 'a cursor of the server', send: () => client(name).modern(list, { cursor: '1' }) },
            {
              what: 'a cursor as a state',
              send: () => client(name).call('tool-0', {}, { inputResponses: {}, requestState: cursor }),
            },
          );
        }
      }
      await refuseAll(attempts);
    });

    it('is a token that was issued for another connection', async () => {
      const names = await Promise.all(Array.from({ length: 3 }, () => path.connection(server.url)));
      const registered = await registerClient(path.gateway);
      const attempts: Attempt[] = [];
      const before = reached();
      const body = (id: number): string =>
        JSON.stringify({
          jsonrpc: '2.0',
          id,
          method: 'tools/call',
          params: { name: 'echo', arguments: { text: 'stolen' }, _meta: MODERN_META },
        });
      const post = async (url: string, token: string): Promise<{ status: number; text: string }> => {
        const response = await fetch(url, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            accept: 'application/json, text/event-stream',
            'content-type': 'application/json',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': 'echo',
          },
          body: body(1),
        });
        return { status: response.status, text: await response.text() };
      };
      const get = async (route: string, token: string): Promise<{ status: number; text: string }> => {
        const response = await fetch(`${path.gateway.api}${route}`, {
          headers: { authorization: `Bearer ${token}` },
        });
        return { status: response.status, text: await response.text() };
      };
      const own: (() => Promise<{ status: number }>)[] = [];
      for (let round = 0; round < volume(1, 10); round += 1) {
        for (const name of names) {
          const { access, refresh } = await tokensFor(path.gateway, registered, name);
          own.push(() => post(path.endpoint(name), access));
          for (const wrong of names.filter((one) => one !== name))
            attempts.push({ what: 'a token elsewhere', send: () => post(path.endpoint(wrong), access) });
          for (const route of ['/connections', '/sessions', '/reviews', '/users', `/connections/${name}`])
            attempts.push({ what: `a token at ${route}`, send: () => get(route, access) });
          attempts.push(
            { what: 'a token at our own tools', send: () => post(`${path.gateway.api}/mcp`, access) },
            { what: 'a refresh token', send: () => post(path.endpoint(name), refresh) },
            {
              what: 'a changed token',
              send: () => post(path.endpoint(name), changedAt(access, access.length - 1)),
            },
          );
        }
      }
      await refuseAll(attempts);
      expect(reached()).toBe(before);
      for (const use of own) expect((await use()).status).toBe(200);
    });

    it('is as much as this', () => {
      expect(counts.tried).toBeGreaterThan(IS_LONG ? 1_000 : 150);
    });
  }),
);

/** Everything that Jest can fake, except the clock (`Date`). */
const NOT_FAKED: (
  | 'nextTick'
  | 'setTimeout'
  | 'setInterval'
  | 'setImmediate'
  | 'clearTimeout'
  | 'clearInterval'
  | 'clearImmediate'
  | 'performance'
  | 'queueMicrotask'
  | 'hrtime'
)[] = [
  'nextTick',
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'performance',
  'queueMicrotask',
  'hrtime',
];
