/** Maximum number of concurrent turns to enter. The CPU can serve one client while another one waits. */
const AT_ONCE = 4;
/**
 * Maximum duration of a client's turn to enter, longer than a normal sign-in. After it, the next client gets
 * a turn, even if the target has not answered.
 */
const HELD_MS = 100;

/**
 * Limits how many clients sign in and reach their target concurrently, in the order of their arrival. Each
 * entry costs milliseconds of processor time. If a thousand clients entered at once, each would wait for all
 * the others, and so would the messages of open sessions.
 */
export class EntryTurns {
  private free = AT_ONCE;
  private readonly waiting: (() => void)[] = [];

  /** Waits for a turn to enter. Resolves with an idempotent function that ends the turn. */
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

  /** Waits until the caller may enter, runs `work`, and then lets the next caller enter. */
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
