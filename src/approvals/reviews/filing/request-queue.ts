import type { Principal } from '../../../kernel/principal';
import { Semaphore } from '../../../kernel/async/semaphore';

/** Requests that are filed at once, of all requesters: others need connections of the pool too. */
const AT_ONCE = 4;

interface Queue {
  readonly semaphore: Semaphore;
  /** Requests that run or wait in it. */
  count: number;
}

/**
 * Runs the requests of one requester for one connection one after the other, and few requests of all
 * requesters at a time. The database orders them too (`holdRequests`, for several gateways), but a request
 * that waits there occupies a connection of the pool, and 200 of them occupy them all. Here they wait in
 * memory: FIFO, without a time limit.
 */
export class RequestQueue {
  private readonly all = new Semaphore(AT_ONCE);
  private readonly queues = new Map<string, Queue>();

  async run<T>(requester: Principal, connectionId: string, work: () => Promise<T>): Promise<T> {
    const { orgId, identityType, userId } = requester;
    const key = JSON.stringify([orgId, identityType, userId, connectionId]);
    const queue = this.queues.get(key) ?? { semaphore: new Semaphore(1), count: 0 };
    this.queues.set(key, queue);
    queue.count += 1;
    try {
      return await queue.semaphore.run(() => this.all.run(work));
    } finally {
      queue.count -= 1;
      if (queue.count === 0) this.queues.delete(key);
    }
  }
}
