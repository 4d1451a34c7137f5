import * as fc from '../../../test/support/fast-check';
import { type ByteClass, anyCase, byteClass, sourceOf } from './byte-class';
import { BLOCK, ByteScanner } from './byte-scanner';

const search = {
  sequences: [
    anyCase('salary'),
    anyCase('ssn'),
    [byteClass('0-9'), byteClass('0-9'), byteClass('-'), byteClass('0-9')],
    ...['token', 'passwd', 'canary', 'zebra', 'quartz', 'jumbo', 'vixen', 'wizard', 'xylem'].map(anyCase),
  ],
  singles: byteClass('@~'),
};
const naive = new RegExp(
  [sourceOf(search.singles), ...search.sequences.map((one) => one.map(sourceOf).join(''))].join('|'),
);
const scanner = ByteScanner.of(search)!;

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      'sal',
      'ary',
      'SALARY',
      'ss',
      'n',
      '12',
      '-',
      '3',
      'toke',
      'passwd',
      '@',
      '~',
      'zebr',
      'A',
      '\n',
    ),
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 3 }),
    fc.nat({ max: 40 }).map((count) => '.'.repeat(count)),
  ),
  { maxLength: 12 },
);

describe('the byte scanner', () => {
  it('finds each sequence and each single byte at every place, and nothing else', () => {
    for (const hit of ['salary', 'sAlArY', 'ssn', '12-3', 'WIZARD', '@', '~']) {
      for (let before = 0; before < 3 * BLOCK; before++) {
        for (const after of [0, 1, BLOCK, 2 * BLOCK + 1]) {
          const text = '.'.repeat(before) + hit + '.'.repeat(after);
          expect([text, scanner.isFound(scanner.put(text))]).toEqual([text, true]);
          const cut = '.'.repeat(before) + hit.slice(0, -1) + '.'.repeat(after);
          expect([cut, scanner.isFound(scanner.put(cut))]).toEqual([cut, false]);
        }
      }
    }
  });

  it('comes to what a plain search of the same comes to', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = parts.join('');
        expect(scanner.isFound(scanner.put(text))).toBe(naive.test(text));
        expect(scanner.isFound(scanner.putBytes(Buffer.from(text)))).toBe(naive.test(text));
      }),
      { numRuns: 2_000 },
    );
  });

  it('finds a sequence that is shorter than what is compared, whatever comes behind', () => {
    for (const after of ['é', 'ÿ', '日', '\u{1f600}', '\x7f', '\0', '']) {
      expect([after, scanner.isFound(scanner.put(`ssn${after}`))]).toEqual([after, true]);
    }
  });

  it('does not see the text that was there before, nor the tables of others', () => {
    const other = ByteScanner.of({ sequences: [anyCase('other')], singles: byteClass('') })!;
    scanner.put('salary '.repeat(100));
    expect(scanner.isFound(scanner.put('nothing'))).toBe(false);
    expect(other.isFound(other.put('a salary'))).toBe(false);
    expect(other.isFound(other.put('another'))).toBe(true);
    expect(scanner.isFound(scanner.put('another'))).toBe(false);
    expect(scanner.isFound(scanner.put('a salary'))).toBe(true);
  });

  it('is not made where it would not pay', () => {
    const of = (...sequences: ByteClass[][]) => ByteScanner.of({ sequences, singles: byteClass('') });
    expect(of(anyCase('e'))).toBeUndefined();
    expect(of([byteClass('a-z'), byteClass('a-z'), byteClass('a-z')])).toBeUndefined();
    expect(of(...Array.from({ length: 65 }, (_, index) => anyCase(`word${index}`)))).toBeUndefined();
    expect(of(anyCase('secret'))).toBeDefined();
  });

  it('takes no date with a time for a run, wherever it stands', () => {
    for (let before = 0; before < 40; before += 1) {
      const text = `${'.'.repeat(before)}2026-01-01 00:00:00+00 and 2026-12-31 23:59`;
      expect([before, scanner.nextRun(0, scanner.put(text))]).toEqual([before, -1]);
    }
  });

  it('finds a run of 13 digits wherever it stands, and none where none is', () => {
    const run = /(?:\d[ -]?){12}\d/;
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '1',
            '22',
            '333',
            ' ',
            '-',
            '  ',
            '.',
            'x',
            '4444444',
            '.'.repeat(17),
            '2026-01-01 0',
          ),
          { maxLength: 40 },
        ),
        (parts) => {
          const text = parts.join('');
          const length = scanner.put(text);
          const block = scanner.nextRun(0, length);
          const found = run.exec(text);
          if (found !== null) {
            expect(block).toBeGreaterThanOrEqual(0);
            expect(block).toBeLessThanOrEqual(found.index + found[0].length);
          } else if (block >= 0) {
            // The scanner counts separators as digits, so 14 characters in a row may have fewer than 14
            // digits.
            expect(text.slice(0, block + BLOCK)).toMatch(/[\d -]{14}/);
          }
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
