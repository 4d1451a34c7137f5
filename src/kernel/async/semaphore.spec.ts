import { setImmediate as soon } from 'node:timers/promises';
import { Semaphore } from './semaphore';

describe('turns', () => {
  it('runs up to its limit at once, in FIFO order, even when some fail', async () => {
    const turns = new Semaphore(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const works = [0, 1, 2, 3, 4].map((n) =>
      turns.run(async () => {
        begun.push(n);
        await new Promise<void>((end) => ends.push(end));
        if (n % 2 === 0) throw new Error(`work ${n} failed`);
        return n;
      }),
    );
    const settled = Promise.allSettled(works);
    await soon();
    expect(begun).toEqual([0, 1]);
    for (const seen of [
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3, 4],
    ]) {
      ends.shift()?.();
      await soon();
      expect(begun).toEqual(seen);
    }
    for (const end of ends) end();
    expect((await settled).map(({ status }) => status)).toEqual([
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
    ]);
    await expect(turns.run(async () => 'free again')).resolves.toBe('free again');
  });
});
