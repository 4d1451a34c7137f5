import * as fc from '../../../../test/support/fast-check';
import { DatabaseNames, type KnownDatabase } from './database-names';

const idOf = (at: number): string => `c0ffee00-1111-4222-8333-${String(at).padStart(12, '0')}`;

function namesOf(given: readonly Pick<KnownDatabase, 'name' | 'database'>[]): {
  names: DatabaseNames;
  all: KnownDatabase[];
} {
  const names = new DatabaseNames();
  const all = given.map((each, at) => ({ ...each, id: idOf(at), admitsClients: true, accessGroups: [] }));
  for (const each of all) names.add(each);
  return { names, all };
}

describe('DatabaseNames', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '@', 'é'), minLength: 1, maxLength: 6 });
  const some = fc.uniqueArray(fc.record({ name: word, database: word }), {
    selector: ({ name }) => name,
    maxLength: 10,
  });

  it('finds exactly those whose names make up the text, wherever the @ stand', () => {
    fc.assert(
      fc.property(some, word, fc.nat(9), (given, drawn, at) => {
        const { names, all } = namesOf(given);
        const one = all[at];
        const texts = one === undefined ? [drawn] : [drawn, one.database, `${one.database}@${one.name}`];
        for (const text of [...texts, `${drawn}@${idOf(at)}`]) {
          const expected = all.filter(({ id, name, database }) =>
            [database, `${database}@${name}`, `${database}@${id}`].includes(text),
          );
          expect(new Set(names.named(text))).toEqual(new Set(expected));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('takes the name of the connection in any form, and its id in capitals', () => {
    const { names, all } = namesOf([{ name: 'caf\u00E9', database: 'd' }]);
    for (const text of ['d@cafe\u0301 ', `d@${idOf(0).toUpperCase()}`])
      expect(names.named(text)).toEqual(all);
    for (const text of ['D@caf\u00E9', 'd @caf\u00E9', 'd@CAF\u00C9', 'd@', 'd'.repeat(10_000)])
      expect(names.named(text)).toEqual([]);
  });

  it('reads a start-up message of @ alone no further than the longest name', () => {
    const { names } = namesOf([{ name: 'c', database: '@' }]);
    expect(names.named('@'.repeat(10_000))).toEqual([]);
  });
});
