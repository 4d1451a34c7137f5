import type { JsonObject } from '../../../kernel/json/json';
import type { SubscriptionFilter } from '../../../targets/mcp/upstream';
import type { ChangeReceiver } from '../visits/visit';
import { ChangeSubscription } from './change-subscription';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** The subscription of a session at a server that agrees when the test decides so, or refuses. */
function subscription() {
  const begun: {
    readonly uris: readonly string[];
    readonly listener: ChangeReceiver;
    agree(): Promise<unknown>;
    refuse(): Promise<unknown>;
  }[] = [];
  const heard: string[] = [];
  const visit = {
    ended: new AbortController().signal,
    listen: ({ uris = [] }: SubscriptionFilter, listener: ChangeReceiver) =>
      new Promise<SubscriptionFilter>((resolve, reject) => {
        const agree = () => (resolve({ uris }), turn());
        begun.push({ uris, listener, agree, refuse: () => (reject(new Error('refused')), turn()) });
      }),
  };
  const own = new ChangeSubscription(visit, {
    logLevel: () => 'debug',
    notify: async (_: string, { uri }: JsonObject) => void heard.push(uri as string),
  });
  /** The attempt with this number, once it was made. */
  const attempt = async (at: number) => {
    await turn();
    const made = begun[at];
    if (made === undefined) throw new Error(`there is no attempt ${at}`);
    return made;
  };
  return { own, heard, attempt };
}

describe('the subscription of a legacy session to changes', () => {
  it('stays while the next one begins', async () => {
    const { own, heard, attempt } = subscription();
    void own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    void own.subscribe('a:2');
    const second = await attempt(1);
    await first.listener.notify('notifications/resources/updated', { uri: 'a:1' });
    expect([heard, first.listener.signal.aborted]).toEqual([['a:1'], false]);
    await second.agree();
    expect([first.listener.signal.aborted, second.listener.signal.aborted]).toEqual([true, false]);
    expect(second.uris).toEqual(['a:1', 'a:2']);
  });

  it('stays when the next one is refused, and leaves out what was refused', async () => {
    const { own, attempt } = subscription();
    void own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    const refused = own.subscribe('a:2').catch((error: unknown) => error);
    await (await attempt(1)).refuse();
    expect(await refused).toBeInstanceOf(Error);
    expect([first.listener.signal.aborted, own.isOpen, own.size]).toEqual([false, true, 1]);
    void own.subscribe('a:3');
    expect((await attempt(2)).uris).toEqual(['a:1', 'a:3']);
  });

  it('loses no resource to a refusal of another at the same time', async () => {
    const { own, attempt } = subscription();
    for (const uri of ['a:1', 'a:2', 'a:3']) own.subscribe(uri).catch(() => undefined);
    await (await attempt(0)).agree();
    await (await attempt(1)).refuse();
    const last = await attempt(2);
    await last.agree();
    expect(last.uris).toEqual(['a:1', 'a:3']);
  });

  it('is not open after the server ended it, and begins again with its resources', async () => {
    const { own, attempt } = subscription();
    void own.subscribe('a:1');
    const first = await attempt(0);
    await first.agree();
    first.listener.ended();
    expect(own.isOpen).toBe(false);
    void own.begin();
    expect((await attempt(1)).uris).toEqual(['a:1']);
  });

  it('leaves out resources from which the client unsubscribes', async () => {
    const { own, attempt } = subscription();
    for (const uri of ['a:1', 'a:2']) void own.subscribe(uri);
    await (await attempt(0)).agree();
    await (await attempt(1)).agree();
    void own.unsubscribe('a:1');
    expect((await attempt(2)).uris).toEqual(['a:2']);
  });
});
