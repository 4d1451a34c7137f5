import { setImmediate as othersTurn } from 'node:timers/promises';
import { EntryTurns } from './entry-turns';

describe('EntryTurns', () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate'] }));
  afterEach(() => jest.useRealTimers());

  /** Requests turns for `count` clients. `began` lists the clients in the order of their turns. */
  function clients(count: number) {
    const turns = new EntryTurns();
    const began: number[] = [];
    const ends: (() => void)[] = [];
    const take = async (client: number): Promise<void> => {
      const end = await turns.take();
      began.push(client);
      ends[client] = end;
    };
    for (let client = 0; client < count; client += 1) void take(client);
    return { turns, began, end: (client: number) => ends[client]?.() };
  }

  it('are taken by four clients at once, and by the next in the order in which they came', async () => {
    const { began, end } = clients(7);
    await othersTurn();
    expect(began).toEqual([0, 1, 2, 3]);
    end(2);
    await othersTurn();
    expect(began).toEqual([0, 1, 2, 3, 4]);
    end(2);
    await othersTurn();
    expect(began).toEqual([0, 1, 2, 3, 4]);
    end(0);
    end(1);
    await othersTurn();
    expect(began).toEqual([0, 1, 2, 3, 4, 5, 6]);
  });

  it('end by themselves when nothing comes of them', async () => {
    const { began } = clients(5);
    await othersTurn();
    jest.advanceTimersByTime(99);
    await othersTurn();
    expect(began).toHaveLength(4);
    jest.advanceTimersByTime(1);
    await othersTurn();
    expect(began).toHaveLength(5);
  });

  it('are free again after work, also after work that fails', async () => {
    const turns = new EntryTurns();
    for (let count = 0; count < 9; count += 1)
      await expect(turns.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await turns.run(() => Promise.resolve('done'))).toBe('done');
  });
});
