import type { JsonObject } from '../../../kernel/json/json';
import type { McpEra } from '../protocol/revisions';
import type { SubscriptionFilter } from './contract';
import type { LegacyCall } from './legacy-call';
import type { LegacyLink } from './legacy-link';
import { LegacySession } from './legacy-session';
import type { SpeakerOptions } from './speaker';

const CAPABILITIES = { tools: { listChanged: true }, resources: { subscribe: true } };
/** Longer than any wait of a subscription, and shorter than the time limit of a call (`CALL_MS`). */
const LATER_MS = 60_000;
const CALL_MS = 300_000;

const CHANGE = { kind: 'notification', method: 'notifications/tools/list_changed', params: {} } as const;
const UPDATE = {
  kind: 'notification',
  method: 'notifications/resources/updated',
  params: { uri: 'a:1' },
} as const;

/** A session at a server that answers no request for a resource of `silent`. */
function session(silent: readonly string[] = [], era: McpEra = 'modern') {
  let lastId = 0;
  const sent: string[] = [];
  const options = {
    client: { info: {}, capabilities: {}, era },
    timeoutMs: CALL_MS,
    nextId: () => (lastId += 1),
  };
  const own = new LegacySession(options as unknown as SpeakerOptions);
  const link: LegacyLink = {
    hasSession: true,
    negotiated: () => undefined,
    listen: () => Promise.resolve(true),
    close: () => Promise.resolve(),
    send: ({ method }) => (sent.push(method as string), Promise.resolve()),
    request: async ({ method, params }: JsonObject, call: LegacyCall) => {
      const { uri } = params as { uri: string };
      sent.push(`${method as string} ${uri}`);
      if (silent.includes(uri)) return;
      await own.receive({ kind: 'result', id: call.id, result: {} }, call);
    },
  };
  own.begin(link);
  own.established({ era: 'legacy', revision: '2025-11-25', capabilities: CAPABILITIES });
  const subscribe = (filter: SubscriptionFilter) => {
    const stop = new AbortController();
    const heard: string[] = [];
    const on = {
      signal: stop.signal,
      ends: 0,
      notify: (method: string) => void heard.push(method),
      ended: () => void (on.ends += 1),
    };
    return { stop, heard, on, begun: own.subscribe(filter, on) };
  };
  return { own, link, sent, subscribe };
}

describe('a subscription in a session at a legacy server', () => {
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
  afterEach(() => void jest.useRealTimers());

  it('begins without the resources for which the server gives no answer', async () => {
    const { subscribe, sent } = session(['a:1', 'a:2']);
    let agreed: SubscriptionFilter | undefined;
    void subscribe({ tools: true, uris: ['a:1', 'a:2', 'a:3'] }).begun.then((filter) => (agreed = filter));
    await jest.advanceTimersByTimeAsync(LATER_MS);
    expect(agreed).toEqual({ tools: true, uris: ['a:3'] });
    expect(sent.filter((method) => method === 'notifications/cancelled')).toHaveLength(2);
  });

  it.each<[string, (own: LegacySession) => void]>([
    ['the stream of changes', (own) => own.changesEnded()],
    ['the session', (own) => own.lost(new Error('lost'))],
  ])('fails when %s ends before the server has agreed', async (_, end) => {
    const { own, subscribe } = session(['a:1']);
    const { begun, on } = subscribe({ tools: true, uris: ['a:1', 'a:2'] });
    const failed = begun.catch((error: unknown) => error);
    await jest.advanceTimersByTimeAsync(1);
    end(own);
    await jest.advanceTimersByTimeAsync(LATER_MS);
    const message = expect.stringMatching(/before it began/);
    expect(await failed).toMatchObject({ reason: 'lost', message });
    expect(on.ends).toBe(0);
  });

  it('fails when the session ends while the stream of changes is opened', async () => {
    const { own, link, subscribe } = session();
    link.listen = () => new Promise(() => undefined);
    const { begun } = subscribe({ tools: true });
    const failed = begun.catch((error: unknown) => error);
    own.lost(new Error('lost'));
    await jest.advanceTimersByTimeAsync(LATER_MS);
    expect(await failed).toMatchObject({ reason: 'lost' });
  });

  it('opens the stream of changes again after its end', async () => {
    const { own, link, subscribe } = session();
    const first = subscribe({ tools: true });
    expect(await first.begun).toEqual({ tools: true });
    own.changesEnded();
    expect(first.on.ends).toBe(1);
    link.listen = () => Promise.resolve(false);
    expect(await subscribe({ tools: true }).begun).toEqual({});
  });

  it('of a legacy client hears changes while the server has not agreed to all resources', async () => {
    const { own, subscribe } = session(['a:1'], 'legacy');
    const { heard } = subscribe({ tools: true, uris: ['a:1'] });
    await jest.advanceTimersByTimeAsync(1);
    await own.receive(CHANGE);
    expect(heard).toEqual([CHANGE.method]);
  });

  it('of a legacy client that takes the place of another hears what the other does not', async () => {
    const { own, subscribe } = session([], 'legacy');
    const former = subscribe({ tools: true });
    await former.begun;
    const next = subscribe({ tools: true, uris: ['a:1'] });
    await next.begun;
    await own.receive(CHANGE);
    await own.receive(UPDATE);
    former.stop.abort();
    await own.receive(CHANGE);
    expect([former.heard, next.heard]).toEqual([[CHANGE.method], [UPDATE.method, CHANGE.method]]);
  });
});
