const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Beyond one death of each worker: deaths that new ones did not help against. */
const SPARE_DEATHS = 3;

/** Counts how often workers died of late: how long to wait before the next one, and when to stop trying. */
export class WorkerDeaths {
  static readonly WITHIN_SECONDS = 30;
  private times: number[] = [];

  constructor(
    private readonly workers: number,
    private readonly now = () => performance.now(),
  ) {}

  /** One more. Returns how many milliseconds to wait before another worker takes its place. */
  count(): number {
    this.times = [...this.times.filter((time) => this.isRecent(time)), this.now()];
    return Math.min(FIRST_WAIT_MS * 2 ** (this.times.length - 1), LONGEST_WAIT_MS);
  }

  get recent(): number {
    return this.times.filter((time) => this.isRecent(time)).length;
  }

  /** All died, and those that came after them, too. */
  areTooMany(): boolean {
    return this.recent >= this.workers + SPARE_DEATHS;
  }

  private isRecent(time: number): boolean {
    return time > this.now() - WorkerDeaths.WITHIN_SECONDS * 1000;
  }
}
