/**
 * Minimum duration of a slow write. A write into the page cache normally takes microseconds; a slow disk or a
 * busy processor makes it slow.
 */
const SLOW_MS = 5;
/** Total time of slow writes within a second that exhausts the budget. */
const LOST_MS = 150;
const SECOND_MS = 1_000;
const EXHAUSTED_FOR_MS = 10_000;

/**
 * Limits the time for which slow writes may block the event loop. Once this budget is exhausted, threads do
 * the writes for ten seconds. Times are in milliseconds.
 */
export class InlineWriteBudget {
  private second = -Infinity;
  private lost = 0;
  private exhaustedUntil = -Infinity;

  isExhausted(now: number): boolean {
    return now < this.exhaustedUntil;
  }

  recordWrite(startedAt: number, endedAt: number): void {
    const time = endedAt - startedAt;
    if (time < SLOW_MS) return;
    if (endedAt - this.second > SECOND_MS) {
      this.second = endedAt;
      this.lost = 0;
    }
    this.lost += time;
    if (this.lost >= LOST_MS) this.exhaustedUntil = endedAt + EXHAUSTED_FOR_MS;
  }
}
