import { canonicalPlain } from '../../languages/plain';
import { fold } from './folding';
import { nextUnsettled } from './settled-bytes';

const areTextSettled = (text: string, asciiOnly = false) => {
  const bytes = Buffer.from(text);
  return areSettled(bytes, asciiOnly);
};
const areSettled = (bytes: Uint8Array, asciiOnly: boolean) =>
  nextUnsettled(bytes, 0, bytes.length, asciiOnly) < 0;

describe('bytes beyond ASCII', () => {
  it('are settled only where no other way of writing holds anything new, whatever stands beside them', () => {
    const wrong: string[] = [];
    let count = 0;
    for (let point = 0x80; point < 0x20000; point++) {
      if (point >= 0xd800 && point < 0xe000) continue;
      const character = String.fromCodePoint(point);
      if (!areTextSettled(character)) continue;
      count++;
      for (const text of [`a${character}b`, `e${character}`, `é${character}ж`, character + character]) {
        if (canonicalPlain(text).text !== text || /[ -~]/.test(fold(character)))
          wrong.push(point.toString(16));
      }
    }
    expect(wrong).toEqual([]);
    // The counted characters are Latin, Greek, Cyrillic, Chinese and Korean letters, and more.
    expect(count).toBeGreaterThan(40_000);
  });

  it.each(['é', 'Müller, René', 'Привет', '日本語', '한국어', '€ 5 – “so”', '😀'])(
    'are settled in %s',
    (text) => {
      expect(areTextSettled(text)).toBe(true);
      expect(areTextSettled(text, true)).toBe(false);
    },
  );

  it.each([
    'e\u0301',
    '\u00ad',
    '\u200b',
    'ｄ',
    '\u00a0',
    'ﬁ',
    '\u212a',
    '\u017f',
    '＠',
    '\u{1f3fb}',
    '\u{1d5ba}',
  ])('are not settled in %j', (text) => expect(areTextSettled(text)).toBe(false));

  it('are not settled where they are no UTF-8', () => {
    for (const bytes of [
      [0xc3],
      [0xc3, 0x41],
      [0x80],
      [0xe2, 0x82],
      [0xff],
      [0xc0, 0xaf],
      [0xf0, 0x9f, 0x98],
    ]) {
      expect([bytes, areSettled(Uint8Array.from(bytes), false)]).toEqual([bytes, false]);
    }
    expect(areSettled(Buffer.from('plain'), true)).toBe(true);
  });
});
