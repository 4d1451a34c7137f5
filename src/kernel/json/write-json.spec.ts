import * as fc from '../../../test/support/fast-check';
import { volume } from '../../../test/support/volume';
import { documents, faultOf, read } from '../../../test/support/json/documents';
import { canonicalJson, type Json, writeJson } from './json';

describe('writeJson', () => {
  it('writes what was read', () => {
    fc.assert(
      fc.property(documents, (text) => {
        fc.pre(faultOf(text) === undefined);
        const written = writeJson(read(text));
        expect(read(written)).toEqual(read(text));
        expect(written).toBe(writeJson(read(written)));
      }),
      { numRuns: volume(1_000, 20_000) },
    );
  });
});

describe('canonicalJson', () => {
  // The example of RFC 8785, 3.2.2 and 3.2.3.
  it('is that of RFC 8785', () => {
    const numbers = '[333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001]';
    expect(canonicalJson(JSON.parse(numbers) as Json)).toBe('[333333333.3333333,1e+30,4.5,0.002,1e-27]');
    expect(
      canonicalJson(
        read(
          String.raw`{"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null, true, false]}`,
        ),
      ),
    ).toBe(String.raw`{"literals":[null,true,false],"string":"€$\u000f\nA'B\"\\\\\"/"}`);
    const names = String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`;
    expect(canonicalJson(read(names))).toBe(
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"\u{1F600}":5,"\ufb33":3}',
    );
  });

  it('is one for all spellings and orders of a value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.func(fc.nat()), (value, order) => {
        const shuffled = (it: unknown): unknown => {
          if (Array.isArray(it)) return it.map(shuffled);
          if (typeof it !== 'object' || it === null) return it;
          const fields = Object.entries(it).map(([name, inner]) => [name, shuffled(inner)] as const);
          return Object.fromEntries(fields.toSorted(([a], [b]) => order(a) - order(b)));
        };
        const text = JSON.stringify(value);
        fc.pre(faultOf(text) === undefined);
        const other = JSON.stringify(shuffled(value), null, 2);
        expect(canonicalJson(read(other))).toBe(canonicalJson(read(text)));
        expect(JSON.parse(canonicalJson(read(text)))).toEqual(JSON.parse(text));
      }),
      { numRuns: volume(500, 10_000) },
    );
  });

  it('tells numbers apart that a double does not', () => {
    expect(canonicalJson(read('9007199254740993'))).not.toBe(canonicalJson(read('9007199254740992')));
    expect(canonicalJson(read('[-0, -0.0]'))).toBe('[0,0]');
    expect(() => canonicalJson(Number.NaN)).toThrow(TypeError);
  });
});
