import { LegacySubscriptions } from './legacy-subscriptions';

const CAPABILITIES = { resources: { subscribe: true } };
/** Longer than a resource stays subscribed without a subscriber. */
const LATER_MS = 60_000;

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Advances the clock, and lets the server answer the requests that were sent meanwhile. */
async function pass(): Promise<void> {
  await jest.advanceTimersByTimeAsync(LATER_MS);
  for (let turns = 0; turns < 10; turns++) await turn();
}

/**
 * Subscriptions at a server that agrees to all requests, each after a turn of the event loop, but does not
 * answer the requests for the resources of `silent`.
 */
function subscriptions(silent: readonly string[] = []) {
  const subscribed = new Set<string>();
  const requests: string[] = [];
  const all = new LegacySubscriptions(
    async (method, params) => {
      const uri = params['uri'] as string;
      requests.push(`${method} ${uri}`);
      await turn();
      if (silent.includes(uri)) await new Promise(() => undefined);
      if (method === 'resources/subscribe') subscribed.add(uri);
      else subscribed.delete(uri);
      return true;
    },
    CAPABILITIES,
    true,
  );
  const add = (...uris: string[]) => {
    const stop = new AbortController();
    const on = { signal: stop.signal, notify: () => undefined, ended: () => undefined };
    return { stop, added: all.add({ uris }, on) };
  };
  return { subscribed, requests, add };
}

describe('subscriptions at a legacy server', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
  afterEach(() => void jest.useRealTimers());

  it('stay when one takes the place of another that has not begun', async () => {
    const { subscribed, add } = subscriptions();
    const first = add('a:1');
    first.stop.abort();
    const second = add('a:1', 'a:2');
    expect(await second.added).toEqual({ uris: ['a:1', 'a:2'] });
    await first.added;
    await pass();
    expect([...subscribed]).toEqual(['a:1', 'a:2']);
  });

  it('need one request for each resource when one takes the place of another', async () => {
    const { requests, add } = subscriptions();
    const uris = Array.from({ length: 20 }, (_, at) => `a:${at}`);
    let former = add();
    for (const at of uris.keys()) {
      await former.added;
      former.stop.abort();
      former = add(...uris.slice(0, at + 1));
    }
    await former.added;
    expect(requests).toEqual(uris.map((uri) => `resources/subscribe ${uri}`));
  });

  it('end at the server when no subscriber is left, and can begin again', async () => {
    const { subscribed, requests, add } = subscriptions();
    const [one, two] = [add('a:1'), add('a:1')];
    await Promise.all([one.added, two.added]);
    one.stop.abort();
    await pass();
    expect([...subscribed]).toEqual(['a:1']);
    two.stop.abort();
    await pass();
    expect([...subscribed]).toEqual([]);
    await add('a:1').added;
    expect(requests).toEqual([
      'resources/subscribe a:1',
      'resources/unsubscribe a:1',
      'resources/subscribe a:1',
    ]);
  });

  it('wait for no answer of the server when their client leaves', async () => {
    const { subscribed, add } = subscriptions(['a:1']);
    const left = add('a:1', 'a:2');
    let agreed: unknown;
    void left.added.then((filter) => (agreed = filter));
    left.stop.abort();
    await pass();
    await pass();
    expect([agreed, [...subscribed]]).toEqual([{ uris: [] }, []]);
  });

  it('begin at the server while it does not answer for some', async () => {
    const { subscribed, add } = subscriptions(['a:1', 'a:2']);
    const uris = Array.from({ length: 20 }, (_, at) => `a:${at}`);
    void add(...uris);
    await pass();
    expect([...subscribed]).toEqual(uris.filter((uri) => uri !== 'a:1' && uri !== 'a:2'));
  });
});
