import { WorkerDeaths } from './worker-deaths';

describe('WorkerDeaths', () => {
  function setUp(workers: number) {
    const clock = { now: 0 };
    return { clock, deaths: new WorkerDeaths(workers, () => clock.now) };
  }

  it('asks to wait twice as long each time, and never for long', () => {
    const { deaths } = setUp(2);
    const waits = Array.from({ length: 9 }, () => deaths.count());
    expect(waits).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000]);
  });

  it('forgets what is long ago', () => {
    const { deaths, clock } = setUp(1);
    for (let died = 0; died < 4; died++) deaths.count();
    expect(deaths.areTooMany()).toBe(true);
    clock.now += 29_999;
    expect(deaths.recent).toBe(4);
    clock.now += 1;
    expect([deaths.recent, deaths.areTooMany()]).toEqual([0, false]);
    expect(deaths.count()).toBe(100);
  });

  it('bears that all die at once, and that some of those die that come next', () => {
    const { deaths } = setUp(8);
    for (let died = 0; died < 10; died++) deaths.count();
    expect(deaths.areTooMany()).toBe(false);
    deaths.count();
    expect(deaths.areTooMany()).toBe(true);
  });
});
