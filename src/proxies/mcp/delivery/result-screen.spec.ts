import { disguisesOf } from '../../../../test/support/json/disguises';
import { sessionUnder } from '../../../../test/support/gated-session';
import { detector, hereInstead, pattern, words } from '../../../../test/support/rule-entries';
import { IS_LONG, someOf } from '../../../../test/support/volume';
import { GuardrailEngine } from '../../../guardrails/engine/guardrail-engine';
import type { RuleEntry } from '../../../guardrails/entries/rule-entry';
import { type Json, readJson, writeJson } from '../../../kernel/json/json';
import { judgedCall } from '../../../languages/tool-call/judged-call';
import { toolCall } from '../../../languages/tool-call';
import { screenedResult } from './result-screen';

function engineOf(input: RuleEntry[], output: RuleEntry[]): GuardrailEngine {
  const rule = { id: '1', name: 'r', input: { rules: input }, output: { rules: output } };
  return new GuardrailEngine([rule], toolCall, hereInstead);
}

const sessionWith = (...rules: RuleEntry[]) => sessionUnder(() => engineOf([], rules));
const json = async (text: string): Promise<Json> => readJson(Buffer.from(text));
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Screens a message under these rules. Returns the delivered JSON, or the reason for the block. */
async function screened(rules: RuleEntry[], value: unknown, schema?: unknown): Promise<unknown> {
  const { session } = sessionWith(...rules);
  const of = schema === undefined ? undefined : await json(JSON.stringify(schema));
  const result = await screenedResult(session, await json(JSON.stringify(value)), of);
  return result.kind === 'deliver' ? (JSON.parse(writeJson(result.value)) as unknown) : result.message;
}

const content = (...texts: string[]) => ({ content: texts.map((text) => ({ type: 'text', text })) });
const masking = { action: 'mask' as const };
const cards = detector(['payment_card'], { ...masking, keep_last: 4 });
const emails = detector(['email'], masking);
const CARD = '4111111111111111';

