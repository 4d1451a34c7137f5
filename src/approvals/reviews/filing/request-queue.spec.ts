import { setImmediate as turn } from 'node:timers/promises';
import type { Principal } from '../../../kernel/principal';
import { RequestQueue } from './request-queue';

describe('the queue of requests for reviews', () => {
  const person = (userId: string) => ({ orgId: 'o', identityType: 'user', userId }) as unknown as Principal;

  function counted() {
    let running = 0;
    const seen = { most: 0, order: [] as string[] };
    const work = (name: string) => async (): Promise<string> => {
      running += 1;
      seen.most = Math.max(seen.most, running);
      seen.order.push(name);
      await turn();
      running -= 1;
      return name;
    };
    return { seen, work };
  }

  it('runs those of one requester for one connection one after the other, in their order', async () => {
    const queue = new RequestQueue();
    const { seen, work } = counted();
    const names = Array.from({ length: 50 }, (_, index) => String(index));
    const answers = names.map((name) => queue.run(person('p'), 'c', work(name)));
    expect(await Promise.all(answers)).toEqual(names);
    expect(seen).toEqual({ most: 1, order: names });
  });

  it('runs few of all at once', async () => {
    const queue = new RequestQueue();
    const { seen, work } = counted();
    await Promise.all(
      Array.from({ length: 60 }, (_, index) =>
        queue.run(person(`p${index % 20}`), `c${index % 3}`, work(String(index))),
      ),
    );
    expect(seen.most).toBe(4);
    expect(seen.order).toHaveLength(60);
  });

  it('goes on after one that fails, and keeps nothing', async () => {
    const queue = new RequestQueue();
    const fails = queue.run(person('p'), 'c', () => Promise.reject(new Error('no')));
    const next = queue.run(person('p'), 'c', () => Promise.resolve('yes'));
    await expect(fails).rejects.toThrow('no');
    expect(await next).toBe('yes');
    expect((queue as unknown as { queues: Map<string, unknown> }).queues.size).toBe(0);
  });
});
