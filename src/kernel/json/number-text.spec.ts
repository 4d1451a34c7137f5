import * as fc from '../../../test/support/fast-check';
import { volume } from '../../../test/support/volume';
import { numberTexts, read } from '../../../test/support/json/documents';
import { JsonNumber, writeJson } from './json';

describe('a number', () => {
  it.each([
    ['0', 0],
    ['-1', -1],
    ['1.50', 1.5],
    ['1e2', 100],
    ['1E+2', 100],
    ['0.1', 0.1],
    ['0e9999', 0],
    ['4.111111111111111e15', 4111111111111111],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992],
    ['100000000000000000000000', 1e23],
    ['1.7976931348623157e308', Number.MAX_VALUE],
    ['5e-324', Number.MIN_VALUE],
  ])('%s is a double', (text, value) => {
    expect(read(text)).toBe(value);
  });

  it.each([
    '9007199254740993',
    '-9223372036854775808',
    '18446744073709551615',
    '0.1000000000000000055511151231257827',
    '1e400',
    '-1e400',
    '1e-400',
    '123456789012345678901234567890',
    '4.9e-324',
    '-0',
    '-0.0e5',
  ])('%s is kept as it is written', (text) => {
    expect(read(text)).toEqual(new JsonNumber(text));
    expect(writeJson(read(`{"a":[${text}]}`))).toBe(`{"a":[${text}]}`);
  });

  it('never changes its value between reading and writing', () => {
    fc.assert(
      fc.property(numberTexts, (text) => {
        expect(exact(writeJson(read(text)))).toBe(exact(text));
      }),
      { numRuns: volume(3_000, 100_000) },
    );
  });

  it('is written as it is by writeJson alone; JSON.stringify writes a text, which is not rounded', () => {
    expect(JSON.stringify(read('[9007199254740993]'))).toBe('["9007199254740993"]');
    expect(writeJson(read('["9007199254740993", 9007199254740993]'))).toBe(
      '["9007199254740993",9007199254740993]',
    );
  });
});

/** The value as an integer times a power of ten, computed independently of the tested code. */
function exact(text: string): string {
  const [mantissa = '', power = '0'] = text.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let digits = BigInt(`${whole}${fraction}`.replace('-', ''));
  let exponent = BigInt(power) - BigInt(fraction.length);
  while (digits !== 0n && digits % 10n === 0n) {
    digits /= 10n;
    exponent += 1n;
  }
  return `${text.startsWith('-') ? '-' : ''}${digits}e${digits === 0n ? 0n : exponent}`;
}
