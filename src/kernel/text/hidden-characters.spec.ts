import { shownPieces, withNames } from './hidden-characters';

const marked = (text: string): string =>
  shownPieces(text)
    .map((piece) => (piece.isHidden ? `[${piece.text.codePointAt(0)?.toString(16)}]` : piece.text))
    .join('');

describe('hidden characters of texts', () => {
  it.each([
    ['an override of the direction', 'invoice\u202Efdp.exe', 'invoice[202e]fdp.exe'],
    ['isolates', 'a\u2066b\u2069', 'a[2066]b[2069]'],
    ['a joiner between letters', 'ad\u200Dmin', 'ad[200d]min'],
    ['a joiner after an emoji alone', '👩\u200Dadmin', '👩[200d]admin'],
    ['two joiners between emoji', '👩\u200D\u200D🚀', '👩[200d][200d]🚀'],
    ['spaces without width', 'ad\u200Bmin\uFEFF', 'ad[200b]min[feff]'],
    ['control characters', '\u0000\u001b[31m\u009b', '[0][1b][31m[9b]'],
    ['separators of lines', 'a\u2028b\u2029', 'a[2028]b[2029]'],
    ['fillers', 'a\u3164b\u115Fc\uFFA0d\u2800', 'a[3164]b[115f]c[ffa0]d[2800]'],
    ['words in tag characters', '🏴\u{E0068}\u{E0069}\u{E007F}', '🏴[e0068][e0069][e007f]'],
    ['variations of letters', 'a\uFE0Fb\u{E0101}', 'a[fe0f]b[e0101]'],
    ['a second variation', '❤\uFE0F\uFE0F', '❤\uFE0F[fe0f]'],
    ['halves of pairs', 'a\uD83Db\uDE80', 'a[d83d]b[de80]'],
  ])('are marked: %s', (_what, text, expected) => {
    expect(marked(text)).toBe(expected);
    expect(
      shownPieces(text)
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });

  it.each([
    ['letters, tabs and line breaks', 'Zürich\t東京\nשלום  a\u0301'],
    ['a family', '👨\u200D👩\u200D👧\u200D👦'],
    ['a profession with a color of skin', '👩🏽\u200D🚀'],
    ['hair', '👩\u200D🦰'],
    ['a heart on fire, a flag', '❤\uFE0F\u200D🔥 🏳\uFE0F\u200D🌈'],
    ['flags of tag characters', '🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
    ['a key', '1\uFE0F\u20E3'],
  ])('are part of what is shown: %s', (_what, text) => {
    expect(shownPieces(text)).toEqual([{ text, isHidden: false }]);
  });

  it('have names where there can be no marks', () => {
    expect(withNames('a\u202Eb\u{E0001}')).toBe('aU+202EbU+E0001');
  });
});
