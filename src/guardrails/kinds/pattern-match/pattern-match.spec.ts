import { compileEntry } from '../../../../test/support/rule-entries';

describe('a pattern_match entry', () => {
  const compile = (pattern_regex: string) => compileEntry({ type: 'pattern_match', pattern_regex });

  it('is refused without a pattern', () => {
    expect(() => compile('')).toThrow('input.rules.0: pattern_regex must not be empty');
  });

  it.each(['(', 'a(?=b)', 'a(?!b)', '(?<=a)b', '(a)\\1', '[b-a]', 'a{2000}', '\\p{Nowhere}'])(
    'is refused with the pattern %s, in plain words',
    (pattern) => {
      expect(() => compile(pattern)).toThrow(/^input\.rules\.0: pattern_regex is not a valid RE2 pattern: /);
    },
  );

  it('is refused with a pattern that would take too much memory', () => {
    expect(() => compile(`(?:${'x'.repeat(70)}){900}`)).toThrow(
      /^input\.rules\.0: the patterns up to here take \d+ steps, and 50000 are allowed in a rule/,
    );
  });
});
