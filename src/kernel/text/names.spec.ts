import * as fc from '../../../test/support/fast-check';
import { isName, normalizedName, visibleName } from './names';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: fc.constantFrom('e', '\u0301', ' ', '\u00A0', '\u200B', '\u202E', 'Å', '\u212B', '.') }),
);

describe('names', () => {
  it.each([
    ['cafe\u0301', 'caf\u00E9'],
    ['\u212B', '\u00C5'],
    [' \t demo\u00A0\uFEFF\n', 'demo'],
    ['a b', 'a b'],
  ])('%j is stored as %j', (given, stored) => {
    expect(normalizedName(given)).toBe(stored);
  });

  it.each([
    ['a control character', 'a\u0007b'],
    ['NUL', 'a\0'],
    ['a line break', 'a\nb'],
    ['a soft hyphen', 'pi\u00ADi'],
    ['a zero-width space', 'pii\u200B'],
    ['a zero-width joiner', 'p\u200Dii'],
    ['a bidirectional override', 'pii\u202E'],
    ['a bidirectional isolate', '\u2066pii'],
    ['an Arabic letter mark', 'a\u061C'],
    ['a byte order mark inside', 'p\uFEFFii'],
    ['a Hangul filler', 'pii\u3164'],
    ['a variation selector', 'pii\uFE0F'],
    ['a tag character', 'pii\u{E0041}'],
    ['a combining grapheme joiner', 'p\u034Fii'],
    ['a blank Braille pattern', 'pii\u2800'],
    ['a no-break space inside', 'a\u00A0b'],
    ['a private-use character', 'a\uE000'],
    ['half a character', 'a\uD800'],
    ['one dot', '.'],
    ['two dots', '..'],
  ])('%s is no part of a name', (_, name) => {
    expect(isName(name)).toBe(false);
  });

  it.each(['pii', 'two words', 'café', '…', 'a.b', '...', '部署', 'données-sensibles', '🙂', 'ａｄｍｉｎ'])(
    '%s is a name',
    (name) => {
      expect(isName(normalizedName(name))).toBe(true);
    },
  );

  it('normalizing twice is normalizing once', () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = normalizedName(given);
        expect(normalizedName(once)).toBe(once);
        expect(visibleName(visibleName(given))).toBe(visibleName(given));
      }),
      { numRuns: 2_000 },
    );
  });

  it('names are what is seen of them', () => {
    fc.assert(
      fc.property(text, (given) => {
        const name = normalizedName(given);
        if (isName(name)) expect(visibleName(given)).toBe(name);
      }),
      { numRuns: 2_000 },
    );
  });

  it('what is seen has nothing invisible', () => {
    fc.assert(
      fc.property(text, (given) => {
        const seen = visibleName(given);
        expect(isName(seen) || seen === '.' || seen === '..').toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
