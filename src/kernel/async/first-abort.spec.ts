import { FirstAbort } from './first-abort';

describe('the first abort of several signals', () => {
  it('is the abort, with its reason', () => {
    const [long, short] = [new AbortController(), new AbortController()];
    const { signal } = new FirstAbort([long.signal, short.signal]);
    expect(signal.aborted).toBe(false);
    const reason = new Error('left');
    short.abort(reason);
    expect([signal.aborted, signal.reason]).toEqual([true, reason]);
  });

  it('may have been before', () => {
    const reason = new Error('over');
    const { signal } = new FirstAbort([new AbortController().signal, AbortSignal.abort(reason)]);
    expect([signal.aborted, signal.reason]).toEqual([true, reason]);
  });

  it('is none once it was released', () => {
    const long = new AbortController();
    const first = new FirstAbort([long.signal]);
    first.release();
    long.abort();
    expect(first.signal.aborted).toBe(false);
  });
});
