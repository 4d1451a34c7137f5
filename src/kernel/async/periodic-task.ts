import { messageOf } from '../app-error';
import { settlesWithin } from './timeout';

/**
 * The first period is shortened at random by up to this part, so that gateways
 * that start together do not run in step.
 */
const JITTER = 0.1;
/** Factor by which the periods of shared work are longer in a process that leaves it to another one. */
const SELDOM = 10;
/** Work that takes longer must not hold up the shutdown. */
const ENDS_WITHIN_MS = 2_000;

let isLeft = false;

/**
 * Shared work is left to another process of this gateway: the cost of polling must not grow with their
 * number. This process still does it once in ten periods, in case that the other one is gone. Must be called
 * before tasks are made.
 */
export function leaveSharedWork(): void {
  isLeft = true;
}

export interface PeriodicTaskOptions {
  readonly everyMs: number;
  /** Whether one process can do it for all gateways of a database. Default: each does its own work. */
  readonly isShared?: boolean;
  /** Time before the first run. Default: `everyMs`. */
  readonly firstAfterMs?: number;
  readonly work: () => Promise<unknown>;
  /** Whether a tick runs the work. Default: always. Not asked after an error, nor by `run`. */
  readonly when?: () => boolean;
  /** Logs an error of the work. Not called again while the same message repeats. */
  readonly onError: (message: string) => void;
}

/**
 * Periodic work: one run at a time, and again after an error. All periodic work of the gateway uses this
 * class. The timer keeps no process alive.
 *
 * Not `@nestjs/schedule`: its intervals overlap when a run takes longer than the period, have no jitter, are
 * not awaited at shutdown, and take their period from a decorator and not from settings.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStarted = false;
  private isAbandoned = false;
  /** A run was requested and has not begun, or the last one failed. */
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
   * Runs the work now; during a run, once more after it, also after several calls. Resolves when nothing is
   * left to run, and after an error, which the next tick tries again. Before `start` it is only noted; after
   * `stop` it does nothing. Never rejects.
   */
  run(): Promise<void> {
    this.isDue = true;
    if (this.isStarted) this.running ??= this.runWhileDue();
    return this.running ?? Promise.resolve();
  }

  /**
   * Begins no further run. Resolves when the current one has ended, or with false when it takes longer than
   * `withinMs`: it is abandoned then, and its error, without a database for example, is not reported.
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
    // In the same turn of the event loop as the last look at `isDue`.
    this.running = undefined;
  }

  private report(message: string): void {
    if (message !== this.lastError && !this.isAbandoned) this.options.onError(message);
    this.lastError = message;
  }
}
