import * as fc from '../../../test/support/fast-check';
import { RE2JS } from 're2js';
import { PatternSet } from './pattern-set';
import { volume } from '../../../test/support/volume';

const atoms = fc.constantFrom(
  'a',
  'b',
  'A',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '\\W',
  '[ab]',
  '[^a]',
  '[a-c]',
  '\\b',
  '\\B',
  '^',
  '$',
  '\\A',
  '\\z',
  'é',
  'É',
  'Σ',
  'ſ',
  '\\p{L}',
  '\\p{Lu}',
  '\\pN',
  '😀',
  '\\x{10400}',
  '(?i:k)',
  '(?s:.)',
  '(?m:^)',
  '(?m:$)',
  '\\n',
);
const pieces = fc.letrec<{ piece: string }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    atoms,
    fc.tuple(tie('piece'), tie('piece')).map(([a, b]) => a + b),
    fc.tuple(tie('piece'), tie('piece')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('piece'), fc.constantFrom('*', '+', '?', '*?', '+?', '{2}', '{1,3}', '{0,2}?'))
      .map(([a, repeat]) => `(?:${a})${repeat}`),
    tie('piece').map((a) => `(${a})`),
  ),
})).piece;
const patterns = fc
  .tuple(fc.constantFrom('', '', '(?i)', '(?m)', '(?s)', '(?im)'), pieces)
  .map(([flags, piece]) => flags + piece);
const texts = fc.string({
  unit: fc.constantFrom(
    'a',
    'b',
    'A',
    'c',
    '1',
    ' ',
    '\n',
    '_',
    'é',
    'É',
    'σ',
    's',
    'K',
    '\u212a',
    '😀',
    '\u{10400}',
    '\ud83d',
    '\udc00',
  ),
  maxLength: 14,
});

const spans = (set: PatternSet, pattern: number, text: string, from: number) => [
  ...set.occurrences(pattern, text, from),
];

describe('PatternSet', () => {
  it('says of each pattern what the pattern by itself says', () => {
    let pairs = 0;
    let matches = 0;
    fc.assert(
      fc.property(
        fc.array(patterns, { maxLength: 8 }),
        fc.array(texts, { minLength: 2, maxLength: 4 }),
        (list, given) => {
          const set = new PatternSet(list);
          for (const text of given) {
            const expected = list.flatMap((pattern, index) =>
              RE2JS.compile(pattern).matcher(text).find() ? [index] : [],
            );
            pairs += list.length;
            matches += expected.length;
            expect(set.matching(text)).toEqual(expected);
            expect(list.map((_, index) => spans(set, index, text, 0).length > 0)).toEqual(
              list.map((_, index) => expected.includes(index)),
            );
          }
        },
      ),
      { numRuns: volume(400, 4_000) },
    );
    expect(pairs).toBeGreaterThan(fc.runs(volume(2_000, 20_000)));
    expect(matches).toBeGreaterThan(fc.runs(volume(500, 5_000)));
    expect(matches).toBeLessThan(pairs);
  }, 480_000);

  it('tells the same places as V8, with what precedes as context', () => {
    const plain = fc.constantFrom(
      'a',
      'b',
      'ab?',
      'a+b',
      '[ab]{2}',
      '(?:a|ab)c?',
      '\\ba',
      'b\\b',
      '^a',
      'a$',
      '\\d+',
      'a.c?',
      '\\w+?b',
    );
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' '), maxLength: 20 });
    fc.assert(
      fc.property(plain, plain, text, fc.nat(8), (first, second, given, from) => {
        fc.pre(from <= given.length);
        const pattern = `(?:${first})(?:${second})|${first}`;
        const search = new RegExp(pattern, 'g');
        const expected: { start: number; end: number }[] = [];
        search.lastIndex = from;
        for (let found = search.exec(given); found !== null; found = search.exec(given))
          expected.push({ start: found.index, end: search.lastIndex });
        expect(spans(new PatternSet([pattern]), 0, given, from)).toEqual(expected);
      }),
      { numRuns: volume(500, 3_000) },
    );
  });

  it('leaves empty matches out, unless there is nothing else', () => {
    const set = new PatternSet(['a*', '$', '(?m)^$']);
    expect(set.matching('b')).toEqual([0, 1]);
    expect(spans(set, 0, 'baab', 0)).toEqual([{ start: 1, end: 3 }]);
    expect(spans(set, 0, 'b', 0)).toEqual([{ start: 0, end: 0 }]);
    expect(spans(set, 1, 'b', 0)).toEqual([{ start: 1, end: 1 }]);
    expect(spans(set, 2, 'b', 0)).toEqual([]);
  });

  it('keeps answering when its patterns multiply each other or are too many states by themselves', () => {
    const words = Array.from({ length: 24 }, (_, index) => `w${index} `);
    const list = [
      ...words.map((word, index) => `${word}.*Z${index}$`),
      'a.{400}b',
      '(?:a|b)*a(?:a|b){16}c',
      '^x',
    ];
    const set = new PatternSet(list);
    const order = fc.sample(
      fc.array(fc.constantFrom(...words, 'a', 'b', 'ab'), { minLength: 8_000, maxLength: 8_000 }),
      {
        numRuns: volume(1, 3),
        seed: 7,
      },
    );
    for (const pieces of order) {
      const text = `${pieces.join('')}Z5`;
      const expected = list.flatMap((pattern, index) =>
        RE2JS.compile(pattern).matcher(text).find() ? [index] : [],
      );
      expect(set.matching(text)).toEqual(expected);
      expect(expected).toContain(5);
    }
    expect(set.matching('x')).toEqual([26]);
    expect(set.matching('')).toEqual([]);
    // Checks the private member of the library that pattern-group.ts uses to split a set into groups.
    expect(set).toHaveProperty('groups.length', expect.any(Number));
    expect((set as unknown as { groups: unknown[] }).groups.length).toBeGreaterThan(1);
  });

  it('takes patterns whose joined program is too large for one set', () => {
    const list = ['q', 'w'].map((letter) => `${letter}(?:${'x'.repeat(720)}){1000}`);
    const set = new PatternSet(list);
    expect(set.matching('no match')).toEqual([]);
    expect(set.matching(`..w${'x'.repeat(720_000)}`)).toEqual([1]);
  });

  it.each(['(', 'a(?=b)', '(?<=a)b', '(a)\\1', '[b-a]', 'a{2000}', '\\p{Nowhere}'])('refuses %s', (bad) => {
    expect(() => new PatternSet(['fine', bad])).toThrow(/^pattern_regex is not a valid RE2 pattern: /);
  });

  it('matches nothing when it is empty', () => {
    expect(new PatternSet([]).matching('any')).toEqual([]);
  });
});