describe('a screened message', () => {
  it.each<[RuleEntry, RuleEntry, string]>([
    [words(['geheim ä']), words(['geheim ä'], masking), 'Geheim ä'],
    [pattern('AKIA[A-Z0-9]{16}'), pattern('AKIA[A-Z0-9]{16}', masking), 'AKIAIOSFODNN7EXAMPLE'],
    [pattern('4[1]{15}'), cards, CARD],
  ])(
    'lets nothing through that rule %# finds in plain text, however it is disguised',
    async (finds, masks, text) => {
      const oracle = engineOf([finds], []);
      const { session } = sessionWith(masks);
      // Leaves out values split over structured content: guardrails/rules/README.md, "What it does not find".
      const disguises = disguisesOf(text).filter(({ name }) => !/cut|letter by|by twos|by fours/.test(name));
      const missed: string[] = [];
      let tried = 0;
      for (const { name, written } of someOf(disguises, 2)) {
        const value = await json(
          `{"structuredContent":${written},"content":[{"type":"text","text":${JSON.stringify(written)}}]}`,
        );
        tried += 1;
        const result = await screenedResult(session, value);
        if (result.kind === 'blocked') continue;
        const [call] = judgedCall('x', result.value);
        if ((await oracle.judge(call!.text)).kind === 'block') missed.push(name);
      }
      expect(missed).toEqual([]);
      expect(tried).toBeGreaterThan(IS_LONG ? 300 : 150);
    },
  );

  it.each<[string, unknown, unknown]>([
    [
      'descriptions in lists',
      {
        tools: [
          { name: 'a', description: 'ask a@example.com', inputSchema: { description: 'a@example.com' } },
        ],
      },
      { tools: [{ name: 'a', description: 'ask ****', inputSchema: { description: '****' } }] },
    ],
    [
      'errors',
      { code: -1, message: 'no a@example.com', data: { uri: 'a@example.com' } },
      { code: -1, message: 'no ****', data: { uri: '****' } },
    ],
    ['log messages', { level: 'info', data: ['a@example.com'] }, { level: 'info', data: ['****'] }],
    [
      'progress',
      { progressToken: 1, progress: 0.5, message: 'a@example.com' },
      { progressToken: 1, progress: 0.5, message: '****' },
    ],
    [
      'prompts',
      { messages: [{ role: 'user', content: { type: 'text', text: 'a@example.com' } }] },
      { messages: [{ role: 'user', content: { type: 'text', text: '****' } }] },
    ],
    ['only a text', 'a@example.com', '****'],
  ])('has masks in %s', async (_, value, expected) => {
    expect(await screened([emails], value)).toEqual(expected);
  });

  it('is the same when no rule finds anything', async () => {
    const value = await json(
      '{"content":[{"type":"text","text":"{\\"a\\": [1.50, 9007199254740993]}"},{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],"structuredContent":{"a":1e400}}',
    );
    const result = await screenedResult(sessionWith(cards, emails).session, value);
    expect(result).toEqual({ kind: 'deliver', value });
    expect(result.kind === 'deliver' && result.value).toBe(value);
  });

  it('keeps numbers and names as they are beside a mask', async () => {
    const text = `{"structuredContent":{"__proto__":9007199254740993,"mail":"a@example.com","n":1e400}}`;
    const result = await screenedResult(sessionWith(emails).session, await json(text));
    expect(result.kind === 'deliver' && writeJson(result.value)).toBe(
      `{"structuredContent":{"__proto__":9007199254740993,"mail":"****","n":1e400}}`,
    );
  });

  it('has the same masks in structured content and in its text', async () => {
    const structured = { card: CARD, list: [`${CARD} and`, { mail: 'a@example.com' }] };
    const masked = { card: '****1111', list: ['****1111 and', { mail: '****' }] };
    for (const space of [0, 2, '\t']) {
      const text = JSON.stringify(structured, null, space);
      expect(await screened([cards, emails], { ...content(text), structuredContent: structured })).toEqual({
        ...content(JSON.stringify(masked, null, space)),
        structuredContent: masked,
      });
    }
  });

  it('has masks inside base64, in JSON in base64 and in base64 in JSON', async () => {
    const resource = (text: string) => ({ contents: [{ uri: 'file:///a', blob: base64(text) }] });
    expect(await screened([cards], resource(`card ${CARD}\n`))).toEqual(resource('card ****1111\n'));
    expect(await screened([cards], resource(JSON.stringify({ a: CARD })))).toEqual(
      resource(JSON.stringify({ a: '****1111' })),
    );
    expect(await screened([cards], content(JSON.stringify({ a: base64(`card ${CARD}`) })))).toEqual(
      content(JSON.stringify({ a: base64('card ****1111') })),
    );
  });

  it.each<[string, unknown, RegExp]>([
    ['a number', { structuredContent: { card: Number(CARD) } }, /number cannot be masked/],
    ['a number in a text', content(`{"card":${CARD}}`), /number cannot be masked/],
    ['a name', { structuredContent: { [CARD]: 1 } }, /name cannot be masked/],
    ['a name in a text', content(`{"${CARD}":1}`), /name cannot be masked/],
    ['a URI', { contents: [{ uri: `card:${CARD}`, text: 'x' }] }, /programs rely/],
    ['a cursor', { tools: [], nextCursor: CARD }, /programs rely/],
    ['base64 in a text', content(`see ${base64(`card ${CARD} `)} there`), /is encoded/],
    ['a data URL', content(`data:text/plain;base64,${base64(`card ${CARD}`)}`), /is encoded/],
    ['escapes', content(`a ${[...CARD].map((it) => `%3${it}`).join('')}`), /is encoded/],
    ['a JSON document with a name twice', content(`{"a":"\\u0034${CARD.slice(1)}","a":1}`), /is encoded/],
  ])('is blocked in words where a mask has no place: %s', async (_, value, words) => {
    expect(await screened([cards], value)).toMatch(words);
  });

  it('is blocked where a mask would make a document no JSON', async () => {
    const rule = pattern('"secret":"[^"]*"', masking);
    expect(await screened([rule], content('{"secret":"x","a":1}'))).toMatch(/would be no JSON/);
  });

  it('is blocked where texts are nested too deeply to be read', async () => {
    let text = 'plain words';
    for (let layer = 0; layer < 14; layer += 1) text = base64(text);
    expect(await screened([cards], content(`x ${text}`))).toMatch(/nested too deeply/);
  });

  it('is blocked by a rule that blocks, with its message, which is recorded', async () => {
    const { session, trail } = sessionWith(words(['geheim'], { message: 'Not this.' }));
    const result = await screenedResult(
      session,
      await json(JSON.stringify({ structuredContent: { a: ['GEHEIM'] } })),
    );
    expect(result).toEqual({ kind: 'blocked', message: 'Not this.', isRecorded: true });
    expect(trail.text).toBe('Not this.\n');
  });

  it('is blocked where a secret is spread over blocks, wherever it is cut', async () => {
    const text = `the card ${CARD} of somebody`;
    for (let cut = text.indexOf('4') + 1; cut < text.indexOf('4') + CARD.length; cut += 1) {
      const parts = [text.slice(0, cut), text.slice(cut)];
      expect(await screened([cards], content(...parts))).toMatch(/spread over/);
      const messages = parts.map((part) => ({ role: 'user', content: { type: 'text', text: part } }));
      expect(await screened([cards], { messages })).toMatch(/spread over/);
    }
    expect(await screened([words(['drop table'])], content('DROP', 'TABLE'))).toMatch(/guardrails/);
  });

  it('has masks in several blocks that stand side by side', async () => {
    const digits = pattern('\\d{4}', { ...masking, keep_last: 4 });
    expect(await screened([emails], content('write to a@example.com', 'next'))).toEqual(
      content('write to ****', 'next'),
    );
    expect(await screened([digits], content('pin 1234', 'and 5678 too'))).toEqual(
      content('pin ****', 'and **** too'),
    );
  });
});

