import { judgedCall } from '../../src/languages/tool-call/judged-call';
import { readJson } from '../../src/kernel/json/json';
import { toolCall } from '../../src/languages/tool-call';
import { GuardrailEngine } from '../../src/guardrails/engine/guardrail-engine';
import { createRule, denyPattern, denyWords } from '../support/guardrails';
import { type Disguise, disguisesOf } from '../support/json/disguises';
import { forAll } from '../support/for-all';
import { figure } from '../support/mcp/figures';
import { beginMcpPath } from '../support/mcp/mcp-path';
import { MODERN_META, type RawAnswer, RawClient } from '../support/mcp/raw-client';
import { json, rawModern } from '../support/mcp/raw-server';
import { hereInstead, pattern, words } from '../support/rule-entries';
import { scoped } from '../support/scoped';
import { IS_LONG, someOf } from '../support/volume';

/** Secrets that no client may send, each with the rules that find it. */
const SECRETS: [string, ReturnType<typeof denyWords>, ReturnType<typeof words>][] = [
  ['Geheim ä', denyWords(['geheim ä']), words(['geheim ä'])],
  ['AKIAIOSFODNN7EXAMPLE', denyPattern('AKIA[A-Z0-9]{16}'), pattern('AKIA[A-Z0-9]{16}')],
];

// The long form sends many requests.
if (IS_LONG) jest.setTimeout(1_800_000);

describe(
  'what guardrails forbid, through the whole gateway',
  scoped((begin) => {
    const path = beginMcpPath(begin);
    /** Results that the server sends, as JSON. A call selects one by the number in its arguments. */
    const results: string[] = [];
    const server = begin(() =>
      rawModern(({ body }, response) => {
        const { params, id, method } = body;
        const result =
          method === 'tools/list'
            ? '{"resultType":"complete","tools":[{"name":"say","inputSchema":{"type":"object"}}]}'
            : (results[params.arguments?.at as number] ?? '{"resultType":"complete","content":[]}');
        json(response, `{"jsonrpc":"2.0","id":${id},"result":${result}}`);
      }),
    );
    const calls = () => server.heard.filter(({ body }) => body?.method === 'tools/call');

    async function connectionWith(rules: object): Promise<string> {
      const name = await path.connection(server.url);
      const { id } = (await path.gateway.call('admin', 'GET', `/connections/${name}`)).body;
      await createRule(path.gateway, { name: `rule-${name}`, connection_ids: [id], ...rules });
      return name;
    }
    const send = (client: RawClient, args: string): Promise<RawAnswer> =>
      client.send(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"say","arguments":${args},"_meta":${JSON.stringify(MODERN_META)}}}`,
        { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'say' },
      );
    /**
     * Whether the message was refused for any reason. A message in a form that the gateway does not accept
     * evades no rule.
     */
    const isBlocked = ({ status, message }: RawAnswer): boolean =>
      status < 500 && (message?.error !== undefined || message?.result?.isError === true);

    it.each(SECRETS)('never reaches the server in arguments: %s', async (secret, rule) => {
      const name = await connectionWith({ input: rule });
      const client = new RawClient(path, name);
      const before = calls().length;
      expect((await send(client, '{"text":"harmless"}')).message.result.content).toEqual([]);
      expect(calls().length).toBe(before + 1);
      const disguises = someOf(disguisesOf(secret), 8);
      const missed: string[] = [];
      await forAll(disguises, 8, async ({ name: how, written }) => {
        if (!isBlocked(await send(client, written))) missed.push(how);
      });
      const heard = calls().length - before - 1;
      figure('evasions in arguments', { forms: disguises.length, missed: Math.max(missed.length, heard) });
      expect([missed, heard]).toEqual([[], 0]);
      expect(disguises.length).toBeGreaterThan(IS_LONG ? 250 : 30);
    });

    it.each(SECRETS)('never reaches the client in results: %s', async (secret, rule, entry) => {
      const name = await connectionWith({ output: rule });
      const client = new RawClient(path, name);
      const oracle = new GuardrailEngine(
        [{ id: '1', name: 'r', input: { rules: [entry] }, output: { rules: [] } }],
        toolCall,
        hereInstead,
      );
      // Rules do not find secrets that are cut into parts of structured content:
      // src/guardrails/rules/README.md, "What it does not find".
      const whole = disguisesOf(secret).filter(
        ({ name: how }) => !/cut|letter by|by twos|by fours/.test(how),
      );
      const disguises = someOf(whole, 8);
      const shapes: [string, (written: string) => string][] = [
        [
          'a text',
          (written) =>
            `{"resultType":"complete","content":[{"type":"text","text":${JSON.stringify(written)}}]}`,
        ],
        [
          'structured content',
          (written) => `{"resultType":"complete","content":[],"structuredContent":${written}}`,
        ],
        [
          'a resource',
          (written) =>
            `{"resultType":"complete","content":[{"type":"resource","resource":{"uri":"a://b","blob":"${Buffer.from(written).toString('base64')}"}}]}`,
        ],
        [
          'an error of a tool',
          (written) =>
            `{"resultType":"complete","isError":true,"content":[{"type":"text","text":${JSON.stringify(written)}}]}`,
        ],
        [
          'metadata',
          (written) => `{"resultType":"complete","content":[],"_meta":{"com.example/x":${written}}}`,
        ],
      ];
      const forms: (Disguise & { readonly shape: string; readonly at: number })[] = [];
      for (const [shape, write] of shapes)
        for (const disguise of disguises)
          forms.push({ ...disguise, shape, at: results.push(write(disguise.written)) - 1 });
      const missed: string[] = [];
      let blocked = 0;
      await forAll(forms, 8, async ({ name: how, shape, at }) => {
        const { text, status } = await client.call('say', { at });
        // Reads the result as the client received it, in the same way in which rules read arguments.
        const [seen] = judgedCall('x', await readJson(Buffer.from(text)));
        const { kind } = await oracle.judge(seen?.text ?? '');
        if (status >= 500 || kind === 'block') missed.push(`${how} in ${shape}`);
        if (/guardrail|blocked/i.test(text)) blocked += 1;
      });
      figure('evasions in results', { forms: forms.length, missed: missed.length });
      expect(missed).toEqual([]);
      expect(forms.length).toBeGreaterThan(IS_LONG ? 1_000 : 100);
      // The rule blocked most of the results. Only few were refused because they are unreadable.
      expect(blocked).toBeGreaterThan(forms.length / 2);
    });
  }),
);
