import { AppError } from '../../../kernel/app-error';
import { PeriodicTask } from '../../../kernel/async/periodic-task';

/** Interval of the check of the reader's right (contract: without it, the stream ends within 5 s). */
const CONFIRM_EVERY_MS = 2_000;
/** After this the client has to reconnect, with a credential that is still good. */
export const LASTS_SECONDS = 15 * 60;

export interface StreamLifeOptions {
  /** Whether the reader may read now. @throws when that cannot be checked. */
  readonly mayRead: () => Promise<boolean>;
  /** Called once, when the stream has ended. */
  readonly left: () => void;
  readonly seconds?: number;
}

/**
 * Lifetime of one stream to one reader: until the reader leaves, or may not read any more, and 15 minutes at
 * most.
 */
export class StreamLife {
  private readonly over = new AbortController();
  /** Also while the reader takes nothing: it must get nothing after it lost the right. */
  private readonly checking: PeriodicTask;
  private readonly end: NodeJS.Timeout;
  private confirmedAt = performance.now();

  constructor(private readonly options: StreamLifeOptions) {
    this.checking = new PeriodicTask({
      everyMs: CONFIRM_EVERY_MS,
      work: () => this.confirmRight(),
      // `confirm` checks again before anything is sent, and its error ends the stream.
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
   * Called before something is sent. The timer checks the right; if the database does not answer, nothing is
   * sent on an old check.
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
