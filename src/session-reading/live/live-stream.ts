import { AppError } from '../../kernel/app-error';
import { type Followed, follow } from './follow';
import type { Position } from './position';

/** How often it is asked whether the reader may still read (contract: whoever may not is cut off within 5 s). */
const CONFIRM_EVERY_MS = 2_000;
/** Then the reader has to ask again, and show a credential that is still good. */
const LASTS_MS = 15 * 60_000;

/** One reader of one session. */
export class LiveStream {
  private readonly over = new AbortController();
  private readonly timers: readonly NodeJS.Timeout[];
  private confirmedAt = performance.now();

  /**
   * @param mayRead Whether the reader may read now. @throws what keeps it from being known.
   * @param left Called once, when the stream is over.
   */
  constructor(
    private readonly source: Omit<Followed, 'confirm'>,
    private readonly from: Position,
    private readonly mayRead: () => Promise<boolean>,
    private readonly left: () => void,
  ) {
    this.timers = [
      // A reader that takes nothing for a while is asked about too: nothing more may reach it.
      setInterval(() => void this.ask().catch(() => undefined), CONFIRM_EVERY_MS).unref(),
      setTimeout(() => this.close(), LASTS_MS).unref(),
    ];
  }

  /** Aborted when no more may be sent. */
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
    for (const timer of this.timers) clearTimeout(timer);
    this.over.abort();
    this.left();
  }

  /** The timer does it, unless the database does not answer: then nothing goes out on a word that is old. */
  private async confirm(): Promise<void> {
    if (performance.now() - this.confirmedAt > CONFIRM_EVERY_MS * 2) await this.ask();
  }

  private async ask(): Promise<void> {
    try {
      if (!(await this.mayRead())) this.close();
      this.confirmedAt = performance.now();
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'unauthenticated')) throw error;
      this.close();
    }
  }
}
