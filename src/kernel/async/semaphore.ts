/** A FIFO semaphore. */
export class Semaphore {
  private readonly waiting: (() => void)[] = [];

  constructor(private free: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((called) => this.waiting.push(called));
    try {
      return await work();
    } finally {
      // Passes the slot on directly, so that a later caller cannot overtake a waiting one.
      const next = this.waiting.shift();
      if (next === undefined) this.free += 1;
      else next();
    }
  }
}
