import type { Direction } from '../gate/ports/guardrails';
import { compileRule } from './compile-entry';
import type { RuleEntry } from './rule-entry';

const compile = (entry: Partial<RuleEntry>, direction: Direction = 'input') =>
  compileRule(
    {
      id: '1',
      name: 'r',
      input: { rules: [] },
      output: { rules: [] },
      [direction]: {
        rules: [{ type: 'deny_words_list', words: [], pattern_regex: '', ...entry }],
      },
    },
    direction,
  );

const words: Partial<RuleEntry> = { type: 'deny_words_list', words: ['x'] };
const statement: Partial<RuleEntry> = { type: 'sql_statement', kinds: ['drop'] };
const detector: Partial<RuleEntry> = { type: 'detector', detectors: ['email'] };

describe('an entry of a rule', () => {
  it.each<[string, Partial<RuleEntry>, Direction]>([
    ['words must not be empty', { words: [] }, 'input'],
    ['words must not contain an empty word, which would forbid everything', { words: ['a', ''] }, 'input'],
    ['pattern_regex must not be empty', { type: 'pattern_match' }, 'input'],
    ['type other is unknown', { type: 'other' as never, words: ['a'] }, 'input'],
    ['type constructor is unknown', { type: 'constructor' as never, words: ['a'] }, 'output'],
    ['give at least one of kinds, without_where, tables and functions', { type: 'sql_statement' }, 'input'],
    [
      'give at least one of kinds, without_where, tables and functions',
      { type: 'sql_statement', kinds: [], without_where: false, unparseable: 'allow' },
      'input',
    ],
    ['kind explode is unknown', { type: 'sql_statement', kinds: ['explode' as never] }, 'input'],
    ['unparseable must be one of refuse, allow', { ...statement, unparseable: 'x' as never }, 'input'],
    [
      'access must be one of read, write, any',
      { type: 'sql_statement', tables: [{ name: 'users', access: 'x' as never }] },
      'input',
    ],
    ['sql_statement entries judge input only', statement, 'output'],
    ['detector entries screen output only', detector, 'input'],
    ['detectors must not be empty', { type: 'detector', detectors: [] }, 'output'],
    ['detector shoe_size is unknown', { type: 'detector', detectors: ['shoe_size' as never] }, 'output'],
    ['only output can be masked', { ...words, action: 'mask' }, 'input'],
    ['action hide is unknown', { ...words, action: 'hide' as never }, 'output'],
    ['keep_last needs the action mask', { ...words, keep_last: 4 }, 'output'],
    ['keep_last must be a whole number from 0 to 64', { ...words, action: 'mask', keep_last: 65 }, 'output'],
    ['keep_last must be a whole number from 0 to 64', { ...words, action: 'mask', keep_last: 1.5 }, 'output'],
    ['words belongs to entries of type deny_words_list only', { ...statement, words: ['x'] }, 'input'],
    [
      'pattern_regex belongs to entries of type pattern_match only',
      { ...words, pattern_regex: 'x' },
      'input',
    ],
    ['the entry.words.0: Invalid input', { words: [1 as never] }, 'input'],
    ['the entry.words: Invalid input', { words: 'abc' as never }, 'input'],
    ['the entry: Unrecognized key', { ...words, only_on: 'sunday' } as never, 'input'],
    ['kinds belongs to entries of type sql_statement only', { ...words, kinds: ['drop'] }, 'input'],
    ['detectors belongs to entries of type detector only', { ...words, detectors: ['email'] }, 'output'],
    [
      'whole_word belongs to entries of type deny_words_list only',
      { ...statement, whole_word: true },
      'input',
    ],
  ])('is refused: %s', (reason, entry, direction) => {
    expect(() => compile(entry, direction)).toThrow(`${direction}.rules.0: ${reason}`);
  });

  it('may have flags of other types that are false', () => {
    const unset = { case_sensitive: false, whole_word: false, without_where: false };
    expect(() => compile({ ...statement, ...unset }, 'input')).not.toThrow();
    expect(() => compile({ ...words, ...unset }, 'input')).not.toThrow();
  });

  it.each(['(', 'a(?=b)', 'a(?!b)', '(?<=a)b', '(a)\\1', '[b-a]', 'a{2000}', '\\p{Nowhere}'])(
    'is refused with the pattern %s, in plain words',
    (pattern_regex) => {
      expect(() => compile({ type: 'pattern_match', pattern_regex })).toThrow(
        /^input\.rules\.0: pattern_regex is not a valid RE2 pattern: /,
      );
    },
  );

  it('is refused with a pattern that would take too much memory', () => {
    const pattern_regex = `(?:${'x'.repeat(70)}){900}`;
    expect(() => compile({ type: 'pattern_match', pattern_regex })).toThrow(
      /^input\.rules\.0: the patterns up to here take \d+ steps, and 50000 are allowed in a rule/,
    );
  });

  it.each(['', '.', 'a.', '.a', 'a.b.c', 'a b', '"a', 'a"b"', '"".x'])(
    'is refused with a table or function named %p',
    (name) => {
      const reason = `input.rules.0: ${name} is not a name like users or public.users`;
      const type = 'sql_statement';
      expect(() => compile({ type, tables: [{ name, access: 'any' }] })).toThrow(reason);
      expect(() => compile({ type, functions: [name] })).toThrow(reason);
    },
  );

  it('reads names as SQL writes them', () => {
    const functions = ['users', 'public.users', '"a.b"."c ""d"""', 'pg_catalog."x"'];
    const [compiled] = compile({ type: 'sql_statement', functions });
    expect(compiled?.test).toMatchObject({
      condition: {
        functions: [
          { name: 'users' },
          { schema: 'public', name: 'users' },
          { schema: 'a.b', name: 'c "d"' },
          { schema: 'pg_catalog', name: 'x' },
        ],
      },
    });
  });

  it('masks with as many last characters as it says, and blocks unless it says so', () => {
    const mask = (entry: Partial<RuleEntry>) => compile({ ...words, ...entry }, 'output')[0]?.mask;
    expect(mask({})).toBeUndefined();
    expect(mask({ action: 'block' })).toBeUndefined();
    expect(mask({ action: 'mask' })).toEqual({ keepLast: 0 });
    expect(mask({ action: 'mask', keep_last: 4 })).toEqual({ keepLast: 4 });
  });
});
