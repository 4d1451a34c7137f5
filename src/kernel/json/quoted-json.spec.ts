import * as fc from '../../../test/support/fast-check';
import { atOnce } from '../async/time-slice';
import { isJsonInSteps, quotedJson } from './quoted-json';

const json = (text: string): string | undefined => atOnce(quotedJson(text));

describe('quotedJson', () => {
  it.each([
    ['{"card" : ****1111, "n" : 1}', '{"card" : "****1111", "n" : 1}'],
    ['[****, -****, 1e****, ****5]', '["****", "-****", "1e****", "****5"]'],
    ['****', '"****"'],
    ['{"a": "****1111", "****": [null, true, ****]}', '{"a": "****1111", "****": [null, true, "****"]}'],
    ['{"a": ****\\}', String.raw`{"a": "****\\"}`],
    [' [ ] ', ' [ ] '],
  ])('%s becomes %s', (text, after) => {
    expect(json(text)).toBe(after);
  });

  it.each([
    '{"a": 1****',
    '{****}',
    '{"a"****1}',
    '"a****',
    '[1 ****]',
    String.raw`"\u00****"`,
    String.raw`"\"`,
    '',
    '[1,]',
    '[,]',
    '{"a"}',
    '{"a":}',
    '{"a":1,}',
    '[}',
    ']',
    '[1] 2',
    '"a\u0000"',
    '{****: 1}',
    '1 2',
    '\u00a01',
  ])('%j is no JSON', (text) => {
    expect(json(text)).toBeUndefined();
  });

  it('leaves JSON as it is, with and without white space', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 0, max: 3 }), (text, indent) => {
        const spaced = JSON.stringify(JSON.parse(text), undefined, indent);
        expect(json(spaced)).toBe(spaced);
      }),
    );
  });

  it('gives JSON or nothing for any document with a mask at any place', () => {
    const mask = fc.tuple(fc.json(), fc.nat(), fc.nat({ max: 12 }), fc.constantFrom('****', '****1'));
    fc.assert(
      fc.property(mask, ([text, place, length, replacement]) => {
        const start = place % (text.length + 1);
        const masked = text.slice(0, start) + replacement + text.slice(start + length);
        const after = json(masked);
        const isJson = (given: string): boolean => {
          try {
            JSON.parse(given);
            return true;
          } catch {
            return false;
          }
        };
        if (after !== undefined) expect(isJson(after)).toBe(true);
        if (isJson(masked)) expect(after).toBe(masked);
        expect(atOnce(isJsonInSteps(masked))).toBe(isJson(masked));
      }),
    );
  });

  it('takes a string of a million escapes, and a million levels', () => {
    const long = JSON.stringify('\n'.repeat(1_000_000));
    expect(json(long)).toBe(long);
    const deep = `${'['.repeat(1_000_000)}****${']'.repeat(1_000_000)}`;
    expect(json(deep)).toBe(deep.replace('****', '"****"'));
  });
});
