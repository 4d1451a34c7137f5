/**
 * Maximum length of a text that is searched on the event loop, until the speed of the search is known. UTF-16
 * code units, like all lengths below.
 */
const UNPROVEN = 4 * 1024;
/** Maximum length of a text that is searched on the event loop once the search has proved fast. */
const PROVEN = 80 * 1024;
/** Number of characters that must be searched without a slow result to prove that the search is fast. */
const PROOF = 256 * 1024;
/**
 * Factor by which the length of a call is multiplied, because a call is searched in several views: each text
 * by itself, pairs of texts, and all texts joined.
 */
const OF_A_CALL = 8;
/**
 * Number of characters added for each further UTF-8 byte of a non-ASCII character. NFKC may turn one
 * character into 18, and all of them are searched.
 */
const BEYOND_ASCII = 8;
/** Maximum length of a text that is searched on the event loop for `SLOW_FOR_MS` after a slow search. */
const SLOW = 512;
const SLOW_FOR_MS = 60_000;

/** Minimum total search time before the speed is judged. Garbage collection distorts shorter times. */
const JUDGED_MS = 30;
/**
 * Milliseconds per million characters above which a search is slow. RE2 takes about 10; a pattern that
 * overflows its automaton takes thousands.
 */
const SLOW_RATE = 250;
/**
 * Number of slow measurements in a row after which the search counts as slow. A single one may be due to a
 * busy machine or to code that is not compiled yet.
 */
const STRIKES = 2;
/**
 * Minimum duration of one search that makes the search count as slow at once. The text must be longer than
 * `UNPROVEN`.
 */
const TERRIBLE_MS = 50;

/**
 * Limits the length of texts that are searched on the event loop, by the time that earlier searches took. All
 * patterns take linear time, but their cost per character differs by a factor of a hundred. A sender may know
 * which texts make a pattern slow, and such texts must not delay other requests.
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
   * Whether this input may be searched on the event loop. The limit is for characters of usual cost; more
   * expensive characters count more than once.
   */
  allowsInput(text: string, { isCall }: { readonly isCall: boolean }): boolean {
    const limit = this.inlineLimit;
    if (text.length <= Math.min(limit, UNPROVEN)) return true;
    if (text.length > limit) return false;
    const length = text.length + BEYOND_ASCII * (Buffer.byteLength(text) - text.length);
    return length * (isCall ? OF_A_CALL : 1) <= limit;
  }

  /** Records the time that a search of a text of this length took, on any thread. */
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
