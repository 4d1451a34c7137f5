import { createRule, denyWords } from '../support/guardrails';
import { startDataPath } from '../support/data-path';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { OwnToolsPath } from '../support/mcp/own-tools';
import { MODERN_META, type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { scoped } from '../support/scoped';

const META = JSON.stringify(MODERN_META);

/** Returns the name that Go's encoding/json and similar parsers read instead of this spelling. */
const asGo = (name: string): string =>
  name.normalize('NFKC').replaceAll('\u017F', 's').replaceAll('\u212A', 'k').toLowerCase();

/**
 * Parses a message as a Go server does: the case of names does not matter, and the last of several members
 * wins. Reads `__proto__` as some JavaScript servers do.
 */
function readAsOthers(text: string): Record<string, unknown> {
  const folded = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(folded);
    if (typeof value !== 'object' || value === null) return value;
    const read: Record<string, unknown> = {};
    for (const [name, inner] of Object.entries(value)) {
      if (name === '__proto__') Object.assign(read, folded(inner));
      else read[asGo(name)] = folded(inner);
    }
    return read;
  };
  return folded(JSON.parse(text)) as Record<string, unknown>;
}

/** Returns other spellings of a name: upper case, full width, and letters that fold to `s` and `k`. */
const letters = (name: string): string[] => {
  const forms = [
    name.toUpperCase(),
    name.replace(/^./, (first) => first.toUpperCase()),
    name.replace('s', '\u017F'),
    name.replace('k', '\u212A'),
    [...name].map((it) => String.fromCodePoint(it.codePointAt(0)! + 0xfe_e0)).join(''),
  ];
  return [...new Set(forms)].filter((form) => form !== name);
};
const key = (name: string): string => JSON.stringify(name);
const escaped = (name: string): string =>
  `"${[...name].map((it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`;

/** Params of tool calls. Some parsers read them as a call that a rule or the policy forbids. */
const PARAMS: string[] = [
  ...letters('name').flatMap((name) =>
    [key(name), escaped(name)].flatMap((other) => [
      `"name":"say","arguments":{},${other}:"denied"`,
      `${other}:"denied","name":"say","arguments":{}`,
    ]),
  ),
  ...letters('arguments').flatMap((name) =>
    [key(name), escaped(name)].flatMap((other) => [
      `"name":"say","arguments":{},${other}:{"sql":"drop all"}`,
      `"name":"say",${other}:{"sql":"drop all"},"arguments":{"sql":"select"}`,
      `"name":"say",${other}:{"sql":"drop all"}`,
    ]),
  ),
  ...['sql', 'task'].flatMap((named) =>
    letters(named).flatMap((name) =>
      [key(name), escaped(name)].flatMap((other) => [
        `"name":"say","arguments":{"${named}":"select",${other}:"drop all"}`,
        `"name":"say","arguments":{${other}:"drop all"}`,
        `"name":"say","arguments":{${other}:"drop all","${named}":"select"}`,
        `"name":"say","arguments":{"deep":[{"${named}":1,${other}:2}],"sql":"drop all"}`,
      ]),
    ),
  ),
  '"name":"say","arguments":["drop all"]',
  '"name":"say","arguments":"{\\"sql\\":\\"drop all\\"}"',
  '"name":"say","arguments":[{"sql":"drop all"}]',
  '"name":"say","arguments":{"__proto__":{"sql":"drop all"}}',
  '"name":"say","arguments":{"a":{"\\u005f_proto__":{"sql":"drop all"}}}',
  '"name":"say","__proto__":{"name":"denied"}',
  '"name":"say","arguments":{},"__proto__":{"arguments":{"sql":"drop all"}}',
  '"name":"say","arguments":{},"constructor":{"prototype":{"name":"denied"}}',
  '"name":"say","arguments":{},"task":{"name":"denied"},"x":{"sql":"drop all"}',
];

/** Messages in which `method` or `params` has another spelling. */
const ENVELOPES: string[] = [
  ...letters('method').map((name) => `${key(name)}:"tools/call","method":"tools/list"`),
  ...letters('params').map((name) => `"method":"tools/call",${key(name)}:{"name":"denied","arguments":{}}`),
];