describe('a mask under an output schema', () => {
  const outputSchema = (mail: object) => ({ type: 'object', properties: { mail } });
  const result = { structuredContent: { mail: 'a@example.com' } };

  it.each<[string, unknown]>([
    ['a text', outputSchema({ type: 'string' })],
    ['lengths that it has', outputSchema({ type: 'string', minLength: 2, maxLength: 20 })],
    ['a pattern that it matches', outputSchema({ pattern: '^[^ ]+$' })],
    ['a reference', { $defs: { mail: { type: 'string' } }, properties: { mail: { $ref: '#/$defs/mail' } } }],
    ['an enum elsewhere', { properties: { mail: {}, other: { enum: ['a'] } } }],
    ['true', true],
  ])('stays where the schema says %s', async (_, schema) => {
    expect(await screened([emails], result, schema)).toEqual({ structuredContent: { mail: '****' } });
  });

  it.each<[string, unknown]>([
    ['a format', outputSchema({ type: 'string', format: 'email' })],
    ['a minimal length', outputSchema({ minLength: 8 })],
    ['a pattern', outputSchema({ pattern: '@' })],
    ['a pattern that takes ages', outputSchema({ pattern: '(a+)+$(?=x)' })],
    ['an enum', outputSchema({ enum: ['a@example.com', 'b'] })],
    ['a constant', outputSchema({ const: 'a@example.com' })],
    ['one of two', outputSchema({ oneOf: [{ const: 'a@example.com' }, { type: 'string' }] })],
    ['not', outputSchema({ not: { maxLength: 5 } })],
    ['an enum of the whole', { enum: [{ mail: 'a@example.com' }] }],
    ['a reference to the network', outputSchema({ $ref: 'http://127.0.0.1:9/schema.json' })],
    ['a reference that ends nowhere', outputSchema({ $ref: '#/$defs/none' })],
    ['a dynamic reference', outputSchema({ $dynamicRef: '#x' })],
    ['a pattern of names', { patternProperties: { '^m': { minLength: 8 } } }],
    ['all other names', { additionalProperties: { minLength: 8 } }],
  ])('is a refusal in words where the schema says %s', async (_, schema) => {
    expect(await screened([emails], result, schema)).toMatch(/would not fit the output schema/);
  });

  it('is a refusal where the items of a list must differ', async () => {
    const value = { structuredContent: { mails: ['a@example.com', 'b@example.com'] } };
    const unique = { properties: { mails: { uniqueItems: true } } };
    expect(await screened([emails], value, unique)).toMatch(/output schema/);
  });

  it('ends also where the schema refers to itself, or is huge', async () => {
    const itself = { properties: { mail: { $ref: '#/properties/mail' } } };
    expect(await screened([emails], result, itself)).toEqual({ structuredContent: { mail: '****' } });
    const huge = outputSchema({
      anyOf: Array.from({ length: 5_000 }, (_, minLength) => ({ not: { minLength: -minLength } })),
    });
    expect(await screened([emails], result, huge)).toMatch(/output schema/);
  });
});
