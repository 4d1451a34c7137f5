import { AppError } from '../app-error';

/** Error messages for an exhausted quota. */
interface QuotaMessages {
  /** Message for a holder that has reached its own limit. */
  readonly own: string;
  /** Message when all holders together have reached the limit. */
  readonly all: string;
  readonly retryAfterSeconds: number;
}

/** Limits the count of each holder, and the sum of all counts. Refuses an excess; callers never wait. */
export class Quota {
  private readonly taken = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly each: number,
    private readonly total: number,
    private readonly words: QuotaMessages,
  ) {}

  /**
   * Adds one. Returns an idempotent function that subtracts it again.
   * @throws AppError `too_many_requests` at the holder's limit, `unavailable` at the limit for all.
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
