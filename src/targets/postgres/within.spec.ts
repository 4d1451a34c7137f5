import { getEventListeners } from 'node:events';
import { withTimeout } from './with-timeout';

const untilItEnds = (ended: AbortSignal): Promise<never> =>
  new Promise((_, reject) => ended.addEventListener('abort', () => reject(ended.reason as Error)));

describe('work within a time', () => {
  it('brings what it brings, and leaves nothing with the signal', async () => {
    const { signal } = new AbortController();
    expect(await withTimeout(1_000, signal, async () => 42)).toBe(42);
    await expect(withTimeout(1_000, signal, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('is told when the time is up', async () => {
    await expect(withTimeout(1, undefined, untilItEnds)).rejects.toMatchObject({ code: 'TIMED_OUT' });
  });

  it('is told when the caller stops it, also before it began', async () => {
    const stopping = new AbortController();
    const stopped = withTimeout(1_000, stopping.signal, untilItEnds);
    stopping.abort();
    await expect(stopped).rejects.toMatchObject({ code: 'STOPPED' });
    const before = withTimeout(1_000, stopping.signal, async (ended) => ended.throwIfAborted());
    await expect(before).rejects.toMatchObject({ code: 'STOPPED' });
  });
});
