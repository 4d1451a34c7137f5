import * as fc from '../../../test/support/fast-check';
import { type Json, canonicalJson, readJson } from '../../kernel/json/json';
import { MAX_DIFFERENCES, differencesOf } from './tool-differences';

const json = async (value: unknown): Promise<Json> => readJson(Buffer.from(JSON.stringify(value)));

// promises: TOOL-7
describe('the differences of two definitions', () => {
  it('are listed field by field, with the old and the new value', async () => {
    const before = await json({
      name: 'send',
      description: 'Sends a mail.',
      inputSchema: { properties: { to: { type: 'string' }, 'a/b~': 1 }, required: ['to'] },
    });
    const after = await json({
      name: 'send',
      description: 'Sends a mail, and a copy to me.',
      inputSchema: { properties: { to: { type: 'string', default: 'x' }, 'a/b~': '1' } },
      annotations: { readOnlyHint: true },
    });
    expect(differencesOf(before, after)).toEqual([
      { path: '/annotations', before: null, after: '{"readOnlyHint":true}' },
      { path: '/description', before: 'Sends a mail.', after: 'Sends a mail, and a copy to me.' },
      { path: '/inputSchema/properties/a~1b~0', before: '1', after: '1' },
      { path: '/inputSchema/properties/to/default', before: null, after: 'x' },
      { path: '/inputSchema/required', before: '["to"]', after: null },
    ]);
    expect(differencesOf(undefined, await json({ name: 'a' }))).toEqual([
      { path: '/name', before: null, after: 'a' },
    ]);
  });

  it('are empty exactly if the definitions are the same', async () => {
    const object = fc.dictionary(
      fc.constantFrom('a', 'b', '__proto__', 'constructor'),
      fc.jsonValue({ maxDepth: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(object, object, async (a, b) => {
        const [one, other] = [await json(a), await json(b)];
        const isSame = canonicalJson(one) === canonicalJson(other);
        return (differencesOf(one, other).length === 0) === isSame && differencesOf(one, one).length === 0;
      }),
    );
  });

  it('are bounded', async () => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`n${index}`, index]));
    expect(differencesOf(undefined, await json(many))).toHaveLength(MAX_DIFFERENCES);
  });
});
