import * as fc from '../../../../test/support/fast-check';
import { incompleteTail } from '../../../kernel/text/utf8';
import { copyUnescaped } from './copy-text';

const cutAnywhere = (text: string): [string, number][] =>
  Array.from({ length: Buffer.byteLength(text) + 1 }, (_, at) => [text, at]);

describe('COPY data as text', () => {
  it.each([
    ['s\\145cret', 'secret'],
    ['s\\x65cret \\x6a.', 'secret j.'],
    ['s\\e\\cr\\et', 'secret'],
    ['a\\tb\\nc\\\\d\\b', 'a\tb\nc\\d\b'],
    ['\\xc3\\xbc \\303\\274 ü', 'ü ü ü'],
    ['\\xg \\8 end\\', 'xg 8 end\\'],
  ])('%s is read as COPY does', (text, expected) => {
    expect(copyUnescaped(text)).toBe(expected);
  });

  it('is left alone where nothing is escaped', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\\'));
        expect(copyUnescaped(text)).toBe(text);
      }),
      { examples: [[''], ['\uFFFD'], ['\uFEFFa\0']] },
    );
  });

  it('ends with a whole character once the incomplete one is cut off', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, place) => {
        const bytes = Buffer.from(text);
        const at = place % (bytes.length + 1);
        const first = bytes.subarray(0, at);
        let whole = '';
        for (const character of text) {
          if (Buffer.byteLength(whole + character) > at) break;
          whole += character;
        }
        expect(first.subarray(0, at - incompleteTail(first)).toString()).toBe(whole);
      }),
      // A text may itself contain U+FFFD, the character that replaces invalid bytes.
      { examples: ['\uFFFD', 'a\uFFFD', '\uFFFD\uFFFD', '\uFEFF😀'].flatMap(cutAnywhere) },
    );
  });
});
