import * as fc from '../../../test/support/fast-check';
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
          const delay = retryDelay({ attempts, age: 0 }, seconds, chance) ?? 0;
          expect(delay).toBeGreaterThanOrEqual(least);
          expect(delay).toBeLessThanOrEqual(least * 1.2);
        },
      ),
    );
    expect(retryDelay({ attempts: 4, age: 0 }, seconds)).toBeUndefined();
    // A kill of the gateway during the last attempt causes one more attempt.
    expect(retryDelay({ attempts: 5, age: 0 }, seconds)).toBeUndefined();
  });

  it('is not there for what waited longer than all attempts take, before its first one', () => {
    const all = (5 + 300 + 1_800) * 1000;
    expect(retryDelay({ attempts: 1, age: all }, seconds, 0)).toBe(5_000);
    expect(retryDelay({ attempts: 1, age: all + 1 }, seconds, 0)).toBeUndefined();
    expect(retryDelay({ attempts: 3, age: all * 2 }, seconds, 0)).toBe(1_800_000);
  });

  it('differs, so that those that failed together do not come back together', () => {
    const delays = new Set(Array.from({ length: 20 }, () => retryDelay({ attempts: 3, age: 0 }, seconds)));
    expect(delays.size).toBeGreaterThan(1);
  });
});
