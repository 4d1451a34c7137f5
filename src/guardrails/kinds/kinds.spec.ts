import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compileEntry } from '../../../test/support/rule-entries';
import type { RuleEntry } from '../entries/rule-entry';
import { exampleRules } from '../entries/rule-entry.dto';
import { forbiddenIn } from '../analysis/statement-findings';
import type { RuleKind } from './contract/kind';
import { fromRuleKinds, registerRuleKind, ruleKind } from './kinds';

const kinds = fromRuleKinds((all) => all);
const readme = readFileSync(join(__dirname, '..', 'rules', 'README.md'), 'utf8');

describe.each(kinds().map((kind) => [kind.type, kind] as const))('the rule kind %s', (type, kind) => {
  it('has an example that compiles in each of its directions, and in no other', () => {
    for (const direction of ['input', 'output'] as const) {
      const { action: _, keep_last: __, ...blocking } = kind.example;
      const entry = { type, ...(direction === 'input' ? blocking : kind.example) } as Partial<RuleEntry>;
      const compile = () => compileEntry(entry, direction);
      if (kind.directions.includes(direction)) expect(compile()).toMatchObject({ type });
      else expect(compile).toThrow(/ only$/);
    }
  });

  it('compiles to a test that a thread can be sent, and judges statements if that is what the test is about', () => {
    const entry = { type, ...kind.example } as Partial<RuleEntry>;
    const test = compileEntry(entry, kind.directions[0])?.test;
    expect(structuredClone(test)).toEqual(test);
    expect(test?.kind === 'statement').toBe(kind.forbidden !== undefined);
  });

  it('is in the README, and in the examples of the documentation', () => {
    expect(readme).toContain(`| \`${type}\` |`);
    const [direction = 'input'] = kind.directions;
    expect(exampleRules(direction).rules).toContainEqual(expect.objectContaining({ type, ...kind.example }));
  });
});

describe('the list of rule kinds', () => {
  const toy = (type: string, field: string): RuleKind => ({
    type,
    summary: 'nothing',
    directions: ['input'],
    fields: { [field]: { form: 'flag', description: 'nothing.' } },
    example: {},
    compile: () => ({ kind: 'statement', type, condition: undefined }),
  });

  it('refuses a second kind with the same type or field', () => {
    expect(() => registerRuleKind(toy('detector', 'x'))).toThrow('there are two rule kinds detector');
    expect(() => registerRuleKind(toy('toy', 'words'))).toThrow(
      'the rule kinds deny_words_list and toy both have a field words',
    );
    expect(() => registerRuleKind(toy('toy', 'message'))).toThrow(
      'message is a field of every entry: the rule kind toy cannot have it',
    );
    expect(ruleKind('toy')).toBeUndefined();
  });

  it('judges nothing by a kind that cannot judge statements', () => {
    const parsed = { kind: 'facts', statements: [] } as const;
    for (const type of ['detector', 'gone'])
      expect(() => forbiddenIn(1, parsed, [{ kind: 'statement', type, condition: {} }])).toThrow(
        `nobody can judge statements by ${type} entries`,
      );
  });

  it('remakes what was made from it when it changes', () => {
    const types = fromRuleKinds((all) => all.map(({ type }) => type));
    const before = types();
    const forget = registerRuleKind(toy('toy', 'toys'));
    expect(types()).toEqual([...before, 'toy']);
    forget();
    expect(types()).toEqual(before);
  });
});
