import * as fc from '../../../test/support/fast-check';
import { alice } from '../../../test/support/postgres-proxy';
import { type NamedDatabase, type Target, TargetDirectory } from '../../gate/ports/target-directory';
import { normalizedName } from '../../kernel/text/names';
import type { Principal } from '../../kernel/principal';
import { SignInRefusal } from './handshake/refusal';
import { NamedConnections } from './named-connections';

interface Known extends NamedDatabase {
  readonly isOpen: boolean;
}

/** Reference implementation: a directory that compares a request with all connections, one by one. */
class Directory extends TargetDirectory {
  constructor(private readonly all: readonly Known[]) {
    super();
  }

  async find(_: Principal, nameOrId: string): Promise<Target | undefined> {
    const known = this.all.find(({ id, name, isOpen }) => isOpen && (name === nameOrId || id === nameOrId));
    return known && ({ ...known, databaseName: () => known.database } as unknown as Target);
  }

  async byDatabase(_: Principal, text: string): Promise<readonly NamedDatabase[]> {
    return this.all.filter(
      ({ id, name, database, isOpen }) =>
        isOpen && [database, `${database}@${name}`, `${database}@${id}`].includes(text),
    );
  }

  known(): Promise<undefined> {
    throw new Error('it decides for the gateway itself');
  }
}

const idOf = (at: number): string => `c0ffee00-1111-4222-8333-${String(at).padStart(12, '0')}`;

/** Returns the id of the connection, or the code and the message of the refusal. */
async function outcome(all: readonly Known[], user: string, database: string): Promise<string> {
  try {
    return await new NamedConnections(new Directory(all)).find(alice, { user, database });
  } catch (error) {
    const code = error instanceof SignInRefusal ? error.fields?.code : (error as { code: string }).code;
    return `${code}: ${(error as Error).message}`;
  }
}

function connection(at: number, name: string, database: string, more: Partial<Known> = {}): Known {
  return { id: idOf(at), name, database, admitsClients: true, isOpen: true, ...more };
}

