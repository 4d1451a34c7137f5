import { EventEmitter } from 'node:events';
import { endPool } from './end-pool';

/** A fake database pool, whose counts of connections the test sets. */
class Pool extends EventEmitter {
  totalCount = 2;
  idleCount = 1;
  waitingCount = 0;
  isEnded = false;

  end = (): Promise<void> => {
    this.isEnded = true;
    return Promise.resolve();
  };
}

describe('a pool that is ended', () => {
  let pool: Pool;
  let isOver: boolean;
  let ending: Promise<void>;

  beforeEach(() => {
    jest.useFakeTimers();
    pool = new Pool();
    isOver = false;
  });

  afterEach(() => jest.useRealTimers());

  const begin = (): void => {
    ending = endPool(pool, pool.end).then(() => void (isOver = true));
  };
  const someLooks = (): Promise<void> => jest.advanceTimersByTimeAsync(50);

  it('is not ended while a connection is lent, or waited for', async () => {
    begin();
    await someLooks();
    expect(pool.isEnded).toBe(false);
    Object.assign(pool, { idleCount: 2, waitingCount: 1 });
    await someLooks();
    expect(pool.isEnded).toBe(false);
    pool.waitingCount = 0;
    await someLooks();
    expect(pool.isEnded).toBe(true);
    pool.emit('remove');
    pool.emit('remove');
    await ending;
  });

  it('is over when each of its connections is closed', async () => {
    pool.idleCount = 2;
    begin();
    await someLooks();
    pool.emit('remove');
    await someLooks();
    expect({ isEnded: pool.isEnded, isOver }).toEqual({ isEnded: true, isOver: false });
    pool.emit('remove');
    await ending;
  });

  it('is over at once without connections', async () => {
    Object.assign(pool, { totalCount: 0, idleCount: 0 });
    begin();
    await someLooks();
    expect(isOver).toBe(true);
  });

  it('waits for a connection that does not close for a second', async () => {
    begin();
    await jest.advanceTimersByTimeAsync(5_000);
    expect({ isEnded: pool.isEnded, isOver }).toEqual({ isEnded: true, isOver: true });
  });
});
