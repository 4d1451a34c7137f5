import * as fc from '../../../test/support/fast-check';
import { ByteSemaphore } from './byte-semaphore';

const NEVER = new AbortController().signal;

describe('the room for what waits to be stored', () => {
  const settled = async (promise: Promise<void>): Promise<boolean> => {
    const turn = new Promise((resolve) => setImmediate(resolve));
    return Promise.race([promise.then(() => true), turn.then(() => false)]);
  };

  it('is given in the order of asking, once it is free', async () => {
    const memory = new ByteSemaphore(100);
    const [one, two] = [memory.allowance(), memory.allowance()];
    expect(one.tryAcquire(30)).toBe(true);
    // Large acquisitions have not used up their part of the bytes yet, so one more is admitted, even beyond
    // it.
    expect(two.tryAcquire(60)).toBe(true);
    const order: string[] = [];
    const third = one.acquire(40, NEVER).then(() => order.push('third'));
    const fourth = two.acquire(40, NEVER).then(() => order.push('fourth'));
    expect(await settled(third.then(() => undefined))).toBe(false);
    two.release(60);
    await third;
    expect(order).toEqual(['third']);
    one.release(30);
    one.release(40);
    await fourth;
    expect(order).toEqual(['third', 'fourth']);
  });

  it('lets one in that is larger than all of it, but not beside another', async () => {
    const memory = new ByteSemaphore(100);
    const [one, two] = [memory.allowance(), memory.allowance()];
    expect(one.tryAcquire(1_000)).toBe(true);
    const next = two.acquire(50, NEVER);
    expect(await settled(next)).toBe(false);
    one.release(1_000);
    expect(await settled(next)).toBe(true);
  });

  it('is not waited for beyond the end, and then not held', async () => {
    const memory = new ByteSemaphore(100);
    const [one, two] = [memory.allowance(), memory.allowance()];
    expect(one.tryAcquire(100)).toBe(true);
    const over = new AbortController();
    const gone = two.acquire(50, over.signal);
    const next = two.acquire(100, NEVER);
    over.abort();
    await expect(gone).rejects.toThrow('the session ended before there was memory');
    one.release(100);
    expect(await settled(next)).toBe(true);
    expect(two.tryAcquire(50)).toBe(false);
  });

  it('is not waited for after the end', async () => {
    const memory = new ByteSemaphore(100);
    const [one, two] = [memory.allowance(), memory.allowance()];
    expect(one.tryAcquire(100)).toBe(true);
    const gone = two.acquire(50, AbortSignal.abort());
    await expect(gone).rejects.toThrow('the session ended before there was memory');
    one.release(100);
    expect(two.tryAcquire(100)).toBe(true);
  });

  it('keeps a part for holders with little, whether one or many have much', () => {
    const memory = new ByteSemaphore(64 * 1024);
    const greedy = Array.from({ length: 100 }, () => memory.allowance());
    const filled = greedy.filter((one) => one.tryAcquire(60 * 1024));
    // The first holder fills more than half of the memory, so no other large acquisition is admitted.
    expect(filled).toHaveLength(1);
    // The first holder may acquire a little more.
    expect(filled[0]?.tryAcquire(256)).toBe(true);
    filled[0]?.release(60 * 1024);
    filled[0]?.release(256);
    // Small acquisitions are limited too: one holder gets 8 KiB, and then 32 KiB more as a large holder.
    let kilobytes = 0;
    while (filled[0]?.tryAcquire(1024)) kilobytes += 1;
    expect(kilobytes).toBe(8 + 32);
    const many = Array.from({ length: 100 }, () => memory.allowance());
    expect(many.filter((one) => one.tryAcquire(8 * 1024))).toHaveLength(2);
    const few = Array.from({ length: 100 }, () => memory.allowance());
    expect(few.filter((one) => one.tryAcquire(256))).toHaveLength(32);
  });

  it('is all there is for those with a little where nobody has more', () => {
    const memory = new ByteSemaphore(64 * 1024);
    const few = Array.from({ length: 500 }, () => memory.allowance());
    expect(few.filter((one) => one.tryAcquire(256))).toHaveLength(256);
  });

  it('lets somebody greedy wait while others go past, and serves it when there is room again', async () => {
    const memory = new ByteSemaphore(64 * 1024);
    const [one, two, small] = [memory.allowance(), memory.allowance(), memory.allowance()];
    expect(one.tryAcquire(40 * 1024)).toBe(true);
    const greedy = two.acquire(10 * 1024, NEVER);
    expect(small.tryAcquire(100)).toBe(true);
    small.release(100);
    expect(await settled(greedy)).toBe(false);
    one.release(10 * 1024);
    expect(await settled(greedy)).toBe(true);
  });

  it('is whole again once all that was taken is given back, in whatever parts', () => {
    const step = fc.record({ who: fc.nat(3), bytes: fc.nat(2_000), part: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(step), (steps) => {
        const memory = new ByteSemaphore(4_096);
        const all = Array.from({ length: 4 }, () => ({ allowance: memory.allowance(), bytes: 0 }));
        const free = (one: (typeof all)[number], bytes: number): void => {
          one.bytes -= bytes;
          one.allowance.release(bytes);
        };
        for (const { who, bytes, part } of steps) {
          const one = all[who] as (typeof all)[number];
          if (one.allowance.tryAcquire(bytes)) {
            // Adds bytes to the acquisition, because the size of a text is known only after the text was
            // admitted.
            one.allowance.grow(part);
            one.bytes += bytes + part;
          }
          free(one, Math.floor(one.bytes / part));
        }
        for (const one of all) free(one, one.bytes);
        const few = Array.from({ length: 300 }, () => memory.allowance());
        expect(few.filter((one) => one.tryAcquire(16))).toHaveLength(256);
      }),
    );
  });
});
