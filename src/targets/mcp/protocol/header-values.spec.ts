import * as fc from '../../../../test/support/fast-check';
import { decodeHeaderValue, encodeHeaderValue } from './header-values';

describe('a value in a header', () => {
  it.each([
    ['us-west1', 'us-west1'],
    ['Hello, 世界', '=?base64?SGVsbG8sIOS4lueVjA==?='],
    [' padded ', '=?base64?IHBhZGRlZCA=?='],
    ['line1\nline2', '=?base64?bGluZTEKbGluZTI=?='],
    ['=?base64?literal?=', '=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?='],
    ['a b\tc', 'a b\tc'],
    ['=?BASE64?eA==?=', '=?BASE64?eA==?='],
    ['', '=?base64??='],
    ['=?base64?=', '=?base64?PT9iYXNlNjQ/PQ==?='],
    ['\0', '=?base64?AA==?='],
  ])('%j is written as %s', (value, header) => {
    expect(encodeHeaderValue(value)).toBe(header);
    expect(decodeHeaderValue(header)).toBe(value);
  });

  it('comes back as it was, whatever it is, and never breaks a line', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (value) => {
        const header = encodeHeaderValue(value);
        expect(header).toMatch(/^[\x20-\x7e\t]+$/);
        expect(decodeHeaderValue(header)).toBe(value.toWellFormed());
      }),
      { numRuns: 2_000, examples: [[''], ['\uFEFF'], ['\uFEFFa'], ['\uFFFD'], ['a\ud800'], ['=?base64??=']] },
    );
  });

  it('is plain where it may be', () => {
    expect(decodeHeaderValue('')).toBe('');
    expect(decodeHeaderValue('=?base64?x')).toBe('=?base64?x');
  });

  it.each([
    ['base64 without its padding', '=?base64?SGVsbG8?='],
    ['padding that is not canonical', '=?base64?SGVsbH==?='],
    ['padding and more', '=?base64?SGk=SGk=?='],
    ['base64 with a space', '=?base64?SGVs bG8=?='],
    ['the alphabet of URLs', '=?base64?-_-_?='],
    ['no base64 at all', '=?base64?*?='],
    ['bytes that are not UTF-8', '=?base64?gA==?='],
    ['UTF-8 that is too long', '=?base64?wIA=?='],
    ['half of a surrogate pair', '=?base64?7aCA?='],
    ['marks that overlap', '=?base64?='],
    ['a carriage return', 'a\rb'],
    ['a line feed', 'a\nMcp-Name: b'],
    ['NUL', 'a\0b'],
    ['bytes above ASCII', 'caf\xe9'],
    ['a space at its begin', ' a'],
    ['a tab at its end', 'a\t'],
  ])('is none with %s', (_, header) => {
    expect(decodeHeaderValue(header)).toBeUndefined();
  });

  it('has one encoded form only', () => {
    fc.assert(
      fc.property(
        fc.base64String({ maxLength: 24 }),
        fc.nat(30),
        fc.constantFrom('A', 'B', '=', '+', '/'),
        (base, at, c) => {
          const header = `=?base64?${base.slice(0, at)}${c}${base.slice(at)}?=`;
          const value = decodeHeaderValue(header);
          if (value === undefined) return;
          const again = `=?base64?${Buffer.from(value).toString('base64')}?=`;
          expect(again).toBe(header);
        },
      ),
      // The examples encode U+FEFF, which some decoders drop, and U+FFFD.
      {
        numRuns: 2_000,
        examples: [
          ['77u', 3, '/'],
          ['77+9', 0, 'A'],
          ['77+', 3, 'B'],
          ['', 0, '='],
        ],
      },
    );
  });
});
