import { settlesWithin, resultWithin } from './timeout';

describe('a promise with a time-out', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const after = <T>(ms: number, result: T): Promise<T> =>
    new Promise((resolve) => setTimeout(() => resolve(result), ms));
  const failsAfter = async (ms: number): Promise<never> => {
    await after(ms, undefined);
    throw new Error('no');
  };

  it('brings its result in time, or nothing', async () => {
    const results = Promise.all([
      resultWithin(after(99, 'in time'), 100),
      resultWithin(after(101, 'late'), 100),
    ]);
    await jest.advanceTimersByTimeAsync(200);
    expect(await results).toEqual(['in time', undefined]);
  });

  it('rejects when it rejects in time; a later rejection is nobody’s', async () => {
    const early = resultWithin(failsAfter(99), 100).catch((error: Error) => error.message);
    const late = resultWithin(failsAfter(101), 100);
    await jest.advanceTimersByTimeAsync(200);
    expect([await early, await late]).toEqual(['no', undefined]);
  });

  it('tells whether it settled, either way', async () => {
    const settled = [after(99, false), failsAfter(99), after(101, true), failsAfter(101)].map((promise) =>
      settlesWithin(promise, 100),
    );
    await jest.advanceTimersByTimeAsync(200);
    expect(await Promise.all(settled)).toEqual([true, true, false, false]);
  });

  it('leaves no timer behind', async () => {
    await resultWithin(Promise.resolve(), 60_000);
    await resultWithin(Promise.reject(new Error('no')), 60_000).catch(() => undefined);
    expect(jest.getTimerCount()).toBe(0);
  });
});
