import * as fc from '../../../test/support/fast-check';
import isCreditCard from 'validator/lib/isCreditCard';
import isLuhnNumber from 'validator/lib/isLuhnNumber';
import { marked, unmarked } from '../../../test/support/marked-spans';
import { paymentCard } from './payment-card';

/**
 * Card networks without Mastercard, because `validator` checks only a part of its prefix and not its length.
 */
const PROVIDERS = ['amex', 'dinersclub', 'discover', 'jcb', 'unionpay', 'visa'] as const;

// Test numbers that the card networks and payment providers publish.
describe('the detector payment_card', () => {
  it.each([
    '«4111111111111111»',
    '«4111 1111 1111 1111»',
    '«4111-1111-1111-1111»',
    '«4222222222222»',
    '«4012888888881881»',
    '«5555555555554444»',
    '«5105105105105100»',
    '«2223003122003222»',
    '«378282246310005»',
    '«3782 822463 10005»',
    '«30569309025904»',
    '«38520000023237»',
    '«6011111111111117»',
    '«3530111333300000»',
    '«6200000000000005»',
    '«6759649826438453»',
    '«2200000000000004»',
    'card «4111111111111111» 123',
    '1234 «4111 1111 1111 1111»',
    '7,«4111111111111111»,2027-05',
    '"x\\n«4111111111111111»\\n"',
    '|«4111111111111111»|«5555555555554444»|',
    '«4111111111111111».',
    'x«4111111111111111»y',
    '«4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1»',
    '«4,111,111,111,111,111»',
    '«4.111.111.111.111.111»',
    '«4_111_111_111_111_111»',
    '«4111/1111/1111/1111»',
    '«4111.1111.1111.1111»',
    '«4111_1111_1111_1111»',
    "«4'111'111'111'111'111»",
    '«3782_822463_10005»',
    '1,«4111111111111111»,411,111',
    '«4.111111111111111e+15»',
    '«4.111111111111111E15»',
    '«4.1111111111111115e+15»',
    '{"n":«4.111111111111111e15»}',
    '«41111111-1111-1111»-0000-000000000000',
  ])('finds %s', (shown) => {
    expect(marked(paymentCard, unmarked(shown))).toBe(shown);
  });

  it.each([
    '4111111111111112',
    '411111111111111',
    '0000000000000000',
    '1111111111111111',
    '9999999999999995',
    '7000000000000005',
    '14111111111111111',
    '41111111111111110000',
    '4111  1111  1111  1111',
    '4111\t1111\t1111\t1111',
    '4,111.111,111.111,111',
    '411,111,111,111',
    '4.111111111111112e+15',
    '4.111111111111111e+25',
    '4.1e+15',
    '14.111111111111111e+15',
    'ad585302-2793-4442-bf30-6146025c29df',
    '0.4111111111111111',
    '1700000000000',
    '1700000000000000',
    '2024-01-02 10:11:12.123456',
    '550e8400-e29b-41d4-a716-446655440000',
    '192.168.100.200',
    '+1 415 555 2671',
    'DE89 3704 0044 0532 0130 00',
    '',
  ])('does not find %s', (text) => {
    expect(marked(paymentCard, text)).toBe(text);
  });

  it('agrees with the validator package on every number that it takes for a card', () => {
    const digits = fc
      .tuple(
        fc.constantFrom(
          '4',
          '34',
          '37',
          '300',
          '305',
          '36',
          '38',
          '6011',
          '65',
          '2131',
          '1800',
          '3528',
          '62',
          '81',
          '55',
          '2221',
        ),
        fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 16, maxLength: 16 }),
        fc.integer({ min: 13, max: 19 }),
      )
      .map(([prefix, rest, length]) => (prefix + rest).slice(0, length - 1))
      .map((body) => body + [...'0123456789'].find((digit) => isLuhnNumber(body + digit))!);
    let cards = 0;
    fc.assert(
      fc.property(digits, (number) => {
        const isCard = PROVIDERS.some((provider) => isCreditCard(number, { provider }));
        if (isCard) cards++;
        if (isCard) expect(marked(paymentCard, number)).toBe(`«${number}»`);
        const wrong = number.slice(0, -1) + ((Number(number.at(-1)) + 1) % 10);
        expect(marked(paymentCard, wrong)).toBe(wrong);
      }),
      { numRuns: 3_000 },
    );
    expect(cards).toBeGreaterThan(fc.runs(500));
  });
});
