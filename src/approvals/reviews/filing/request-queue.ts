import type { Principal } from '../../../kernel/principal';
import { Semaphore } from '../../../kernel/async/semaphore';

/** Maximum number of requests that run in parallel. It leaves database connections free for other work. */
const AT_ONCE = 4;

interface Queue {
  readonly semaphore: Semaphore;
  /** Number of requests that run or wait in this queue. */
  count: number;
}

/**
 * Serializes the requests of one requester for one connection, and limits the requests of all requesters that
 * run in parallel. The database serializes them too (`holdRequests`, across gateways), but each request that
 * waits there occupies a database connection, and 200 requests would occupy the whole pool. Here requests
 * wait in memory: FIFO, without a time limit.
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
