import { atTime } from './at-time';

describe('at a time', () => {
  const START = new Date('2026-01-31T08:00:00Z').getTime();
  const inMs = (ms: number) => new Date(START + ms);
  const DAYS_49 = 49 * 24 * 60 * 60 * 1000;
  let calls = 0;
  const count = (): void => void (calls += 1);

  beforeEach(() => {
    jest.useFakeTimers({ now: START });
    calls = 0;
  });

  afterEach(() => jest.useRealTimers());

  it.each([1, 59_999, 60_000, 60_001, 2 ** 31 - 1, 2 ** 31, DAYS_49])('%d ms away, it is done once', (ms) => {
    atTime(inMs(ms), count);
    jest.advanceTimersByTime(ms - 1);
    expect(calls).toBe(0);
    jest.advanceTimersByTime(1);
    expect(calls).toBe(1);
    jest.advanceTimersByTime(DAYS_49);
    expect([calls, jest.getTimerCount()]).toEqual([1, 0]);
  });

  it.each([0, -1, -DAYS_49])('%d ms away, it is done in the next turn', (ms) => {
    atTime(inMs(ms), count);
    expect(calls).toBe(0);
    jest.advanceTimersByTime(0);
    expect(calls).toBe(1);
  });

  it('that never comes, nothing is done', () => {
    atTime(null, count)();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('it is not done when it was called off, at any moment before', () => {
    for (const ms of [0, 1, 70_000, DAYS_49 - 1]) {
      const cancel = atTime(new Date(Date.now() + DAYS_49), count);
      jest.advanceTimersByTime(ms);
      cancel();
      expect(jest.getTimerCount()).toBe(0);
      jest.advanceTimersByTime(DAYS_49);
      cancel();
    }
    expect(calls).toBe(0);
  });

  it('it is told by the clock, also when that was set meanwhile', () => {
    atTime(inMs(10 * 60_000), count);
    jest.setSystemTime(START + 10 * 60_000);
    jest.advanceTimersByTime(60_000);
    expect(calls).toBe(1);
  });

  it('it is told by another clock than that of the machine, where one is given', () => {
    let aheadMs = -30 * 60_000;
    atTime(inMs(10 * 60_000), count, () => Date.now() + aheadMs);
    jest.advanceTimersByTime(30 * 60_000);
    expect(calls).toBe(0);
    aheadMs = 0;
    jest.advanceTimersByTime(60_000);
    expect(calls).toBe(1);
  });

  it('no process is kept alive', () => {
    jest.useRealTimers();
    const spy = jest.spyOn(globalThis, 'setTimeout');
    const cancel = atTime(new Date(Date.now() + DAYS_49), count);
    expect(spy.mock.results.map(({ value }) => (value as NodeJS.Timeout).hasRef())).toEqual([false]);
    cancel();
    spy.mockRestore();
  });
});
