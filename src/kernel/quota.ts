import { AppError } from './app-error';

/** What is said where a quota is used up. */
interface QuotaMessages {
  /** All that this one may have are taken. */
  readonly own: string;
  /** All that there are are taken. */
  readonly all: string;
  readonly retryAfterSeconds: number;
}

/** Bounded counts: for each holder, and for all together. Nobody waits. */
export class Quota {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly each: number,
    private readonly total: number,
    private readonly words: QuotaMessages,
  ) {}

  /**
   * Counts one. Returns a function that gives it back; that is idempotent.
   * @throws AppError `too_many_requests` for a holder who has enough, `unavailable` when there is none at all.
   */
  acquire(holder: string): () => void {
    const own = this.taken.get(holder) ?? 0;
    const { retryAfterSeconds } = this.words;
    if (own >= this.each) throw new AppError('too_many_requests', this.words.own, { retryAfterSeconds });
    if (this.all >= this.total) throw new AppError('unavailable', this.words.all, { retryAfterSeconds });
    this.add(holder, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.add(holder, -1);
      isTaken = false;
    };
  }

  private add(holder: string, count: number): void {
    const own = (this.taken.get(holder) ?? 0) + count;
    if (own === 0) this.taken.delete(holder);
    else this.taken.set(holder, own);
    this.all += count;
  }
}