// promises: DATABASE-3, DATABASE-4, DATABASE-5
describe('the connection that a client with a token names', () => {
  const [one, two] = [connection(1, 'orders', 'shop'), connection(2, 'orders-staging', 'shop')];
  const all = [
    one,
    two,
    connection(3, 'shop@orders-staging', 'other'),
    connection(4, 'billing', 'invoices'),
    connection(5, 'invoices', 'old'),
    connection(6, 'hidden', 'secret', { isOpen: false }),
    connection(7, 'scripts', 'shop', { admitsClients: false }),
    connection(8, 'scripts-too', 'only-scripts', { admitsClients: false }),
  ];

  it.each([
    ['the user name, and its database', 'orders-staging', 'shop', 2],
    ['the user name alone, as libpq sends it', 'orders', 'orders', 1],
    ['its name, whatever the user is', 'me', 'orders', 1],
    ['its name, though the user is another connection', 'billing', 'orders', 1],
    ['its id', 'me', idOf(2), 2],
    ['database@connection', 'me', 'shop@orders', 1],
    ['database@connection, though the user is another connection', 'billing', 'shop@orders', 1],
    ['database@id', 'me', `shop@${idOf(2)}`, 2],
    ['a name with an @, which is also database@connection of another', 'me', 'shop@orders-staging', 3],
    ['a name that is also the database of another', 'me', 'invoices', 5],
    ['that database, by its connection', 'billing', 'invoices', 4],
    ['a database that one connection has', 'me', 'other', 3],
    ['a database of a connection for scripts alone, which the gate refuses', 'me', 'only-scripts', 8],
  ])('by %s', async (_, user, database, at) => {
    expect(await outcome(all, user, database)).toBe(idOf(at));
  });

  it('is refused with the choices where several have the database, each in a form that works', async () => {
    expect(await outcome(all, 'me', 'shop')).toBe(
      `3D000: 2 connections have the database "shop"; connect to one of "shop@orders", "${idOf(2)}".`,
    );
    const many = Array.from({ length: 12 }, (_, at) => connection(at, `c${at}`, 'd'));
    expect(await outcome(many, 'me', 'd')).toMatch(/^3D000: 12 connections .*"d@c9" \(and 2 more\)\.$/);
  });

  it.each([
    [
      'orders',
      'postgres',
      'The connection orders opens its own database only, which is not named "postgres".',
    ],
    ['orders', 'other', 'The connection orders opens its own database only, which is not named "other".'],
    [
      'me',
      'postgres@orders',
      'The connection orders opens its own database only, which is not named "postgres".',
    ],
  ])('is refused where the user %s asks for %s', async (user, database, words) => {
    expect(await outcome(all, user, database)).toBe(`3D000: ${words}`);
  });

  it.each(['secret', 'hidden', 'secret@hidden', `secret@${idOf(6)}`, 'nothing@', '@orders', 'Shop@orders '])(
    'is none: %s',
    async (database) => {
      for (const user of ['me', 'hidden'])
        expect(await outcome(all, user, database)).toMatch(
          database.includes('orders') ? /its own database only/ : /^not_found: there is no connection named /,
        );
    },
  );

  /** Short texts of few letters, so that names of connections and databases often collide, also with `@`. */
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '@', 'é', 'A'), minLength: 1, maxLength: 5 });
  const connections = fc
    .uniqueArray(
      fc.record({ name: word, database: word, admitsClients: fc.boolean(), isOpen: fc.boolean() }),
      {
        selector: ({ name }) => name,
        maxLength: 8,
      },
    )
    .map((made) => made.map((each, at): Known => ({ ...each, id: idOf(at) })));

  it('is one that the client named, found by its own forms, and nothing hidden shows, whatever the names are', async () => {
    await fc.assert(
      fc.asyncProperty(connections, word, word, async (known, user, text) => {
        const open = known.filter(({ isOpen }) => isOpen);
        const seen = await outcome(known, user, text);
        // Hidden connections change neither the result nor the message.
        expect(seen).toBe(await outcome(open, user, text));
        const found = open.find(({ id }) => id === seen);
        if (found !== undefined) {
          const { id, name, database } = found;
          expect([id, name, database, `${database}@${name}`, `${database}@${id}`]).toContain(text);
        }
        for (const each of open) {
          // A client gives the connection's name as the user or, in the older form, as the database.
          expect(await outcome(known, each.name, each.database)).toBe(each.id);
          const isOther = open.some(({ name, database }) => name === user && database === each.name);
          if (!isOther) expect(await outcome(known, user, each.name)).toBe(each.id);
          // Each choice that a refusal lists opens one connection.
          const said = await outcome(known, 'nobody', each.database);
          const listed = [...said.matchAll(/"([^"]+)"(?=[,.])/g)].map(([, choice = '']) => choice);
          const opened = await Promise.all(listed.map((choice) => outcome(known, 'nobody', choice)));
          expect(new Set(opened).size).toBe(opened.length);
          for (const id of opened) expect(open.map((one) => one.id)).toContain(id);
          if (/^3D000: \d/.test(said)) expect(opened.length).toBe(Number(/\d+/.exec(said.slice(7))?.[0]));
        }
      }),
      { numRuns: 300, examples: [[[connection(1, 'a', 'b'), connection(2, 'b', 'a')], 'a', 'b']] },
    );
  });

  it('has a name in its normal form, and a database as it is written', async () => {
    const decomposed = 'cafe\u0301';
    const cafe = [connection(1, normalizedName(decomposed), decomposed), connection(2, 'x', 'caf\u00E9')];
    expect(await outcome(cafe, decomposed, decomposed)).toBe(idOf(1));
    expect(await outcome(cafe, 'x', 'caf\u00E9')).toBe(idOf(2));
  });
});
