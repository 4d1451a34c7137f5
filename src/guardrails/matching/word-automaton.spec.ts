import * as fc from '../../../test/support/fast-check';
import { fold } from './folding';
import { WordAutomaton } from './word-automaton';
import { volume } from '../../../test/support/volume';

type Found = readonly [word: number, start: number, end: number];

function scanAll(automaton: WordAutomaton, text: string, from = 0): Found[] {
  const found: Found[] = [];
  automaton.scan(text, from, (...occurrence) => found.push(occurrence) > 0);
  return found;
}

/** Finds each word at each place. Sorts by end, then longer words first, then by the order of the words. */
function naive(words: readonly string[], text: string, from: number): Found[] {
  const folded = fold(text);
  const found = words.flatMap((word, index) => {
    const wanted = fold(word);
    const places: Found[] = [];
    for (let at = folded.indexOf(wanted, from); at >= 0; at = folded.indexOf(wanted, at + 1))
      places.push([index, at, at + word.length]);
    return places;
  });
  return found.sort((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0]);
}

const letters = (...units: string[]) => fc.constantFrom(...units);
const alphabets = [
  letters('a', 'b'),
  letters('a', 'A', 'b', 'ab', ' '),
  letters('Σ', 'σ', 'ς', 'K', '\u212a', 'k', 's', 'ſ'),
  letters('\u{10400}', '\u{10428}', '\ud801', '\udc00', '\udc28', 'a', '😀'),
  letters('漢', '字', 'é', 'É', 'e\u0301', 'µ', 'μ'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
];
// Makes a generator once for each alphabet, because making one costs more than drawing a value from it.
const cases = fc.oneof(
  ...alphabets.map((unit) =>
    fc.record({
      words: fc.array(fc.string({ unit, minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 }),
      text: fc.string({ unit, maxLength: 40 }),
      from: fc.nat(6),
      // With 1, only the root has a dense row. With the default (undefined), every node has a dense row.
      denseCells: fc.constantFrom(1, 10, 40, undefined),
    }),
  ),
);

describe('WordAutomaton', () => {
  it('finds what a search for each word finds', () => {
    let hits = 0;
    fc.assert(
      fc.property(cases, ({ words, text, from, denseCells }) => {
        const expected = naive(words, text, from);
        hits += expected.length;
        expect(scanAll(new WordAutomaton(words, denseCells), text, from)).toEqual(expected);
      }),
      { numRuns: volume(2_000, 25_000) },
    );
    expect(hits).toBeGreaterThan(fc.runs(volume(1_500, 20_000)));
  }, 480_000);

  it('finds each of many words, most of which have no row', () => {
    const words = Array.from({ length: 5_000 }, (_, index) => `Word ${index ** 3} and ${index}`);
    const automaton = new WordAutomaton(words);
    const text = words.map((word) => word.toUpperCase()).join('; ');
    const found = new Set(scanAll(automaton, text).map(([word]) => word));
    expect(found.size).toBe(words.length);
    expect(automaton.longest).toBe(Math.max(...words.map((word) => word.length)));
  });

  it('tells duplicates each by itself', () => {
    expect(scanAll(new WordAutomaton(['x', 'X', 'x']), 'aX')).toEqual([
      [0, 1, 2],
      [1, 1, 2],
      [2, 1, 2],
    ]);
  });

  it('stops when it is told to', () => {
    const starts: number[] = [];
    new WordAutomaton(['a', 'aa']).scan('aaaa', 1, (_, start) => starts.push(start) < 3);
    expect(starts).toEqual([1, 1, 2]);
  });

  it.each([undefined, 1])('is linear in the text: a long failing word (cells: %p)', (denseCells) => {
    // Quadratic code would take 30 000 times as long, and the test would not end.
    const automaton = new WordAutomaton([`${'a'.repeat(30_000)}b`], denseCells);
    const text = 'a'.repeat(1_048_576);
    expect(scanAll(automaton, text)).toEqual([]);
    expect(scanAll(automaton, `${text}b`)).toEqual([[0, 1_048_576 - 30_000, 1_048_577]]);
  });

  it('takes memory in proportion to its words, for any number of different characters', () => {
    const kanji = Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + at)).join('');
    for (const words of [
      ['a'],
      [kanji],
      [kanji.slice(0, 65_536).repeat(3)],
      Array<string>(1_000).fill('abc'),
    ]) {
      const units = words.join('').length;
      expect(new WordAutomaton(words).weight).toBeLessThan(1_500_000 + 100 * units);
    }
    expect(new WordAutomaton(['secret']).weight).toBeLessThan(4_000);
  });

  it('refuses an empty word, and finds nothing without words', () => {
    expect(() => new WordAutomaton(['a', ''])).toThrow('an empty word occurs everywhere');
    expect(scanAll(new WordAutomaton([]), 'any')).toEqual([]);
  });
});
