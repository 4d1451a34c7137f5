import * as fc from '../../../test/support/fast-check';
import isIBAN, { locales } from 'validator/lib/isIBAN';
import { marked, unmarked } from '../../../test/support/marked-spans';
import { iban } from './iban';

// The examples of SWIFT's IBAN registry.
describe('the detector iban', () => {
  it.each([
    '«DE89370400440532013000»',
    '«DE89 3704 0044 0532 0130 00»',
    '«GB29 NWBK 6016 1331 9268 19»',
    '«FR14 2004 1010 0505 0001 3M02 606»',
    '«NO9386011117947»',
    '«BE68 5390 0754 7034»',
    '«MT84MALT011000012345MTLCAST001S»',
    '«LC55HEMM000100010012001200023015»',
    '«CH9300762011623852957»',
    '«NL91ABNA0417164300»',
    '«ES9121000418450200051332»',
    '«IT60X0542811101000000123456»',
    '«LY83002048000020100120361»',
    '«SA0380000000608010167519»',
    '«de89370400440532013000»',
    'to «DE89 3704 0044 0532 0130 00» was paid',
    '«DE89370400440532013000» EUR 500',
    '"\\n«DE89370400440532013000»"',
    '|«DE89370400440532013000»|«NL91ABNA0417164300»|',
    'IBAN:«DE89370400440532013000».',
  ])('finds %s', (shown) => {
    expect(marked(iban, unmarked(shown))).toBe(shown);
  });

  it.each([
    'DE89370400440532013001',
    'DE88370400440532013000',
    'DE8937040044053201300',
    'DE893704004405320130001',
    'DE89370400440532013000A',
    'XDE89370400440532013000',
    'XX89370400440532013000',
    'US64SVBKUS6S3300958879',
    'DE89  3704  0044  0532  0130  00',
    'DE 89 3704 0044 0532 0130 00',
    'DE89-3704-0044-0532-0130-00',
    'D389370400440532013000',
    'DE',
    'DE89',
    'AB12CD34EF56',
    '550e8400-e29b-41d4-a716-446655440000',
    'AKIAIOSFODNN7EXAMPLE',
    '4111111111111111',
    'NO15 this is some text',
    '',
  ])('does not find %s', (text) => {
    expect(marked(iban, text)).toBe(text);
  });

  it('agrees with the validator package on numbers of all countries', () => {
    const numbers = fc
      .tuple(
        fc.constantFrom(...locales),
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 28, maxLength: 28 }),
      )
      .chain(([country, digits]) =>
        fc.integer({ min: 11, max: 28 }).map((length) => withCheckDigits(country, digits.slice(0, length))),
      );
    let valid = 0;
    fc.assert(
      fc.property(numbers, (number) => {
        if (!isIBAN(number)) return;
        valid++;
        expect(marked(iban, number)).toBe(`«${number}»`);
        expect(marked(iban, number.replaceAll(/.{4}(?=.)/g, '$& '))).toContain('«');
      }),
      { numRuns: 10_000 },
    );
    expect(valid).toBeGreaterThan(fc.runs(150));
  });
});

/** Adds check digits. Computes them with one division of the whole number, as in the standard. */
function withCheckDigits(country: string, account: string): string {
  const letters = [...country].map((letter) => letter.charCodeAt(0) - 55).join('');
  const check = 98n - (BigInt(`${account}${letters}00`) % 97n);
  return `${country}${String(check).padStart(2, '0')}${account}`;
}
