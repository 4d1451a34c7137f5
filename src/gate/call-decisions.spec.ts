import { CallDecisions } from './call-decisions';
import type { ReviewDesk } from './ports/review-desk';

describe('CallDecisions', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  const deciding = () => {
    const asked: string[][] = [];
    const done = new Set<string>();
    const desk = {
      decided: (ids: readonly string[]) => {
        asked.push([...ids]);
        return Promise.resolve(ids.filter((id) => done.has(id)));
      },
    };
    const decisions = new CallDecisions(desk as unknown as ReviewDesk);
    decisions.onApplicationBootstrap();
    return { decisions, asked, done };
  };

  it('asks for all held calls with one query, and not at all while none is held', async () => {
    const { decisions, asked, done } = deciding();
    await jest.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual([]);
    const { signal } = new AbortController();
    const held = ['a', 'b', 'a'].map((id) => decisions.decided(id, signal));
    done.add('a').add('b');
    await jest.advanceTimersByTimeAsync(1_000);
    expect(await Promise.all(held)).toEqual([true, true, true]);
    expect(asked).toEqual([['a', 'b']]);
    await decisions.onModuleDestroy();
  });

  it('stops asking for a call that is not held any more', async () => {
    const { decisions, asked } = deciding();
    const leaving = new AbortController();
    const held = decisions.decided('a', leaving.signal);
    leaving.abort();
    expect(await held).toBe(false);
    expect(await decisions.decided('a', leaving.signal)).toBe(false);
    await jest.advanceTimersByTimeAsync(3_000);
    expect(asked).toEqual([]);
    await decisions.onModuleDestroy();
  });
});
