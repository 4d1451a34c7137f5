import { INPUT_MS, type UnfinishedRequest, UnfinishedRequests } from './unfinished-requests';

describe('requests that wait for input of their client', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  function waiting() {
    const given: [string, string][] = [];
    const ended = new AbortController();
    const requests = new UnfinishedRequests(
      async ({ request }, why) => void given.push([request.method, why]),
      ended.signal,
    );
    return { given, ended, requests };
  }
  const named = (method: string): UnfinishedRequest => ({
    request: { method, params: {} },
    state: 'x',
    over: undefined,
  });

  it('are given up after so long, once', () => {
    const { given, requests } = waiting();
    requests.add(1, named('a'));
    jest.advanceTimersByTime(INPUT_MS - 1);
    expect(given).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(given).toEqual([['a', 'The client gave no input within 15 minutes.']]);
    expect(requests.take(1)).toBeUndefined();
  });

  it('are not given up when they were continued, and are continued once', () => {
    const { given, requests } = waiting();
    requests.add(1, named('a'));
    expect(requests.take(1)?.request.method).toBe('a');
    expect(requests.take(1)).toBeUndefined();
    jest.advanceTimersByTime(2 * INPUT_MS);
    expect(given).toEqual([]);
  });

  it('are so many at most; the oldest is given up', () => {
    const { given, requests } = waiting();
    for (let serial = 1; serial <= 66; serial++) requests.add(serial, named(`m${serial}`));
    expect(given.map(([method]) => method)).toEqual(['m1', 'm2']);
    expect(requests.take(66)).toBeDefined();
  });

  it('end with the visit, and leave no timer behind', () => {
    const { given, ended, requests } = waiting();
    requests.add(1, named('a'));
    ended.abort();
    expect(jest.getTimerCount()).toBe(0);
    expect([given, requests.take(1)]).toEqual([[], undefined]);
  });
});
