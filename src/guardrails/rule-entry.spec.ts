import * as fc from 'fast-check';
import { type RuleEntry, compileEntry } from './rule-entry';

const words = (...list: string[]): RuleEntry => ({ type: 'deny_words_list', words: list, pattern_regex: '' });
const pattern = (regex: string): RuleEntry => ({ type: 'pattern_match', words: [], pattern_regex: regex });

describe('an entry of a rule set', () => {
  it('finds each of its words anywhere, whatever characters they are made of', () => {
    const text = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(
        text.filter((word) => word !== ''),
        text,
        text,
        (word, before, after) => {
          const found = compileEntry(words('never there', word))(`${before}${word}${after}`);
          expect(found).not.toEqual([]);
        },
      ),
    );
  });

  it('finds words in any case, and says what it found', () => {
    const find = compileEntry(words('drop table', 'Ärger'));
    expect(find('DROP TABLE x; Drop Table y; ÄRGER')).toEqual([
      { start: 0, end: 10, text: 'DROP TABLE' },
      { start: 14, end: 24, text: 'Drop Table' },
      { start: 28, end: 33, text: 'ÄRGER' },
    ]);
    expect(find('drop  table')).toEqual([]);
  });

  it('takes the characters of a pattern in words as they are', () => {
    expect(compileEntry(words('a.c', '[x]', 'a|b', '(', '\\d', '$1', '^'))('abc x a b 1')).toEqual([]);
  });

  it('finds patterns, and shows no more than the start of a long match', () => {
    expect(compileEntry(pattern('\\d{3}-\\d{4}'))('call 555-1234 now')).toEqual([
      { start: 5, end: 13, text: '555-1234' },
    ]);
    expect(compileEntry(pattern('a+'))('a'.repeat(1000))[0]).toEqual({
      start: 0,
      end: 1000,
      text: 'a'.repeat(256),
    });
    expect(compileEntry(pattern('x'))('y')).toEqual([]);
  });

  it.each(['(a+)+$', '(a|aa)+$', '(.*a){20}$', '(\\w+\\s?)*$'])('matches %s in linear time', (evil) => {
    // Exponential in any backtracking engine: this test would not end.
    compileEntry(pattern(evil))(`${'a'.repeat(2_000)}!`);
  });

  it.each(['(', 'a(?=b)', 'a(?!b)', '(?<=a)b', '(a)\\1', '[b-a]', 'a{2000}', '\\p{Nowhere}'])(
    'refuses the pattern %s in plain words',
    (bad) => {
      expect(() => compileEntry(pattern(bad))).toThrow(/^pattern_regex is not a valid RE2 pattern: /);
    },
  );

  it('refuses what would forbid nothing or everything', () => {
    expect(() => compileEntry(words())).toThrow('words must not be empty');
    expect(() => compileEntry(words('a', ''))).toThrow('empty word');
    expect(() => compileEntry(pattern(''))).toThrow('pattern_regex must not be empty');
    expect(() => compileEntry({ type: 'other' as never, words: ['a'], pattern_regex: 'a' })).toThrow(
      'type other is unknown',
    );
  });
});
