/** A write into the page cache takes microseconds. One that takes so long may have met a slow disk, or a busy processor. */
const SLOW_MS = 5;
/** So much of a second lost in slow writes is the disk: others would wait for it as well. */
const LOST_MS = 150;
const SECOND_MS = 1_000;
const OVER_FOR_MS = 10_000;

/** Decides how long writes may keep everybody waiting, before threads do them for a while. Times are in milliseconds. */
export class Patience {
  private second = -Infinity;
  private lost = 0;
  private overUntil = -Infinity;

  isOver(now: number): boolean {
    return now < this.overUntil;
  }

  took(startedAt: number, endedAt: number): void {
    const time = endedAt - startedAt;
    if (time < SLOW_MS) return;
    if (endedAt - this.second > SECOND_MS) {
      this.second = endedAt;
      this.lost = 0;
    }
    this.lost += time;
    if (this.lost >= LOST_MS) this.overUntil = endedAt + OVER_FOR_MS;
  }
}
