import { AppError } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/periodic-task';
import { type Followed, follow } from './follow';
import type { Position } from './position';

/** How often the reader's right is checked (contract: without it, the stream ends within 5 s). */
const CONFIRM_EVERY_MS = 2_000;
/** After this the client has to reconnect, with a credential that is still good. */
const LASTS_MS = 15 * 60_000;

/** One stream of one session to one reader. */
export class LiveStream {
  private readonly over = new AbortController();
  /** Also while the reader takes nothing: it must get nothing after it lost the right. */
  private readonly checking: PeriodicTask;
  private readonly end: NodeJS.Timeout;
  private confirmedAt = performance.now();

  /**
   * @param mayRead Whether the reader may read now. @throws when that cannot be checked.
   * @param left Called once, when the stream has ended.
   */
  constructor(
    private readonly source: Omit<Followed, 'confirm'>,
    private readonly from: Position,
    private readonly mayRead: () => Promise<boolean>,
    private readonly left: () => void,
  ) {
    this.checking = new PeriodicTask({
      everyMs: CONFIRM_EVERY_MS,
      work: () => this.confirmRight(),
      // `confirm` checks again before anything is sent, and its error ends the stream.
      onError: () => undefined,
    });
    this.checking.start();
    this.end = setTimeout(() => this.close(), LASTS_MS).unref();
  }

  /** Aborts when nothing more may be sent. */
  get signal(): AbortSignal {
    return this.over.signal;
  }

  messages(): AsyncGenerator<string> {
    const { source } = this;
    const followed: Followed = {
      state: () => source.state(),
      chunks: (from) => source.chunks(from),
      confirm: () => this.confirm(),
    };
    return follow(followed, this.from, this.signal);
  }

  close(): void {
    if (this.signal.aborted) return;
    void this.checking.stop();
    clearTimeout(this.end);
    this.over.abort();
    this.left();
  }

  /** The timer checks the right. If the database does not answer, nothing is sent on an old check. */
  private async confirm(): Promise<void> {
    if (performance.now() - this.confirmedAt > CONFIRM_EVERY_MS * 2) await this.confirmRight();
  }

  private async confirmRight(): Promise<void> {
    try {
      if (!(await this.mayRead())) this.close();
      this.confirmedAt = performance.now();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
      this.close();
    }
  }
}
