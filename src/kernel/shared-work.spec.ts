import { PeriodicTask, leaveSharedWork } from './async/periodic-task';

describe('work that one process can do for all', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  async function runsIn(seconds: number, isShared?: boolean): Promise<number> {
    let runs = 0;
    const work = async (): Promise<void> => void (runs += 1);
    const given = isShared === undefined ? {} : { isShared };
    const task = new PeriodicTask({ everyMs: 1_000, work, onError: () => undefined, ...given });
    task.start();
    await jest.advanceTimersByTimeAsync(seconds * 1_000);
    await task.stop();
    return runs;
  }

  it('is done by a process that leaves nothing to others in each period, and by others in each tenth', async () => {
    expect(await runsIn(100, true)).toBe(100);
    leaveSharedWork();
    expect(await runsIn(100, true)).toBe(10);
    // Work that is not shared still runs in each period.
    expect([await runsIn(100, false), await runsIn(100)]).toEqual([100, 100]);
  });

  it('is done at once when it is asked for, in any process', async () => {
    let runs = 0;
    const work = async (): Promise<void> => void (runs += 1);
    const task = new PeriodicTask({ everyMs: 1_000, isShared: true, work, onError: () => undefined });
    task.start();
    await task.run();
    expect(runs).toBe(1);
    await task.stop();
  });
});
