import { createHash } from 'node:crypto';
import * as fc from '../../../test/support/fast-check';
import { documents, faultOf, read } from '../../../test/support/json/documents';
import { volume } from '../../../test/support/volume';
import { canonicalHash, canonicalJson, emptyObject, type Json } from './json';

const plainly = (value: Json): string => createHash('sha256').update(canonicalJson(value)).digest('hex');
const hashed = async (value: Json): Promise<string> => (await canonicalHash(value)).toString('hex');

function manyNames(count: number, name: (index: number) => string): Json {
  const object = emptyObject();
  for (let index = 0; index < count; index += 1) object[name(index)] = index;
  return object;
}

describe('the hash of canonical JSON', () => {
  it('is that of the text', async () => {
    await fc.assert(
      fc.asyncProperty(documents, async (text) => {
        fc.pre(faultOf(text) === undefined);
        expect(await hashed(read(text))).toBe(plainly(read(text)));
      }),
      { numRuns: volume(200, 5_000) },
    );
  });

  it.each<[string, Json]>([
    ['60 000 names, in no order', manyNames(60_000, (index) => `name ${(index * 7_919) % 60_013}`)],
    [
      'names that begin alike',
      { deep: [manyNames(5_000, (index) => `${'x'.repeat(300)}${index}`), 1, null] },
    ],
    ['names of other letters', manyNames(9_000, (index) => String.fromCodePoint(0x1_f300 + index, 0x61))],
    ['a long text', { text: '"\u{1F4A9}\n'.repeat(300_000), rest: [true, 'short'] }],
    ['many numbers', Array.from({ length: 90_000 }, (_, index) => index / 8)],
    ['nothing in much', [Array.from({ length: 90_000 }, () => [])]],
  ])('is that of the text for %s', async (_, value) => {
    const answer = canonicalHash(value);
    expect(answer).toBeInstanceOf(Promise);
    expect((await answer).toString('hex')).toBe(plainly(value));
  });

  it('gives turns to others', async () => {
    let turns = 0;
    let isOver = false;
    const count = (): void => {
      turns += 1;
      if (!isOver) setImmediate(count);
    };
    count();
    await canonicalHash(manyNames(60_000, (index) => `name ${(index * 7_919) % 60_013}`));
    isOver = true;
    expect(turns).toBeGreaterThan(5);
  });
});
