import { AppError } from '../../../kernel/app-error';
import type { JsonObject } from '../../../kernel/json/json';
import { type SubscriptionFilter, UpstreamFault } from '../../../targets/mcp/upstream';
import type { ChangeReceiver } from '../visits/visit';
import { ChangeSubscription } from './change-subscription';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const FORBIDDEN = new AppError('forbidden', 'a rule forbids it');
const REFUSED = new UpstreamFault('refused', 'The server refused it.');
const AWAY = new UpstreamFault('unreachable', 'The server is away.');

/** Functions that answer each attempt to subscribe. */
const open: (() => void)[] = [];

/** Subscribes a session at a server. The test decides when the server agrees or fails. */
function subscription() {
  const attempts: {
    readonly uris: readonly string[];
    readonly listener: ChangeReceiver;
    agree(): Promise<unknown>;
    fail(error: Error): Promise<unknown>;
  }[] = [];
  const heard: string[] = [];
  const failures: unknown[] = [];
  const forbidden = new Set<string>();
  const visit = {
    ended: new AbortController().signal,
    mayHear: async (uri: string) => !forbidden.has(uri),
    listen: ({ uris = [] }: SubscriptionFilter, listener: ChangeReceiver) =>
      new Promise<SubscriptionFilter>((resolve, reject) => {
        const agree = () => (resolve({ uris }), turn());
        open.push(() => resolve({ uris }));
        attempts.push({ uris, listener, agree, fail: (error) => (reject(error), turn()) });
      }),
  };
  const own = new ChangeSubscription(visit, {
    logLevel: () => 'debug',
    notify: async (_: string, { uri }: JsonObject) => void heard.push(uri as string),
    failed: (error) => failures.push(error),
  });
  /** Returns the attempt to subscribe with this number, once it was made. */
  const attempt = async (at: number) => {
    await turn();
    const made = attempts[at];
    if (made === undefined) throw new Error(`there is no attempt ${at}`);
    return made;
  };
  return { own, heard, attempt, attempts, failures, forbidden };
}

describe('the subscription of a legacy session to changes', () => {
  // Answers all open attempts, because an attempt without an answer is checked every second.
  afterEach(async () => {
    for (let answer = open.shift(); answer !== undefined; answer = open.shift()) {
      answer();
      await turn();
    }
  });

  it('stays while the next one begins', async () => {
    const { own, heard, attempt } = subscription();
    own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    own.subscribe('a:2');
    const second = await attempt(1);
    await first.listener.notify('notifications/resources/updated', { uri: 'a:1' });
    expect([heard, first.listener.signal.aborted]).toEqual([['a:1'], false]);
    await second.agree();
    expect([first.listener.signal.aborted, second.listener.signal.aborted]).toEqual([true, false]);
    expect(second.uris).toEqual(['a:1', 'a:2']);
  });

  it('takes all requests that come during an attempt together', async () => {
    const { own, attempt, attempts } = subscription();
    for (let n = 0; n < 1_000; n += 1) {
      own.subscribe(`a:${n % 50}`);
      if (n % 2 === 0) own.unsubscribe(`a:${(n + 1) % 50}`);
    }
    await (await attempt(0)).agree();
    const last = await attempt(1);
    await last.agree();
    await own.opened();
    expect([attempts.length, new Set(last.uris).size, own.size]).toEqual([2, own.size, last.uris.length]);
  });

  it('does not wait for a server that leaves a subscription without an answer', async () => {
    const { own, attempt, attempts } = subscription();
    own.subscribe('a:1');
    const silent = await attempt(0);
    own.subscribe('a:2');
    while (attempts.length < 2) await turn();
    const next = await attempt(1);
    expect([silent.listener.signal.aborted, next.uris]).toEqual([true, ['a:1', 'a:2']]);
    await next.agree();
    expect(next.listener.signal.aborted).toBe(false);
  });

  it('stays when a rule refuses the next one, and leaves out what it refuses', async () => {
    const { own, attempt, forbidden } = subscription();
    own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    forbidden.add('a:2');
    own.subscribe('a:2');
    own.subscribe('a:3');
    await (await attempt(1)).fail(FORBIDDEN);
    expect([first.listener.signal.aborted, own.isOpen]).toEqual([false, true]);
    const third = await attempt(2);
    await third.agree();
    expect([third.uris, first.listener.signal.aborted]).toEqual([['a:1', 'a:3'], true]);
  });

  it('loses nothing else to a rule that came after the subscription', async () => {
    const { own, attempt, forbidden } = subscription();
    own.subscribe('a:1');
    own.subscribe('a:2');
    await (await attempt(0)).agree();
    await (await attempt(1)).agree();
    forbidden.add('a:1');
    own.subscribe('a:3');
    await (await attempt(2)).fail(FORBIDDEN);
    await (await attempt(3)).fail(FORBIDDEN);
    expect((await attempt(4)).uris).toEqual(['a:2', 'a:3']);
  });

  it('loses no resource to a server that refuses another at the same time', async () => {
    const { own, attempt, failures } = subscription();
    own.subscribe('a:1');
    own.subscribe('a:2');
    own.subscribe('a:3');
    await (await attempt(0)).agree();
    await (await attempt(1)).fail(REFUSED);
    await (await attempt(2)).fail(REFUSED);
    const last = await attempt(3);
    await last.agree();
    expect([last.uris, own.size, failures]).toEqual([['a:1', 'a:3'], 2, [REFUSED]]);
  });

  it('keeps what is wanted while the server is away', async () => {
    const { own, attempt, failures } = subscription();
    own.subscribe('a:1');
    await (await attempt(0)).fail(AWAY);
    await turn();
    expect([own.isOpen, own.size, failures]).toEqual([false, 1, [AWAY]]);
    own.subscribe('a:2');
    expect((await attempt(1)).uris).toEqual(['a:1', 'a:2']);
  });

  it('is not open after the server ended it, and begins again with its resources', async () => {
    const { own, attempt } = subscription();
    own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    await own.opened();
    first.listener.ended();
    expect(own.isOpen).toBe(false);
    own.begin();
    expect((await attempt(1)).uris).toEqual(['a:1']);
  });

  it('leaves out resources from which the client unsubscribes', async () => {
    const { own, attempt } = subscription();
    for (const uri of ['a:1', 'a:2']) own.subscribe(uri);
    await (await attempt(0)).agree();
    await (await attempt(1)).agree();
    own.unsubscribe('a:1');
    expect((await attempt(2)).uris).toEqual(['a:2']);
  });
});
