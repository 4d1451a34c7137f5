import * as fc from '../../../test/support/fast-check';
import { canonicalPlain } from '../plain';
import { hiding, joining } from './plain-text';
import { randomNumbers } from '../../../bench/bodies/texts.mjs';
import { volume } from '../../../test/support/volume';

const units = fc.constantFrom(
  ...'aeＡé ｶﾞか\u3099ㄱㅏㄳ가각\u1100\u1161\u11a8\u0301\u0316\u0338\u0e33\u0e4d=;𝐀ﬁ¨ﷺ；\t\n\u0085\u00a0\u2028\u3000\0\u001f',
  ...'\u200b\u00ad\ufeff\u{e0041}\u3164',
  ...'\ufffd\u007f\u{1d173}\u{16d67}',
  '\ud800',
  '\udc00',
);
const texts = fc.oneof(
  fc.string({ unit: units, maxLength: 30 }),
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: units, minLength: 200, maxLength: 600 }),
);

describe('canonicalPlain', () => {
  it.each([
    ['ｄｒｏｐ　ｔａｂｌｅ', 'drop table'],
    ['dr\u200bop\ufeff ta\u00adble', 'drop table'],
    ['dr\0op\u0007 table', 'drop table'],
    ['drop\u00a0\u2028\r\n\t\u0085table', 'drop table'],
    ['e\u200b\u0301', 'é'],
    [' a  b ', ' a b '],
    ['Größe /* x */ "y"', 'Größe /* x */ "y"'],
    ['', ''],
  ])('turns %j into %j', (source, text) => {
    expect(canonicalPlain(source).text).toBe(text);
  });

  it('is what the rules say when they are applied to the whole text at once', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const visible = [...source].filter(
          (character) =>
            /[\t-\r\u0085]/.test(character) || !/\p{Cc}|\p{Default_Ignorable_Code_Point}/u.test(character),
        );
        const expected = visible
          .join('')
          .normalize('NFKC')
          .replaceAll(/\p{White_Space}+/gu, ' ');
        expect(canonicalPlain(source).text).toBe(expected);
      }),
      { numRuns: volume(2_000, 5_000) },
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const { text } = canonicalPlain(source);
        expect(canonicalPlain(text).text).toBe(text);
      }),
      { numRuns: volume(800, 2_000) },
    );
  });

  it('maps every character to a piece of the source that has it', () => {
    fc.assert(
      fc.property(texts, (source) => {
        const mapped = canonicalPlain(source);
        for (let at = 0; at < mapped.text.length; at++) {
          const range = mapped.sourceRange(at, at + 1);
          expect(canonicalPlain(source.slice(range.start, range.end)).text).toContain(mapped.text.charAt(at));
        }
      }),
    );
  });

  it('knows every character of Unicode that may join the one before it', () => {
    const mark = /^\p{M}$/u;
    const joins = new RegExp(`^${joining}$`, 'u');
    const assigned: string[] = [];
    for (let code = 0x80; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      if (!/[\p{Cs}\p{Co}\p{Cn}]/u.test(character)) assigned.push(character);
    }
    const seconds = new Set(assigned.flatMap((character) => [...character.normalize('NFD')].slice(1)));
    const missed = assigned.filter((character) => {
      const [first = ''] = character.normalize('NFKD');
      return (mark.test(first) || seconds.has(first)) && !joins.test(character);
    });
    expect(missed).toEqual([]);
    expect(seconds.size).toBeGreaterThan(50);
  });

  it('knows the first half of every character that is removed', () => {
    const removed = /\p{Default_Ignorable_Code_Point}/u;
    const halves = new Set<string>();
    for (let code = 0x10000; code < 0x110000; code++) {
      const character = String.fromCodePoint(code);
      if (removed.test(character)) halves.add(character.charAt(0));
    }
    expect([...halves].filter((half) => !hiding.test(half))).toEqual([]);
    expect(halves.size).toBeGreaterThan(4);
  });
});

/** Bytes that are no text, as rules see them. */
const noTexts: Readonly<Record<string, (random: () => number) => readonly number[]>> = {
  'random bytes': (random) => [random() * 256],
  'bytes beyond ASCII': (random) => [128 + random() * 128],
  'control characters': (random) => [random() * 32, 65],
  zeros: () => [0],
  'numbers of four bytes': (random) => [random() * 256, random() * 256, 0, 0],
};

describe.each(Object.entries(noTexts))('the canonical text of %s', (_, next) => {
  /** The number of strings that are made, which is what such bytes cost, for each unit of the text. */
  const stringsPerUnit = (length: number): number => {
    const random = randomNumbers(1);
    const bytes = Array.from({ length }, () => next(random)).flat();
    const text = Buffer.from(bytes).toString('utf8');
    // The class of each character is computed on first use.
    canonicalPlain(text);
    const made = (['slice', 'normalize', 'matchAll'] as const).map((name) =>
      jest.spyOn(String.prototype, name),
    );
    const matched = jest.spyOn(RegExp.prototype, 'exec');
    canonicalPlain(text);
    const count = [...made, matched].reduce((sum, { mock }) => sum + mock.calls.length, 0);
    jest.restoreAllMocks();
    return count / text.length;
  };

  it('takes no string for each unit, and no more of them in a longer text', () => {
    const short = stringsPerUnit(16_384);
    expect(short).toBeLessThan(1 / 8);
    expect(stringsPerUnit(65_536)).toBeLessThan(short * 1.5 + 1 / 1_000);
  });
});
