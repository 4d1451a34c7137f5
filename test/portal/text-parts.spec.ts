import { beginningOf, cutAt, linesIn, partsOf } from '../../portal/src/parts/text-parts';

const FAMILY = '👨\u200D👩\u200D👧\u200D👦';
const SKIN = '👩🏽\u200D🚀';

describe('long texts', () => {
  it.each([
    ['emoji', '🚀'],
    ['a family', FAMILY],
    ['an emoji with a color of skin', SKIN],
    ['a flag', '🇳🇴'],
    ['a letter with its marks', 'a\u0301\u0323'],
    ['a line break of two characters', '\r\n'],
  ])('are cut between %s, not within', (_what, one) => {
    const text = one.repeat(2_000);
    for (let place = 1; place < 400; place++) expect(cutAt(text, place) % one.length).toBe(0);
    for (const characters of [1, 299, 300, 301])
      expect(beginningOf(text, characters)).toBe(`${one.repeat(Math.floor(characters / one.length))}…`);
  });

  it('are cut where they should be when one character has thousands of marks, but for halves of pairs', () => {
    expect(cutAt(`a${'\u0301'.repeat(5_000)}`, 2_000)).toBe(2_000);
    const pairs = `a${'\u{E0101}'.repeat(5_000)}`;
    expect([cutAt(pairs, 2_001), cutAt(pairs, 2_002)]).toEqual([2_001, 2_001]);
  });

  it('are whole where they are short', () => {
    expect(beginningOf('🚀🚀', 4)).toBe('🚀🚀');
    expect(partsOf('')).toEqual(['']);
    expect([cutAt('🚀', 2), cutAt('🚀', 100)]).toEqual([2, 2]);
  });

  it.each([
    ['of one line', FAMILY.repeat(20_000)],
    ['of lines', `${SKIN.repeat(30)}\n`.repeat(2_000)],
    ['of a few long lines', `${'x'.repeat(50_000)}\n${FAMILY.repeat(9_000)}\n\n`],
  ])('are taken apart for the page, without a loss: %s', (_what, text) => {
    const parts = partsOf(text);
    expect(parts.join('')).toBe(text);
    expect(parts.length).toBeGreaterThan(2);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(32 * 1024 + 1);
    expect(parts.filter((part) => !part.isWellFormed() || /^\u200D|\u200D$/.test(part))).toEqual([]);
  });

  it('have as many lines as are seen', () => {
    expect(['', 'a', 'a\n', 'a\nb', '\n\n'].map(linesIn)).toEqual([1, 1, 1, 2, 2]);
  });
});
