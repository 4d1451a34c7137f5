/**
 * Until the speed of a search is known, only texts up to this length are
 * searched on the event loop. UTF-16 code units.
 */
const UNPROVEN = 4 * 1024;
/** The limit once the search has proved fast. */
const PROVEN = 80 * 1024;
/** Characters searched without being slow that count as proof. */
const PROOF = 256 * 1024;
/**
 * A call is searched in several views: each of its texts, two and two, and all in a row. So each character
 * counts as so many.
 */
const OF_A_CALL = 8;
/**
 * A character of an input beyond ASCII counts as so many for each further byte: it may become 18 others in
 * NFKC, and each of them is searched.
 */
const BEYOND_ASCII = 8;
/** The limit after the search was slow, for `SLOW_FOR_MS`. */
const SLOW = 512;
const SLOW_FOR_MS = 60_000;

/** Speed is judged once this much time has accumulated: shorter measurements show the garbage collector. */
const JUDGED_MS = 30;
/**
 * Milliseconds for a million characters. RE2 takes about 10; a pattern that
 * bursts its automaton takes thousands.
 */
const SLOW_RATE = 250;
/**
 * One slow measurement may be a busy machine or code not compiled yet, unless a
 * single text blocked the event loop for `TERRIBLE_MS`.
 */
const STRIKES = 2;
const TERRIBLE_MS = 50;

/**
 * Limits how long a text may be to be searched on the event loop, learned from the time of earlier searches.
 * All patterns are linear, but their cost per character differs by a factor of a hundred, and a sender may
 * know which texts make a pattern slow: such texts must not delay other requests.
 */
export class InlineTimeBudget {
  private searched = 0;
  private fast = 0;
  private spent = 0;
  private strikes = 0;
  private slowUntil = -Infinity;

  constructor(private readonly now: () => number = () => performance.now()) {}

  get inlineLimit(): number {
    if (this.now() < this.slowUntil) return SLOW;
    return this.fast >= PROOF ? PROVEN : UNPROVEN;
  }

  /**
   * Whether this input may be searched on the event loop. The limit holds for texts of common cost: what
   * costs more counts more.
   */
  allowsInput(text: string, { isCall }: { readonly isCall: boolean }): boolean {
    const limit = this.inlineLimit;
    if (text.length <= Math.min(limit, UNPROVEN)) return true;
    if (text.length > limit) return false;
    const length = text.length + BEYOND_ASCII * (Buffer.byteLength(text) - text.length);
    return length * (isCall ? OF_A_CALL : 1) <= limit;
  }

  /** Records that searching a text of this length took so many milliseconds, on any thread. */
  recordSearch(length: number, milliseconds: number): void {
    this.searched += length;
    this.fast += length;
    this.spent += milliseconds;
    if (this.spent < JUDGED_MS) return;
    const isSlow = this.spent / (this.searched / 1e6) > SLOW_RATE;
    const isTerrible = isSlow && milliseconds >= TERRIBLE_MS && length > UNPROVEN;
    this.strikes = isSlow ? this.strikes + (isTerrible ? STRIKES : 1) : 0;
    if (isSlow) this.fast = 0;
    if (this.strikes >= STRIKES) this.slowUntil = this.now() + SLOW_FOR_MS;
    this.searched = 0;
    this.spent = 0;
  }
}
