import * as fc from '../../../test/support/fast-check';
import type { JudgedFor } from '../../gate/ports/guardrails';
import { FairQueue } from './fair-queue';

interface Item {
  readonly owner: JudgedFor;
  readonly id: number;
}

const WIDE = { user: 1_000, connection: 1_000, all: 10_000 };
const always = (): boolean => true;

let ids = 0;
const item = (userId: string, connectionId = 'c', sessionId = 's'): Item => ({
  owner: { userId, connectionId, sessionId },
  id: ids++,
});

function takeAll(queue: FairQueue<Item>): Item[] {
  const taken: Item[] = [];
  for (let next = queue.next(always); next !== undefined; next = queue.next(always)) taken.push(next);
  return taken;
}

const owners = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 2 }), fc.integer({ min: 0, max: 2 }))
  .map(([user, connection, session]): [string, string, string] => [
    // `__proto__` and `constructor` are members of every object.
    ['__proto__', '', 'b', 'constructor', 'd'][user]!,
    `c${connection}`,
    `s${session}`,
  ]);

describe('a fair queue', () => {
  it('takes turns between users, then between the connections of one, then between the sessions of one', () => {
    const queue = new FairQueue<Item>(WIDE);
    for (let n = 0; n < 10; n++) queue.add(item('heavy', 'one', 'first'));
    queue.add(item('heavy', 'one', 'second'));
    queue.add(item('heavy', 'two', 'third'));
    queue.add(item('light'));
    queue.add(item('light'));
    const order = takeAll(queue).map(({ owner }) => `${owner.userId} ${owner.sessionId}`);
    expect(order.slice(0, 6)).toEqual([
      'heavy first',
      'light s',
      'heavy third',
      'light s',
      'heavy second',
      'heavy first',
    ]);
    expect(order).toHaveLength(14);
  });

  it('loses nothing, makes nothing up, and keeps the order of each session', () => {
    fc.assert(
      fc.property(fc.array(owners, { maxLength: 60 }), fc.array(fc.nat(), { maxLength: 20 }), (all, gone) => {
        const queue = new FairQueue<Item>(WIDE);
        const items = all.map((owner) => item(...owner));
        for (const each of items) queue.add(each);
        const removed = new Set(gone.flatMap((at) => items[at % Math.max(1, items.length)] ?? []));
        for (const each of removed) expect(queue.remove(each)).toBe(true);
        for (const each of removed) expect(queue.remove(each)).toBe(false);
        expect(queue.size).toBe(items.length - removed.size);
        const taken = takeAll(queue);
        expect(queue.size).toBe(0);
        const left = items.filter((each) => !removed.has(each));
        expect(new Set(taken)).toEqual(new Set(left));
        const ofSession = (list: readonly Item[], { userId, connectionId, sessionId }: JudgedFor) =>
          list.filter(
            ({ owner }) =>
              owner.userId === userId && owner.connectionId === connectionId && owner.sessionId === sessionId,
          );
        for (const { owner } of left) expect(ofSession(taken, owner)).toEqual(ofSession(left, owner));
      }),
    );
  });

  it('lets no user wait for more than one item of each other user, whatever comes meanwhile', () => {
    fc.assert(
      fc.property(
        fc.array(owners, { maxLength: 40 }),
        fc.array(owners, { maxLength: 40 }),
        (before, later) => {
          const queue = new FairQueue<Item>(WIDE);
          for (const owner of before) queue.add(item(...owner));
          const mine = item('me');
          queue.add(mine);
          const seen = new Map<string, number>();
          for (const owner of [...later, ...later]) {
            const next = queue.next(always);
            if (next === mine) break;
            if (next === undefined) throw new Error('the item was lost');
            seen.set(next.owner.userId, (seen.get(next.owner.userId) ?? 0) + 1);
            queue.add(item(...owner));
          }
          for (const count of seen.values()) expect(count).toBe(1);
        },
      ),
    );
  });

  it('prefers users who may have another one, and takes from others where none may', () => {
    const queue = new FairQueue<Item>(WIDE);
    const [heavy, more, light] = [item('heavy'), item('heavy'), item('light')];
    for (const each of [heavy, more, light]) queue.add(each);
    const isLight = (userId: string): boolean => userId === 'light';
    expect(queue.next(isLight)).toBe(light);
    expect(queue.next(isLight)).toBe(heavy);
    expect(queue.next(() => false)).toBe(more);
    expect(queue.next(always)).toBeUndefined();
  });

  it('bounds what waits for one user, and for one connection of a user', () => {
    const queue = new FairQueue<Item>({ user: 3, connection: 2, all: 100 });
    const kinds = [
      queue.add(item('a', 'one')),
      queue.add(item('a', 'one', 'other')),
      queue.add(item('a', 'one')),
      queue.add(item('a', 'two')),
      queue.add(item('a', 'two')),
      queue.add(item('b', 'one')),
    ];
    expect(kinds.map((queued) => (queued.kind === 'refused' ? queued.by : queued.kind))).toEqual([
      'waits',
      'waits',
      'own limit',
      'waits',
      'own limit',
      'waits',
    ]);
  });

  it('lets the user with the most give way where all places are taken', () => {
    const queue = new FairQueue<Item>({ user: 100, connection: 100, all: 4 });
    const heavy = [0, 1, 2, 3].map(() => item('heavy'));
    for (const each of heavy) queue.add(each);
    expect(queue.add(item('heavy'))).toEqual({ kind: 'refused', by: 'limit for all' });
    expect(queue.add(item('light'))).toEqual({ kind: 'waits', evicted: heavy[3] });
    expect(queue.add(item('light'))).toEqual({ kind: 'waits', evicted: heavy[2] });
    // Both users have the same number of items now.
    expect(queue.add(item('light'))).toEqual({ kind: 'refused', by: 'limit for all' });
    expect(queue.size).toBe(4);
  });

  it('never refuses a user with fewer items than another, nor holds more than its limit', () => {
    fc.assert(
      fc.property(fc.array(owners, { maxLength: 80 }), fc.integer({ min: 1, max: 20 }), (all, limit) => {
        const queue = new FairQueue<Item>({ user: 1_000, connection: 1_000, all: limit });
        const held = new Map<string, number>();
        const change = (userId: string, by: number) => held.set(userId, (held.get(userId) ?? 0) + by);
        for (const owner of all) {
          const queued = queue.add(item(...owner));
          if (queued.kind === 'refused') {
            expect(held.get(owner[0]) ?? 0).toBeGreaterThanOrEqual(Math.max(...held.values()) - 1);
          } else {
            change(owner[0], 1);
            if (queued.evicted !== undefined) change(queued.evicted.owner.userId, -1);
          }
          expect(queue.size).toBeLessThanOrEqual(limit);
        }
      }),
    );
  });
});
