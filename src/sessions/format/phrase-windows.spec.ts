import * as fc from '../../../test/support/fast-check';
import { phraseWindows } from './phrase-windows';

/** Texts in which one word occurs `times` times, in any case, between other words that are all different. */
const repeated = fc
  .record({
    word: fc.stringMatching(/^[A-Za-z0-9]{1,12}$/),
    times: fc.integer({ min: 250, max: 260 }),
    gap: fc.constantFrom(' ', ', ', '\t', "','", ' é '),
    isUpper: fc.boolean(),
  })
  .map(({ word, times, gap, isUpper }) => ({
    times,
    text: Array.from(
      { length: times },
      (_, at) => `${isUpper && at % 2 === 0 ? word.toUpperCase() : word}${gap}anotherword${at}`,
    ).join(gap),
  }));

describe('phraseWindows', () => {
  it('gives parts as soon as a word is there more often than its places are stored', () => {
    fc.assert(
      fc.property(repeated, ({ text, times }) => {
        // The gap 'é' is a word too. It occurs once in each of the items, and once between two items.
        const most = text.includes('é') ? 2 * times - 1 : times;
        expect(phraseWindows(text).length > 0).toBe(most > 255);
      }),
    );
  });

  it('gives none for many words of which each is there at most 255 times', () => {
    const text = Array.from({ length: 5_000 }, (_, at) => `w${at % 20 === 0 ? 'same' : at}`).join('\t');
    expect(phraseWindows(text)).toEqual([]);
  });
});
