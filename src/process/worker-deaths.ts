const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Number of recent deaths, in addition to one for each worker, at which restarts are considered useless. */
const SPARE_DEATHS = 3;

/** Counts recent deaths of workers, to decide the wait before a restart and when to stop restarting. */
export class WorkerDeaths {
  static readonly WITHIN_SECONDS = 30;
  private times: number[] = [];

  constructor(
    private readonly workers: number,
    private readonly now = () => performance.now(),
  ) {}

  /** Counts a death. Returns the milliseconds to wait before another worker is started. */
  count(): number {
    this.times = [...this.times.filter((time) => this.isRecent(time)), this.now()];
    return Math.min(FIRST_WAIT_MS * 2 ** (this.times.length - 1), LONGEST_WAIT_MS);
  }

  get recent(): number {
    return this.times.filter((time) => this.isRecent(time)).length;
  }

  /** Whether recent deaths have reached one for each worker plus `SPARE_DEATHS`. */
  areTooMany(): boolean {
    return this.recent >= this.workers + SPARE_DEATHS;
  }

  private isRecent(time: number): boolean {
    return time > this.now() - WorkerDeaths.WITHIN_SECONDS * 1000;
  }
}
