import { PeriodicTask, type PeriodicTaskOptions } from './periodic-task';

/** Periodic work that counts its runs. Each run ends when the test calls `finish`. */
class Work {
  readonly errors: string[] = [];
  runs = 0;
  running = 0;
  most = 0;
  private end: ((error?: Error) => void) | undefined;
  readonly task: PeriodicTask;

  constructor(options: Partial<PeriodicTaskOptions> = {}) {
    this.task = new PeriodicTask({
      everyMs: 1_000,
      work: () => this.run(),
      onError: (message) => this.errors.push(message),
      ...options,
    });
  }

  async finish(error?: Error): Promise<void> {
    this.end?.(error);
    await jest.advanceTimersByTimeAsync(0);
  }

  private async run(): Promise<void> {
    this.runs += 1;
    this.running += 1;
    this.most = Math.max(this.most, this.running);
    await new Promise<void>((resolve, reject) => {
      this.end = (error) => (error === undefined ? resolve() : reject(error));
    }).finally(() => (this.running -= 1));
  }
}

describe('PeriodicTask', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

  it('runs every period, the first time after a time of its own, which is up to a tenth shorter', async () => {
    const times: number[] = [];
    const began = Date.now();
    const { task } = new Work({ firstAfterMs: 5_000, work: async () => times.push(Date.now() - began) });
    task.start();
    await pass(4_499);
    expect(times).toEqual([]);
    await pass(3_000);
    const [first = 0, second = 0, third = 0] = times;
    expect(first).toBeLessThanOrEqual(5_000);
    expect([second - first, third - second]).toEqual([1_000, 1_000]);
  });

  it('never runs twice at once: ticks during a run are left out', async () => {
    const work = new Work();
    work.task.start();
    await pass(10_000);
    expect([work.runs, work.most]).toEqual([1, 1]);
    await work.finish();
    expect(work.runs).toBe(1);
    await pass(1_000);
    expect([work.runs, work.most]).toEqual([2, 1]);
  });

  it('is stopped soon although a run goes on, whose error is then not reported', async () => {
    const work = new Work();
    work.task.start();
    await pass(1_000);
    let hasEnded: boolean | undefined;
    const stopped = work.task.stop().then((ended) => (hasEnded = ended));
    await pass(1_000);
    expect(hasEnded).toBeUndefined();
    await pass(2_000);
    await stopped;
    expect(hasEnded).toBe(false);
    await work.finish(new Error('there is no database any more'));
    expect([work.runs, work.errors]).toEqual([1, []]);
  });

  it('runs once more after a run during which it was triggered, once or several times', async () => {
    const work = new Work();
    work.task.start();
    const asked = [work.task.run(), work.task.run(), work.task.run()];
    expect(work.runs).toBe(1);
    await work.finish();
    expect([work.runs, work.most]).toEqual([2, 1]);
    await work.finish();
    await Promise.all(asked);
    expect(work.runs).toBe(2);
  });

  it('goes on after an error, which is reported once while it repeats', async () => {
    const work = new Work({ when: () => false });
    work.task.start();
    await pass(5_000);
    expect(work.runs).toBe(0);
    void work.task.run();
    for (const message of ['away', 'away', 'slow']) {
      await work.finish(new Error(message));
      await pass(1_000);
    }
    expect([work.runs, work.errors]).toEqual([4, ['away', 'slow']]);
    await work.finish();
    await pass(5_000);
    expect(work.runs).toBe(4);
  });

  it('begins nothing after it was stopped, and before it was started', async () => {
    const work = new Work();
    await work.task.run();
    expect(work.runs).toBe(0);
    work.task.start();
    expect(work.runs).toBe(1);
    void work.task.run();
    let hasEnded: boolean | undefined;
    const stopping = work.task.stop(10_000).then((ended) => (hasEnded = ended));
    await pass(5_000);
    expect(hasEnded).toBeUndefined();
    await work.finish();
    await stopping;
    expect(hasEnded).toBe(true);
    await work.task.run();
    await pass(5_000);
    expect(work.runs).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
