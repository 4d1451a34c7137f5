/**
 * A write into the page cache takes microseconds. A write of this duration met
 * a slow disk or a busy processor.
 */
const SLOW_MS = 5;
/** If slow writes add up to this much within a second, the disk is slow. */
const LOST_MS = 150;
const SECOND_MS = 1_000;
const EXHAUSTED_FOR_MS = 10_000;

/**
 * Limits the time that writes may block the event loop. Once it is exhausted, threads do the writes for a
 * while. Times are in milliseconds.
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