describe(
  'members of messages that servers read in their own way',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    const server = begin(() =>
      rawModern(({ body: { id, method } }, response) => {
        const tools = ['say', 'denied'].map((name) => ({ name, inputSchema: { type: 'object' } }));
        const result = method === 'tools/list' ? { tools } : { content: [] };
        json(response, { jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } });
      }),
    );
    const created = begin(
      async () => {
        const name = await path.connection(server.url, { mcp_policy: { tools: { denied: ['denied'] } } });
        const { id } = (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body;
        const entries = ['/sql', '/task', '/a'].map((pointer) => ({
          ...denyWords(['drop']).rules[0],
          arguments: [pointer],
        }));
        const rule = { name: 'no-drop', connection_ids: [id], input: { rules: entries } };
        await createRule(path.gateway, rule);
        return { name };
      },
      () => undefined,
    );
    const client = (): RawClient => new RawClient(path, created.name);
    const modern = (params: string, more = ''): Promise<RawAnswer> =>
      client().send(
        `{"jsonrpc":"2.0","id":1,${more === '' ? `"method":"tools/call","params":{${params},"_meta":${META}}` : more}}`,
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'say' },
      );
    const isRefused = ({ status, message }: RawAnswer): boolean => {
      const one = Array.isArray(message) ? message.at(-1) : message;
      return status < 500 && (one?.error !== undefined || one?.result?.isError === true);
    };

    /** Returns the messages at the server that other parsers read as a forbidden call. */
    function forbidden(from: number): string[] {
      return server.heard.slice(from).flatMap(({ text }) => {
        const { method, params } = readAsOthers(text) as { method: string; params: { name?: string } };
        const isForbidden = method === 'tools/call' && (params.name !== 'say' || text.includes('drop'));
        return isForbidden ? [text] : [];
      });
    }

    const OTHERS = /"(?:constructor|task|x|__proto__)"/;

    // promises: MCP-2, TOOL-3
    it.each(['modern', 'legacy', 'batch'] as const)(
      'reach it in one reading from a %s client',
      async (era) => {
        const from = server.heard.length;
        const session =
          era === 'modern' ? {} : await client().begin(era === 'batch' ? '2025-03-26' : '2025-11-25');
        const send = async (params: string, at: number): Promise<RawAnswer> => {
          if (era === 'modern') return modern(params);
          const call = `{"jsonrpc":"2.0","id":${at + 1},"method":"tools/call","params":{${params}}}`;
          const text = era === 'batch' ? `[{"jsonrpc":"2.0","id":"p${at}","method":"ping"},${call}]` : call;
          return client().send(text, session);
        };
        const passed: string[] = [];
        for (const [at, params] of PARAMS.entries())
          if (!isRefused(await send(params, at)) && !/"(constructor|task)":\{/.test(params))
            passed.push(params);
        expect(forbidden(from)).toEqual([]);
        expect(passed).toEqual([]);
        expect(PARAMS.length).toBeGreaterThan(80);
        const calls = server.heard.slice(from).filter(({ body }) => body?.method === 'tools/call');
        for (const { text } of calls) expect(text).not.toMatch(OTHERS);
        // The intended call, with the names of the protocol, reaches the server.
        const plain = await send(
          '"name":"say","arguments":{"sql":"select","Other":1,"constructor":"c"}',
          10_000,
        );
        expect(isRefused(plain)).toBe(false);
        expect(server.heard.at(-1)?.body.params.arguments).toEqual({
          sql: 'select',
          Other: 1,
          constructor: 'c',
        });
      },
    );

    // promises: MCP-2
    it('of the envelope reach nothing', async () => {
      const from = server.heard.length;
      const session = await client().begin('2025-11-25');
      for (const envelope of ENVELOPES) {
        expect(isRefused(await modern('', envelope))).toBe(true);
        expect(isRefused(await client().send(`{"jsonrpc":"2.0","id":1,${envelope}}`, session))).toBe(true);
      }
      expect(server.heard.slice(from).filter(({ body }) => body?.method === 'tools/call')).toEqual([]);
    });

    // promises: MCP-2, MCP-4
    it.each([
      ['"name":"say","Name":"denied"', -32700, '"Name"'],
      ['"name":"say","argument\u017F":{}', -32602, '"argument\\u017f"'],
      ['"name":"say","arguments":{"sql":1,"\\u017Fql":2}', -32700, '"\\u017fql"'],
      ['"name":"say","arguments":{"__proto__":{}}', -32700, '"__proto__"'],
    ])('are named in the answer: %s', async (params, code, named) => {
      const { status, message } = await modern(params);
      expect([status, message.error.code]).toEqual([400, code]);
      expect(message.error.message).toContain(named);
    });
  }),
);

describe(
  'members of calls of our own tools',
  scoped((begin) => {
    const path = begin(() => startDataPath());
    const own = begin(() => new OwnToolsPath(path));

    // promises: MCP-2
    it.each([
      '"name":"list_sessions","Name":"list_connections","arguments":{}',
      '"name":"list_sessions","Arguments":{"connection":"x"}',
      '"name":"list_sessions","arguments":[]',
      '"name":"list_sessions","arguments":{"limit":1,"LIMIT":2}',
      '"name":"list_sessions","arguments":{"__proto__":{}}',
    ])('are read alike: %s', async (params) => {
      const { status, message } = await own
        .raw()
        .send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${params},"_meta":${META}}}`, {
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': 'list_sessions',
        });
      expect([status, typeof message.error.message]).toEqual([400, 'string']);
    });
  }),
);
