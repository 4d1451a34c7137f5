import { compileEntry } from '../../../test/support/rule-entries';
import type { Direction } from '../../gate/ports/guardrails';
import { fromRuleKinds } from '../kinds/kinds';
import type { RuleEntry } from './rule-entry';

const words: Partial<RuleEntry> = { type: 'deny_words_list', words: ['x'] };
const statement: Partial<RuleEntry> = { type: 'sql_statement', kinds: ['drop'] };

const kinds = fromRuleKinds((all) => all);
/** Fields in entries of the wrong kind: each field of each kind, combined with every other kind. */
const strays = kinds().flatMap((owner) =>
  kinds()
    .filter((other) => other !== owner)
    .flatMap((other) => Object.keys(owner.fields).map((field) => ({ owner, other, field }))),
);
const GIVEN = {
  flag: true,
  integer: 1,
  text: 'x',
  texts: ['x'],
  choice: 'x',
  choices: ['x'],
  objects: [{ name: 'x', access: 'any' }],
};

describe('an entry of a rule', () => {
  it.each<[string, Partial<RuleEntry>, Direction]>([
    ['type other is unknown', { type: 'other' as never, words: ['a'] }, 'input'],
    ['type constructor is unknown', { type: 'constructor' as never, words: ['a'] }, 'output'],
    ['only output can be masked', { ...words, action: 'mask' }, 'input'],
    ['action hide is unknown', { ...words, action: 'hide' as never }, 'output'],
    ['keep_last needs the action mask', { ...words, keep_last: 4 }, 'output'],
    ['keep_last must be a whole number from 0 to 64', { ...words, action: 'mask', keep_last: 65 }, 'output'],
    ['keep_last must be a whole number from 0 to 64', { ...words, action: 'mask', keep_last: 1.5 }, 'output'],
    ['the entry.words.0: Invalid input', { words: [1 as never] }, 'input'],
    ['the entry.words: Invalid input', { words: 'abc' as never }, 'input'],
    ['the entry.words: Invalid input', { ...statement, words: undefined as never }, 'input'],
    ['the entry: Unrecognized key', { ...words, only_on: 'sunday' } as never, 'input'],
    [
      'the entry.tables.0: Unrecognized key',
      { type: 'sql_statement', tables: [{ name: 'x', access: 'any', on: 'sunday' } as never] },
      'input',
    ],
  ])('is refused: %s', (reason, entry, direction) => {
    expect(() => compileEntry(entry, direction)).toThrow(`${direction}.rules.0: ${reason}`);
  });

  it.each(strays.map(({ owner, other, field }) => [field, other.type, owner, other] as const))(
    'is refused with %s in an entry of type %s, where it has no effect',
    (field, _, owner, other) => {
      const value = GIVEN[owner.fields[field]!.form];
      const entry = { type: other.type, ...other.example, [field]: value } as Partial<RuleEntry>;
      const [direction = 'input'] = other.directions;
      expect(() => compileEntry(entry, direction)).toThrow(
        `${direction}.rules.0: ${field} belongs to entries of type ${owner.type} only`,
      );
    },
  );

  it('may have flags of other types that are false', () => {
    const unset = { case_sensitive: false, whole_word: false, without_where: false };
    expect(() => compileEntry({ ...statement, ...unset })).not.toThrow();
    expect(() => compileEntry({ ...words, ...unset })).not.toThrow();
  });

  it('masks with as many last characters as it says, and blocks unless it says so', () => {
    const mask = (entry: Partial<RuleEntry>) => compileEntry({ ...words, ...entry }, 'output')?.mask;
    expect(mask({})).toBeUndefined();
    expect(mask({ action: 'block' })).toBeUndefined();
    expect(mask({ action: 'mask' })).toEqual({ keepLast: 0 });
    expect(mask({ action: 'mask', keep_last: 4 })).toEqual({ keepLast: 4 });
  });
});
