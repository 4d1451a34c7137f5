/**
 * Shares one running check among all concurrent callers. Callers that come up to `goodForMs` later also get
 * its result. So requests to a public route start at most one check in that time.
 */
export class SharedCheck<T> {
  private running: Promise<T> | undefined;
  private last: { readonly at: number; readonly result: T } | undefined;

  constructor(
    private readonly check: () => Promise<T>,
    private readonly goodForMs: number,
  ) {}

  result(): Promise<T> {
    if (this.last !== undefined && performance.now() - this.last.at < this.goodForMs)
      return Promise.resolve(this.last.result);
    this.running ??= this.run().finally(() => (this.running = undefined));
    return this.running;
  }

  private async run(): Promise<T> {
    const result = await this.check();
    this.last = { at: performance.now(), result };
    return result;
  }
}
