/** Clients that have their turn at once. The database answers one while the next is worked for. */
const AT_ONCE = 4;
/**
 * Longer than it takes to let a client in. A turn ends then at the latest: a target that does not answer must
 * not keep others out.
 */
const HELD_MS = 100;

/**
 * Lets clients in a few at a time, in the order in which they come. It takes milliseconds of processor time
 * for each client: a thousand at once would all wait until the last was let in, and so would each message of
 * the sessions that are open.
 */
export class EntryTurns {
  private free = AT_ONCE;
  private readonly waiting: (() => void)[] = [];

  /** Resolves when it is the caller's turn, with a function that ends it. It is idempotent. */
  async take(): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((called) => this.waiting.push(called));
    let isOver = false;
    const end = (): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(late);
      this.callNext();
    };
    const late = setTimeout(end, HELD_MS).unref();
    return end;
  }

  /** Does the work in a turn. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const end = await this.take();
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** The place is passed on directly, so that a later client cannot overtake those that wait. */
  private callNext(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
