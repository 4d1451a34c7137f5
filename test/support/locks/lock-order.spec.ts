import { type Lock, type LockMode, type Transaction, inversionsOf, unguardedOf } from './lock-order';

/** Creates a transaction. Locks are written like `users:1 share`; a `?` at the end means SKIP LOCKED. */
function transaction(operation: string, ...locks: string[]): Transaction {
  return { operation, locks: locks.map(lockOf) };
}

function lockOf(text: string): Lock {
  const [, resource = '', key = '', mode, passes] = /^(\w+):(\w+) ([a-z ]+)(\?)?$/.exec(text) ?? [];
  return { resource, key, mode: mode as LockMode, waits: passes === undefined, statement: '' };
}

/** Returns the deadlock cycles, each as the names of its transactions. */
function circles(...transactions: Transaction[]): string[] {
  const found = inversionsOf(transactions).map(({ steps }) => steps.map(({ by }) => by.operation).sort());
  return [...new Set(found.map((names) => names.join(' + ')))];
}

describe('inversions of locks', () => {
  it.each<[string, Transaction[], string[]]>([
    [
      'two tables in either order',
      [
        transaction('a', 'users:1 update', 'groups:1 update'),
        transaction('b', 'groups:2 update', 'users:2 update'),
      ],
      ['a + b'],
    ],
    [
      'three of three',
      [
        transaction('a', 'x:1 update', 'y:1 update'),
        transaction('b', 'y:1 update', 'z:1 update'),
        transaction('c', 'z:1 update', 'x:1 update'),
      ],
      ['a + b + c'],
    ],
    [
      'one order',
      [transaction('a', 'x:1 update', 'y:1 update'), transaction('b', 'x:2 update', 'y:2 update')],
      [],
    ],
    [
      'a foreign key beside who deletes',
      [
        transaction('renew', 'reviews:1 no key update', 'connections:1 key share'),
        transaction('delete', 'connections:1 update', 'reviews:1 no key update'),
      ],
      ['delete + renew'],
    ],
    [
      'foreign keys beside who only updates',
      [
        transaction('a', 'users:1 no key update', 'organizations:1 key share'),
        transaction('b', 'organizations:1 no key update', 'users:1 no key update'),
      ],
      [],
    ],
    ['rows out of order', [transaction('a', 'x:2 update', 'x:1 update')], ['a']],
    ['rows in order', [transaction('a', 'x:1 update', 'x:2 update')], []],
    ['what is locked already', [transaction('a', 'x:1 update', 'y:1 update', 'x:1 share')], []],
    ['a share that becomes a change', [transaction('a', 'x:1 share', 'x:1 no key update')], ['a']],
    ['a change that becomes a deletion', [transaction('a', 'x:1 no key update', 'x:1 update')], []],
    [
      'who passes over what is taken',
      [transaction('a', 'x:1 update', 'y:1 update?'), transaction('b', 'y:1 update', 'x:1 update')],
      [],
    ],
    [
      'keys that both insert',
      [transaction('a', 'x:1 insert', 'y:1 insert'), transaction('b', 'y:1 insert', 'x:1 insert')],
      ['a + b'],
    ],
    [
      'rows that nobody else sees yet',
      [transaction('a', 'x:1 new', 'y:1 update'), transaction('b', 'y:1 update', 'x:2 update')],
      [],
    ],
  ])('%s', (_, transactions, expected) => {
    expect(circles(...transactions)).toEqual(expected);
  });

  it('leave out what is guarded, and tell what is not', () => {
    const guards = { votes: ['reviews'] };
    const both = [
      transaction('a', 'reviews:1 update', 'votes:2 update', 'votes:1 update'),
      transaction('b', 'votes:1 update', 'reviews:1 update'),
    ];
    expect(inversionsOf(both, guards)).toEqual([]);
    expect(unguardedOf(both, guards)).toEqual(['b: votes <- ']);
  });
});
