import { eventually } from '../support/eventually';
import { forAll } from '../support/for-all';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { RawClient } from '../support/mcp/raw-client';
import { json, rawModern, stream } from '../support/mcp/raw-server';
import { LOCAL_ADDRESSES, uriSpellingsOf } from '../support/mcp/uri-spellings';
import { scoped } from '../support/scoped';
import { IS_LONG, volume } from '../support/volume';

if (IS_LONG) jest.setTimeout(600_000);

const DENIED = [
  'file:///etc/passwd',
  'https://example.com/admin/users',
  'postgres://main/secret/rows',
  'db://main/secret',
];
const PATTERNS = [
  'file:///etc/*',
  'https://example.com/admin/*',
  'postgres://main/secret*',
  'db://main/*',
  'http://127.0.0.1/*',
];
const ALLOWED = [
  'file:///srv/my%20notes.md',
  'https://example.com/public?from=2026-01-01T10:00:00Z#top',
  'https://example.com:8443/v1',
  'postgres://ada@localhost:5432/people/schema',
  'db://other/secret',
  'note://gr\u00F6\u00DFe',
  'urn:isbn:0451450523',
  'greeting',
];
const TEMPLATES = ['file:///srv/{name}', 'db://{db}/{+table}', 'https://{host}:{port}/x{?q*}'];

/** Spellings of the denied URIs: all with one change, and some with two changes. */
const SPELLINGS = DENIED.flatMap((uri) => {
  const all = uriSpellingsOf(uri);
  const isTried = (name: string, at: number): boolean =>
    !name.includes(', then ') || at % volume(60, 12) === 0;
  return all.filter(({ name }, at) => isTried(name, at));
}).concat(LOCAL_ADDRESSES.map((uri) => ({ name: 'an address', uri })));

/** Number of spellings in one subscription. The gateway accepts at most 1000 addresses. */
const AT_ONCE = 500;

