import { attribute, shownText } from './page';

describe('a text on a page of the gateway', () => {
  it.each([
    ['an override of the direction', 'a\u202Eb', 'aU+202Eb'],
    ['a blank that is a letter', 'a\u2800b', 'aU+2800b'],
    ['a variation of a letter', 'a\uFE0Fb', 'aU+FE0Fb'],
    ['a joiner between letters', 'ad\u200Dmin', 'adU+200Dmin'],
    ['half of a pair', 'a\uD83D', 'aU+D83D'],
    ['an emoji that is joined', '👩\u200D🚀', '👩\u200D🚀'],
  ])('has marks in place of what would be hidden, as the portal: %s', (_what, text, shown) => {
    expect(shownText(text).replaceAll(/<span class="odd">([^<]*)<\/span>/g, '$1')).toBe(shown);
    expect(shownText(text).includes('<span')).toBe(text !== shown);
  });

  it('is no HTML, and ends no attribute', () => {
    expect(shownText('<b>&\u202E"')).toBe('&lt;b&gt;&amp;<span class="odd">U+202E</span>&quot;');
    expect(attribute(`"'<>&`)).toBe('&quot;&#39;&lt;&gt;&amp;');
  });
});
