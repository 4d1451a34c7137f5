import * as fc from '../../../test/support/fast-check';
import { fold, isWordCharacter } from './folding';

const everyCharacter = Array.from({ length: 0x2_0000 }, (_, point) => point)
  .filter((point) => point < 0xd800 || point > 0xdfff)
  .map((point) => String.fromCodePoint(point));

describe('case folding', () => {
  it('takes the same letters for the same as V8 does with /iu', () => {
    const withCase = everyCharacter.filter((letter) =>
      /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u.test(letter),
    );
    const all = withCase.join('');
    const groups = new Map<string, string>();
    for (const letter of withCase) groups.set(fold(letter), (groups.get(fold(letter)) ?? '') + letter);
    const differences: string[] = [];
    for (const letter of withCase) {
      const same = all.match(new RegExp(`\\u{${letter.codePointAt(0)!.toString(16)}}`, 'giu')) ?? [];
      const ours = groups.get(fold(letter));
      if (same.join('') !== ours) differences.push(`${letter}: ${same.join('')}, not ${ours}`);
    }
    expect(withCase.length).toBeGreaterThan(2_500);
    expect(differences).toEqual([]);
  });

  it('leaves what has no case, and lengths, as they are', () => {
    for (const letter of everyCharacter) {
      const folded = fold(letter);
      if (folded.length !== letter.length) throw new Error(`${letter} changes its length`);
      if (folded !== letter && !/\p{Changes_When_Casemapped}/u.test(letter))
        throw new Error(`${letter} changes`);
    }
    expect(fold('İıßŉ')).toBe('İıßŉ');
  });

  it.each([
    ['DROP Table;1', 'drop table;1'],
    ['Σσς', 'σσσ'],
    ['\u212a\u017f\u00b5', 'ksμ'],
    ['\u{10400}\u{1e900}', '\u{10428}\u{1e922}'],
    ['x\ud801', 'x\ud801'],
    ['\udc00X', '\udc00x'],
    ['', ''],
  ])('folds %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  it('folds a text as it folds its characters, also when halves of characters stand alone', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.boolean(), (text, cut) => {
        const given = cut ? text.slice(1) : text;
        expect(fold(given)).toBe(Array.from(given, fold).join(''));
        expect(fold(fold(given))).toBe(fold(given));
      }),
    );
    const long = 'Ä\u{10400}'.repeat(10_000);
    expect(fold(long)).toBe('ä\u{10428}'.repeat(10_000));
  });
});

describe('isWordCharacter', () => {
  it.each(['a', 'Z', '7', '_', 'é', '\u0301', '²', 'Ж', '漢'])('holds for %s', (sign) => {
    expect(isWordCharacter(`-${sign}-`, 1)).toBe(true);
  });

  it.each([' ', '-', '.', '\u00a0', '\u200b', '€', '\ud83d', '\udc00'])('does not hold for %j', (sign) => {
    expect(isWordCharacter(`a${sign}a`, 1)).toBe(false);
  });

  it('looks at the whole character from either of its halves, and holds nowhere outside the text', () => {
    expect([0, 1, 2, 3, 4].map((at) => isWordCharacter('\u{10400}😀', at))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    expect(isWordCharacter('a', -1)).toBe(false);
    expect(isWordCharacter('', 0)).toBe(false);
  });
});
