import { messageOf } from '../app-error';
import { settlesWithin } from './timeout';

/**
 * Maximum fraction by which the first period is shortened at random, so that gateways that start together do
 * not run at the same times.
 */
const JITTER = 0.1;
/** Factor by which a process lengthens the period of shared work if another process does the work. */
const SELDOM = 10;
/** Default time that `stop` waits for a run. Longer work must not delay the shutdown. */
const ENDS_WITHIN_MS = 2_000;

let isLeft = false;

/**
 * Leaves shared work to another process of this gateway, so that the cost of polling does not grow with the
 * number of processes. This process still runs it once in ten periods, in case the other process is gone.
 * Must be called before tasks start.
 */
export function leaveSharedWork(): void {
  isLeft = true;
}

export interface PeriodicTaskOptions {
  readonly everyMs: number;
  /** Whether one process can do the work for all gateways of a database. Default: false. */
  readonly isShared?: boolean;
  /** Time before the first run. Default: `everyMs`. */
  readonly firstAfterMs?: number;
  readonly work: () => Promise<unknown>;
  /** Whether a tick runs the work. Default: always. Ignored for `run`, and for the tick after an error. */
  readonly when?: () => boolean;
  /** Logs an error of the work. Not called again while the same message repeats. */
  readonly onError: (message: string) => void;
}

/**
 * Runs work periodically: one run at a time, and again after an error. All periodic work of the gateway uses
 * this class. The timer does not keep the process alive.
 *
 * `@nestjs/schedule` is not used, because its intervals overlap when a run takes longer than the period, have
 * no jitter, are not awaited at shutdown, and get their period from a decorator and not from settings.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStarted = false;
  private isAbandoned = false;
  /** Whether a requested run has not begun, or the last run failed. */
  private isDue = false;
  private lastError: string | undefined;

  constructor(private readonly options: PeriodicTaskOptions) {}

  /** Starts the timer, and a run that was requested before. Not idempotent. */
  start(): void {
    const { isShared = false } = this.options;
    const everyMs = this.options.everyMs * (isShared && isLeft ? SELDOM : 1);
    const { firstAfterMs = everyMs } = this.options;
    this.isStarted = true;
    this.timer = setTimeout(
      () => {
        this.timer = setInterval(() => this.tick(), everyMs).unref();
        this.tick();
      },
      firstAfterMs * (1 - JITTER * Math.random()),
    ).unref();
    if (this.isDue) void this.run();
  }

  /**
   * Runs the work now. If the work is already running, it runs only once more afterwards, even after several
   * calls. Resolves when no run is left, or after an error; the next tick then tries again. Before `start`,
   * the call is only recorded; after `stop`, it does nothing. Never rejects.
   */
  run(): Promise<void> {
    this.isDue = true;
    if (this.isStarted) this.running ??= this.runWhileDue();
    return this.running ?? Promise.resolve();
  }

  /**
   * Begins no further run. Resolves with true when the current run has ended, or with false when it takes
   * longer than `withinMs`. The run is then abandoned, and its error, such as a closed database, is not
   * reported.
   */
  async stop(withinMs = ENDS_WITHIN_MS): Promise<boolean> {
    this.isStarted = false;
    clearTimeout(this.timer);
    if (this.running === undefined) return true;
    const hasEnded = await settlesWithin(this.running, withinMs);
    this.isAbandoned = !hasEnded;
    return hasEnded;
  }

  private tick(): void {
    if (this.running !== undefined) return;
    if (this.isDue || this.options.when?.() !== false) void this.run();
  }

  private async runWhileDue(): Promise<void> {
    try {
      while (this.isDue && this.isStarted) {
        this.isDue = false;
        await this.options.work();
        this.lastError = undefined;
      }
    } catch (error) {
      this.isDue = true;
      this.report(messageOf(error));
    }
    // Must run in the same turn of the event loop as the last check of `isDue`; otherwise a request is lost.
    this.running = undefined;
  }

  private report(message: string): void {
    if (message !== this.lastError && !this.isAbandoned) this.options.onError(message);
    this.lastError = message;
  }
}