describe(
  'resources that the policy denies',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    /** Sends a notification on the last subscription at the server. */
    let notify: (method: string, params: object) => void = () => undefined;
    const server = begin(() =>
      rawModern(({ body }, response) => {
        const { id, method, params } = body;
        if (method === 'subscriptions/listen') {
          stream(response);
          const meta = { _meta: { 'io.modelcontextprotocol/subscriptionId': id } };
          notify = (method, params) => {
            const message = { jsonrpc: '2.0', method, params: { ...params, ...meta } };
            response.write(`data: ${JSON.stringify(message)}\n\n`);
          };
          return notify('notifications/subscriptions/acknowledged', params);
        }
        const results: Record<string, object> = {
          'resources/read': { contents: [{ uri: params.uri, text: 'read' }] },
          'resources/list': {
            resources: [...DENIED, ...ALLOWED].map((uri) => ({ uri, name: uri })),
          },
          'resources/templates/list': {
            resourceTemplates: [...TEMPLATES, 'FILE:/etc/{name}'].map((uriTemplate) => ({
              uriTemplate,
              name: uriTemplate,
            })),
          },
          'completion/complete': { completion: { values: [] } },
        };
        json(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } });
      }),
    );
    const created = begin(
      async () => ({
        name: await path.connection(server.url, { mcp_policy: { resources: { denied: PATTERNS } } }),
      }),
      () => undefined,
    );
    const client = (): RawClient => new RawClient(path, created.name);
    const ref = (uri: string) => ({
      ref: { type: 'ref/resource', uri },
      argument: { name: 'name', value: '' },
    });
    /** Returns the resources that the gateway named to the server, from the request at this index on. */
    const heardOf = (from: number): string[] =>
      server.heard.slice(from).flatMap(({ body }) => {
        const { params } = (body ?? {}) as {
          params?: {
            uri?: string;
            ref?: { uri: string };
            notifications?: { resourceSubscriptions?: string[] };
          };
        };
        return [
          params?.uri,
          params?.ref?.uri,
          ...(params?.notifications?.resourceSubscriptions ?? []),
        ].filter((uri) => uri !== undefined);
      });

    // promises: TOOL-3, MCP-8
    it('reach the server in no spelling: read by modern clients, read and completed by legacy ones', async () => {
      const from = server.heard.length;
      const session = await client().begin();
      const passed: string[] = [];
      await forAll([...SPELLINGS.entries()], 8, async ([at, { name, uri }]) => {
        const legacy = (method: string, id: string, params: object) =>
          client().send({ jsonrpc: '2.0', id, method, params }, session);
        // In the short form, only one of the two clients (legacy or modern) sends each spelling.
        const answers = [
          ...(IS_LONG || at % 2 === 0 ? [await client().modern('resources/read', { uri })] : []),
          ...(IS_LONG || at % 2 === 1 ? [await legacy('resources/read', `r${at}`, { uri })] : []),
          ...(at % 4 === 0 ? [await legacy('completion/complete', `c${at}`, ref(uri))] : []),
        ];
        for (const { status, message } of answers)
          if (status >= 500 || message?.error === undefined) passed.push(`${name}: ${uri}`);
      });
      expect(passed).toEqual([]);
      expect(heardOf(from)).toEqual([]);
      expect(SPELLINGS.length).toBeGreaterThan(300);
    });

    /** Opens a subscription for the resources through the gateway. */
    const subscribe = async (
      connection: string,
      uris: readonly (string | undefined)[],
      leave: AbortController,
    ): Promise<Response> => {
      const listen = {
        jsonrpc: '2.0',
        id: 1,
        method: 'subscriptions/listen',
        params: {
          notifications: { resourceSubscriptions: uris },
          _meta: {
            'io.modelcontextprotocol/protocolVersion': '2026-07-28',
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
      };
      const answer = await fetch(path.endpoint(connection), {
        method: 'POST',
        signal: leave.signal,
        headers: {
          authorization: `Bearer ${await path.gateway.token('alice')}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'subscriptions/listen',
        },
        body: JSON.stringify(listen),
      });
      expect(answer.status).toBe(200);
      return answer;
    };

    // promises: TOOL-3
    it('are left out of subscriptions in every spelling', async () => {
      for (let first = 0; first < SPELLINGS.length; first += AT_ONCE) {
        const from = server.heard.length;
        const leave = new AbortController();
        const spelled = SPELLINGS.slice(first, first + AT_ONCE).map(({ uri }) => uri);
        await subscribe(created.name, [...spelled, ALLOWED[0], ALLOWED[5]], leave);
        await eventually('the server hears of it', async () => heardOf(from).length > 0);
        leave.abort();
        expect(heardOf(from)).toEqual([ALLOWED[0], ALLOWED[5]]);
      }
    });

    // promises: TOOL-3
    it('are in no update, also when the policy denies them after the subscription', async () => {
      const [now, later] = [ALLOWED[0] ?? '', ALLOWED[5] ?? ''];
      const name = await path.connection(server.url, { mcp_policy: { resources: { denied: PATTERNS } } });
      const leave = new AbortController();
      const answer = await subscribe(name, [now, later], leave);
      let text = '';
      const reading = (async () => {
        for await (const part of answer.body ?? []) text += Buffer.from(part).toString();
      })().catch(() => undefined);
      const update = (uri: string) => notify('notifications/resources/updated', { uri });
      const seen = (uri: string) => text.split(`"uri":${JSON.stringify(uri)}`).length - 1;
      await eventually('the subscription is acknowledged', async () => text.includes('acknowledged'));
      for (const uri of DENIED) update(uri);
      update(now);
      update(later);
      await eventually('both are updated', async () => seen(later) === 1);
      const denied = [...PATTERNS, now];
      const changed = await path.gateway.call('admin', 'PATCH', `/connections/${name}`, {
        mcp_policy: { resources: { denied } },
      });
      expect(changed.status).toBe(200);
      await eventually('the resource is denied', async () => {
        const { message } = await new RawClient(path, name).modern('resources/read', { uri: now });
        return message.error !== undefined;
      });
      update(now);
      update(later);
      await eventually('the other one is updated again', async () => seen(later) === 2);
      leave.abort();
      await reading;
      expect([seen(now), ...DENIED.map(seen)]).toEqual([1, ...DENIED.map(() => 0)]);
    });

    // promises: MCP-8
    it('are not read by a name or a URI that is no string', async () => {
      const from = server.heard.length;
      const session = await client().begin();
      const [denied = ''] = DENIED;
      const asked: [string, object][] = [
        ['resources/read', { uri: [denied] }],
        ['resources/read', { uri: { href: denied } }],
        ['resources/read', { uri: 7 }],
        ['prompts/get', { name: [denied] }],
        [
          'completion/complete',
          { ref: { type: 'ref/resource', uri: [denied] }, argument: { name: 'a', value: '' } },
        ],
      ];
      for (const [at, [method, params]] of asked.entries()) {
        const { message } = await client().send({ jsonrpc: '2.0', id: `n${at}`, method, params }, session);
        expect([method, message.error?.code]).toEqual([method, -32602]);
      }
      expect(
        server.heard.slice(from).filter(({ body }) => asked.some(([method]) => method === body?.method)),
      ).toEqual([]);
    });

    // promises: TOOL-3
    it.each(ALLOWED)('are no others: %s', async (uri) => {
      const { message } = await client().modern('resources/read', { uri });
      expect(message.result.contents).toEqual([{ uri, text: 'read' }]);
      const session = await client().begin();
      const legacy = await client().send(
        { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } },
        session,
      );
      expect(legacy.message.result.contents).toEqual([{ uri, text: 'read' }]);
    });

    // promises: MCP-8
    it('are not listed, and neither are their templates, but all others are', async () => {
      const { resources } = (await client().modern('resources/list')).message.result;
      expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual(ALLOWED);
      const { resourceTemplates } = (await client().modern('resources/templates/list')).message.result;
      expect(resourceTemplates.map((one: { uriTemplate: string }) => one.uriTemplate)).toEqual(TEMPLATES);
      const from = server.heard.length;
      for (const uri of TEMPLATES)
        expect((await client().modern('completion/complete', ref(uri))).status).toBe(200);
      expect(heardOf(from)).toEqual(TEMPLATES);
    });
  }),
);
