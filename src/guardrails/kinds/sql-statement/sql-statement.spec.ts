import { compileEntry } from '../../../../test/support/rule-entries';
import type { RuleEntry } from '../../entries/rule-entry';

describe('a sql_statement entry', () => {
  const compile = (more: Partial<RuleEntry>) => compileEntry({ type: 'sql_statement', ...more });

  it.each<[string, Partial<RuleEntry>]>([
    ['give at least one of kinds, without_where, tables and functions', {}],
    [
      'give at least one of kinds, without_where, tables and functions',
      { kinds: [], without_where: false, unparseable: 'allow' },
    ],
    ['kind explode is unknown', { kinds: ['explode' as never] }],
    ['unparseable must be one of refuse, allow', { kinds: ['drop'], unparseable: 'x' as never }],
    ['access must be one of read, write, any', { tables: [{ name: 'users', access: 'x' as never }] }],
  ])('is refused: %s', (reason, entry) => {
    expect(() => compile(entry)).toThrow(`input.rules.0: ${reason}`);
  });

  it('is refused for output', () => {
    expect(() => compileEntry({ type: 'sql_statement', kinds: ['drop'] }, 'output')).toThrow(
      'output.rules.0: sql_statement entries judge input only',
    );
  });

  it.each(['', '.', 'a.', '.a', 'a.b.c', 'a b', '"a', 'a"b"', '"".x'])(
    'is refused with a table or function named %p',
    (name) => {
      const reason = `input.rules.0: ${name} is not a name like users or public.users`;
      expect(() => compile({ tables: [{ name, access: 'any' }] })).toThrow(reason);
      expect(() => compile({ functions: [name] })).toThrow(reason);
    },
  );

  it('reads names as SQL writes them', () => {
    const functions = ['users', 'public.users', '"a.b"."c ""d"""', 'pg_catalog."x"'];
    expect(compile({ functions })?.test).toMatchObject({
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
});
