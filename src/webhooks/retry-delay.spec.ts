import * as fc from 'fast-check';
import { retryDelay } from './retry-delay';

describe('the delay before the next attempt', () => {
  const seconds = [5, 300, 1_800];

  it('is the one that is set, or up to a fifth more, in the order of attempts; then there is none', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (attempts, chance) => {
          const least = (seconds[attempts - 1] ?? 0) * 1000;
          const delay = retryDelay(attempts, seconds, chance) ?? 0;
          expect(delay).toBeGreaterThanOrEqual(least);
          expect(delay).toBeLessThanOrEqual(least * 1.2);
        },
      ),
    );
    expect(retryDelay(4, seconds)).toBeUndefined();
    // A gateway that was killed at the last attempt leaves one more.
    expect(retryDelay(5, seconds)).toBeUndefined();
  });

  it('differs, so that those that failed together do not come back together', () => {
    const delays = new Set(Array.from({ length: 20 }, () => retryDelay(3, seconds)));
    expect(delays.size).toBeGreaterThan(1);
  });
});
