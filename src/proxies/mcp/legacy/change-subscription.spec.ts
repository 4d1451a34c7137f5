import { AppError } from '../../../kernel/app-error';
import type { JsonObject } from '../../../kernel/json/json';
import { type SubscriptionFilter, UpstreamFault } from '../../../targets/mcp/upstream';
import type { ChangeReceiver } from '../visits/visit';
import { ChangeSubscription } from './change-subscription';

const turn = () => new Promise((resolve) => setImmediate(resolve));
const FORBIDDEN = new AppError('forbidden', 'a rule forbids it');
const REFUSED = new UpstreamFault('refused', 'The server refused it.', { isAnswer: true });
const AWAY = new UpstreamFault('unreachable', 'The server is away.');

/** Functions that answer each attempt to subscribe. */
const open: (() => void)[] = [];

interface Attempt {
  readonly uris: readonly string[];
  readonly listener: ChangeReceiver;
  readonly agree: () => Promise<unknown>;
  readonly fail: (error: Error) => Promise<unknown>;
}

/** Subscribes a session at a server. The test decides when the server agrees or fails. */
function subscription() {
  const attempts: Attempt[] = [];
  const pending = new Set<Attempt>();
  const heard: string[] = [];
  const failures: unknown[] = [];
  const visit = {
    ended: new AbortController().signal,
    listen: ({ uris = [] }: SubscriptionFilter, listener: ChangeReceiver) =>
      new Promise<SubscriptionFilter>((resolve, reject) => {
        const settled = () => (pending.delete(made), turn());
        const made: Attempt = {
          uris,
          listener,
          agree: () => (resolve({ uris }), settled()),
          fail: (error) => (reject(error), settled()),
        };
        open.push(() => resolve({ uris }));
        attempts.push(made);
        pending.add(made);
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
  /**
   * Answers all attempts that have no answer, until no further one is made. Returns the resources of the last
   * attempt to which the server agreed.
   */
  const answer = async (faultOf: (filter: { readonly uris: readonly string[] }) => Error | undefined) => {
    let agreed: readonly string[] = [];
    await turn();
    // Includes the attempts that are made meanwhile.
    for (const made of pending) {
      const fault = faultOf(made);
      if (fault === undefined) agreed = made.uris;
      await (fault === undefined ? made.agree() : made.fail(fault));
    }
    return agreed;
  };
  return { own, heard, attempt, attempts, failures, answer };
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

  it('stays when the next one is refused, and leaves out what is refused', async () => {
    const { own, attempt, answer } = subscription();
    own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    own.subscribe('a:2');
    own.subscribe('a:3');
    await (await attempt(1)).fail(FORBIDDEN);
    expect([first.listener.signal.aborted, own.isOpen]).toEqual([false, true]);
    expect(await answer(({ uris }) => (uris.includes('a:2') ? REFUSED : undefined))).toEqual(['a:1', 'a:3']);
  });

  it.each([
    ['all', 1],
    ['every second', 2],
    ['every hundredth', 100],
    ['none', 1_001],
  ])('is of what is not refused, in few attempts, where %s of 1 000 is refused', async (_, oneIn) => {
    const { own, attempts, answer } = subscription();
    const isBad = (uri: string): boolean => Number(uri.slice(2)) % oneIn === 0;
    for (let n = 1; n <= 1_000; n += 1) own.subscribe(`a:${n}`);
    const bad = Math.floor(1_000 / oneIn);
    expect(await answer(({ uris }) => (uris.some(isBad) ? REFUSED : undefined))).toHaveLength(1_000 - bad);
    expect([own.size, attempts.length <= 5 + 2 * bad * 10]).toEqual([1_000 - bad, true]);
  });

  it('loses nothing else to a rule that came after the subscription', async () => {
    const { own, attempt, answer } = subscription();
    own.subscribe('a:1');
    own.subscribe('a:2');
    await (await attempt(0)).agree();
    await (await attempt(1)).agree();
    await own.opened();
    own.subscribe('a:3');
    expect(await answer(({ uris }) => (uris.includes('a:1') ? FORBIDDEN : undefined))).toEqual([
      'a:2',
      'a:3',
    ]);
  });

  it('keeps what is wanted where all is refused, also without resources', async () => {
    const { own, failures, answer } = subscription();
    own.subscribe('a:1');
    own.subscribe('a:2');
    await answer(() => REFUSED);
    expect([own.isOpen, own.size, failures.length > 0]).toEqual([false, 2, true]);
  });

  it.each([
    ['the server is away', AWAY],
    ['the server refuses every request', new UpstreamFault('refused', 'It answered with status 503.')],
    ['it cannot be judged', new AppError('unavailable', 'too many texts wait to be judged')],
  ])('keeps what is wanted while %s, also after a refusal', async (_, error) => {
    const { own, attempt, failures, answer } = subscription();
    own.subscribe('a:1');
    own.subscribe('a:2');
    await (await attempt(0)).agree();
    await (await attempt(1)).fail(REFUSED);
    await answer(() => error);
    expect([own.isOpen, own.size, failures]).toEqual([true, 2, [error]]);
    own.subscribe('a:3');
    expect(await answer(() => undefined)).toEqual(['a:1', 'a:2', 'a:3']);
  });

  it('brings no update of a resource that the client has unsubscribed, while the next begins', async () => {
    const { own, heard, attempt } = subscription();
    own.subscribe('a:1');
    const { agree, listener } = await attempt(0);
    await agree();
    await own.opened();
    own.unsubscribe('a:1');
    for (const uri of ['a:1', 'a:1/part']) await listener.notify('notifications/resources/updated', { uri });
    expect(heard).toEqual(['a:1/part']);
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
