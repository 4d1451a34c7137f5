import { type Engine, GarbageAtRest } from './garbage-at-rest';

const MB = 1024 * 1024;
const SECOND = 1_000_000;

describe('garbage at rest', () => {
  let collected: number;
  let state: { time: number; used: number; held: number };
  let garbage: GarbageAtRest;

  beforeEach(() => {
    jest.useFakeTimers();
    collected = 0;
    state = { time: 0, used: 60 * MB, held: 80 * MB };
    const engine: Engine = {
      processorTime: () => state.time,
      heap: () => state,
      collect: () => {
        collected += 1;
        Object.assign(state, { used: 60 * MB, held: state.held - 40 * MB });
      },
    };
    garbage = new GarbageAtRest(fail, engine);
    garbage.start();
  });

  afterEach(async () => {
    await garbage.stop();
    jest.useRealTimers();
  });

  /** Advances the clock by 10 s, in which the process used the given fraction of a processor. */
  const period = (share: number): Promise<void> => {
    state.time += share * 10 * SECOND;
    return jest.advanceTimersByTimeAsync(10_000);
  };

  it('is left alone while there is work, and collected once when there is none', async () => {
    await period(0.01);
    expect(collected).toBe(0);
    Object.assign(state, { used: 90 * MB, held: 180 * MB });
    for (const share of [0.9, 0.2, 0.06]) await period(share);
    expect(collected).toBe(0);
    for (let n = 0; n < 5; n++) await period(0.01);
    expect(collected).toBe(1);
    Object.assign(state, { used: 90 * MB, held: 200 * MB });
    await period(0.5);
    for (let n = 0; n < 5; n++) await period(0.01);
    expect(collected).toBe(2);
  });

  it('is not worth a pause where it is little', async () => {
    await period(0.5);
    for (let n = 0; n < 5; n++) await period(0.01);
    expect(collected).toBe(0);
  });
});

function fail(message: string): void {
  throw new Error(message);
}
