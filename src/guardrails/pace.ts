/** Before it is known how fast a search is, only texts of up to this length are searched here. UTF-16 code units. */
const UNPROVEN = 4 * 1024;
/** A search that has shown to be fast may take texts of up to this length. */
const PROVEN = 80 * 1024;
/** So many characters searched without being slow are the proof. */
const PROOF = 256 * 1024;
/** A slow one leaves all but the shortest texts to other threads, for as long as this. */
const SLOW = 512;
const SLOW_FOR_MS = 60_000;

/** Time is judged when this much has gathered: shorter measurements tell of the garbage collector, not of the search. */
const JUDGED_MS = 30;
/** Milliseconds for a million characters. RE2 takes about 10; a pattern that bursts its automaton takes thousands. */
const SLOW_RATE = 250;
/** Once may be a machine that was busy, or code that was not compiled yet; unless others had to wait for this long. */
const STRIKES = 2;
const TERRIBLE_MS = 50;

/**
 * How long a text may be to be searched on the event loop, learned from what searches took. All patterns are linear,
 * but what they cost for each character differs by a factor of a hundred, and whoever sends texts may know which
 * make a pattern slow: no text of theirs may hold up everybody else.
 */
export class Pace {
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

  /** A text of that length took that many milliseconds, wherever it was searched. */
  took(length: number, milliseconds: number): void {
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
