import * as fc from '../../../test/support/fast-check';
import { readJson } from '../../kernel/json/json';
import type { ListedTool } from '../../gate/ports/tool-registry';
import { definitionsOf } from './tool-definition';

const read = async (text: string): Promise<ListedTool> => (await readJson(Buffer.from(text))) as ListedTool;
const fingerprintOf = async (tool: ListedTool): Promise<string | undefined> =>
  [...(await definitionsOf([tool])).values()][0]?.fingerprint;

const TOOL = '{"name":"a","description":"d","inputSchema":{"type":"object","maximum":1}}';

// promises: TOOL-5
describe('the fingerprint of a tool', () => {
  it.each<[string, string]>([
    ['the name', TOOL.replace('"a"', '"b"')],
    ['the title', TOOL.replace('{"name"', '{"title":"t","name"')],
    ['the description', TOOL.replace('"d"', '"d "')],
    ['an invisible character', TOOL.replace('"d"', '"d\\u200b"')],
    ['a schema', TOOL.replace('"object"', '"array"')],
    ['a number that no double holds', TOOL.replace('maximum":1', 'maximum":9007199254740993')],
    ['the schema of results', TOOL.replace('{"name"', '{"outputSchema":{},"name"')],
    ['the annotations', TOOL.replace('{"name"', '{"annotations":{"readOnlyHint":true},"name"')],
    ['an empty title beside none', TOOL.replace('{"name"', '{"title":"","name"')],
  ])('changes with %s', async (_, changed) => {
    expect(changed).not.toBe(TOOL);
    expect(await fingerprintOf(await read(changed))).not.toBe(await fingerprintOf(await read(TOOL)));
  });

  it.each<[string, string]>([
    [
      'another order and space',
      '{ "inputSchema":{"maximum":1, "type":"object"},"description":"d", "name":"a" }',
    ],
    [
      'another spelling of numbers and texts',
      TOOL.replace('maximum":1', 'maximum":1.0').replace('"d"', '"\\u0064"'),
    ],
    [
      'fields that are no part of the definition',
      TOOL.replace('{"name"', '{"_meta":{"x":1},"icons":[],"name"'),
    ],
  ])('does not change with %s', async (_, same) => {
    expect(await fingerprintOf(await read(same))).toBe(await fingerprintOf(await read(TOOL)));
  });

  it('differs for any two numbers that differ', async () => {
    const number = fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n });
    await fc.assert(
      fc.asyncProperty(number, number, async (a, b) => {
        const [one, other] = await Promise.all(
          [a, b].map(async (n) => fingerprintOf(await read(TOOL.replace('maximum":1', `maximum":${n}`)))),
        );
        return (one === other) === (a === b);
      }),
    );
  });
});

// promises: TOOL-6
describe('tools that cannot be kept', () => {
  it.each<[string, string]>([
    ['without a name', '{"description":"d"}'],
    ['with an empty name', '{"name":""}'],
    ['with a name that is no text', '{"name":1}'],
    ['with NUL in the name', '{"name":"a\\u0000"}'],
    ['with half a character in the name', '{"name":"a\\ud800"}'],
    ['with a long name', `{"name":"${'x'.repeat(257)}"}`],
    ['with 10 kB of a name', `{"name":"${'x'.repeat(10_240)}"}`],
    ['with very many values', `{"name":"a","inputSchema":{"enum":[${'1,'.repeat(70_000)}1]}}`],
    ['with 10 MB of one text', `{"name":"a","description":"${'x'.repeat(10_000_000)}"}`],
    ['with a large schema', `{"name":"a","inputSchema":{"description":"${'x'.repeat(70_000)}"}}`],
  ])('are left out: %s', async (_, text) => {
    // The JSON reader refuses some of these tools, so they never get here.
    const tool = await read(text).catch(() => undefined);
    expect((await definitionsOf(tool === undefined ? [] : [tool])).size).toBe(0);
  });

  it('are left out behind the first 2000 names', async () => {
    const tools = await Promise.all(
      Array.from({ length: 2_500 }, (_, index) => read(`{"name":"t${index}"}`)),
    );
    expect([...(await definitionsOf(tools)).keys()]).toEqual(tools.slice(0, 2_000).map(({ name }) => name));
  });

  it('are left out if a list has them twice with two definitions, and kept if they are the same', async () => {
    const [tool, other] = [await read(TOOL), await read(TOOL.replace('"d"', '"e"'))];
    expect((await definitionsOf([tool, other, tool])).size).toBe(0);
    expect((await definitionsOf([tool, tool])).size).toBe(1);
    const large = await read(TOOL.replace('"d"', `"${'x'.repeat(70_000)}"`));
    expect((await definitionsOf([tool, large])).size).toBe(0);
    expect((await definitionsOf([large, tool])).size).toBe(0);
    const many = await Promise.all(Array.from({ length: 2_500 }, (_, index) => read(`{"name":"t${index}"}`)));
    expect((await definitionsOf([tool, ...many, other])).has('a')).toBe(false);
  });
});
