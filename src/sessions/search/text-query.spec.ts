import * as fc from '../../../test/support/fast-check';
import { readTextQuery, textQueryRule } from './text-query';

const terms = (text: string) =>
  readTextQuery(text).terms.map(
    ({ words, goesOn, isExcluded }) => `${isExcluded ? '-' : '+'}${words}${goesOn ? ' …' : ''}`,
  );

describe('a search query', () => {
  it.each([
    ['drop  table', ['+drop', '+table']],
    ['"drop table" -temp', ['+drop table', '-temp']],
    ['-"a b"c', ['-a b', '+c']],
    ['public.ord* -x', ['+public.ord* …', '-x']],
    ['"ord*"', ['+ord*']],
    ['ord.*', ['+ord.*']],
    ['"never closed', ['+never closed']],
    ['a-b -- c', ['+a-b', '+c']],
    ['= * "" - & a', ['+a']],
  ])('%s', (text, expected) => expect(terms(text)).toEqual(expected));

  it('is read, or refused in words, whatever it is', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 210 }),
      fc
        .array(fc.constantFrom('-', '"', '*', ' ', 'ab', 'é', '東', '.', '\0'), { maxLength: 80 })
        .map((it) => it.join('')),
    );
    fc.assert(
      fc.property(text, (given) => {
        const rule = textQueryRule(given);
        if (rule !== undefined) {
          expect(rule).toMatch(/^(be|have) /);
          return;
        }
        const read = readTextQuery(given);
        expect(read.text).toBe(given);
        expect(read.terms.some(({ isExcluded }) => !isExcluded)).toBe(true);
        for (const { words } of read.terms) expect(given).toContain(words);
      }),
    );
  });
});
