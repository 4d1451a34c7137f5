/** Number of turns in parallel. The database answers one client while the processor works for another. */
const AT_ONCE = 4;
/**
 * Maximum duration of a turn, longer than a normal sign-in. It ends the turn if the target does not answer,
 * so that other clients can enter.
 */
const HELD_MS = 100;

/**
 * Lets clients in a few at a time, in the order of their arrival. Each costs milliseconds of processor time.
 * If a thousand entered at once, all would wait for the last, and so would each message of open sessions.
 */
export class EntryTurns {
  private free = AT_ONCE;
  private readonly waiting: (() => void)[] = [];

  /** Waits for a turn. Resolves with an idempotent function that ends the turn. */
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

  /** Passes the turn directly to the next waiting client, so that a later client cannot overtake it. */
  private callNext(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
