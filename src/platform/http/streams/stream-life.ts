import { AppError } from '../../../kernel/app-error';
import { PeriodicTask } from '../../../kernel/async/periodic-task';

/** Interval of the access check. The contract requires that a stream ends within 5 s after access is lost. */
const CONFIRM_EVERY_MS = 2_000;
/** Maximum duration of a stream. After it, the client reconnects with a credential that is still valid. */
export const LASTS_SECONDS = 15 * 60;

export interface StreamLifeOptions {
  /** Whether the reader may read now. @throws when the check fails. */
  readonly mayRead: () => Promise<boolean>;
  /** Called once, when the stream has ended. */
  readonly left: () => void;
  readonly seconds?: number;
}

/**
 * Lifetime of one stream to one reader. The stream ends when the reader leaves or loses access, and after 15
 * minutes at the latest.
 */
export class StreamLife {
  private readonly over = new AbortController();
  /** Checks access even while the reader does not read, so that a reader without access gets nothing. */
  private readonly checking: PeriodicTask;
  private readonly end: NodeJS.Timeout;
  private confirmedAt = performance.now();

  constructor(private readonly options: StreamLifeOptions) {
    this.checking = new PeriodicTask({
      everyMs: CONFIRM_EVERY_MS,
      work: () => this.confirmRight(),
      // Ignored, because `confirm` repeats the check before each send, and its error ends the stream.
      onError: () => undefined,
    });
    this.checking.start();
    this.end = setTimeout(() => this.close(), (options.seconds ?? LASTS_SECONDS) * 1_000).unref();
  }

  /** Aborts when nothing more may be sent. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  close(): void {
    if (this.signal.aborted) return;
    void this.checking.stop();
    clearTimeout(this.end);
    this.over.abort();
    this.options.left();
  }

  /**
   * Must be called before each send. Normally the timer checks access. If the last successful check is too
   * old, because the database does not answer, checks access again, and throws if the check fails.
   */
  async confirm(): Promise<void> {
    if (performance.now() - this.confirmedAt > CONFIRM_EVERY_MS * 2) await this.confirmRight();
  }

  private async confirmRight(): Promise<void> {
    try {
      if (!(await this.options.mayRead())) this.close();
      this.confirmedAt = performance.now();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
      this.close();
    }
  }
}
