const LINE_FEED = 10;
const SPACE = 32;

/** Gaps below this size between searched lines are searched too, because splitting the stream costs more. */
const NEAR_BYTES = 512;
/**
 * If more than this many bytes, and more than half of all bytes so far, must be searched, the rest is
 * searched without a check.
 */
const MUCH_BYTES = 8 * 1024;

/** A run of whole lines: bytes from `start` to before `end`. */
export interface LineRange {
  start: number;
  end: number;
}

/** Collects, in order, which lines of a text must be searched. */
export class TouchedLines {
  readonly ranges: LineRange[] = [];
  private bytes = 0;

  constructor(private readonly text: Buffer) {}

  /** Marks every line that overlaps the range [`from`, `to`). @returns the end of the last marked line. */
  add(from: number, to: number): number {
    const start = from <= 0 ? 0 : this.text.lastIndexOf(LINE_FEED, from - 1) + 1;
    const next = this.text.indexOf(LINE_FEED, Math.max(from, to - 1));
    const end = next === -1 ? this.text.length : next + 1;
    const last = this.ranges.at(-1);
    const before = last?.end ?? 0;
    const isNear = start - before < NEAR_BYTES || this.isBlank(before, start);
    if (last !== undefined && isNear) last.end = Math.max(before, end);
    else this.ranges.push({ start: isNear ? before : start, end });
    this.bytes += end - Math.max(before, start);
    return end;
  }

  /** Whether so many bytes must be searched that checking further lines costs more than it saves. */
  areMany(at: number): boolean {
    return this.bytes > MUCH_BYTES && this.bytes * 2 > at;
  }

  /**
   * Returns the marked ranges. If only blank lines follow the last range, they are added, because a phrase
   * may continue across white space.
   */
  done(): readonly LineRange[] {
    const { length } = this.text;
    const end = this.ranges.at(-1)?.end ?? 0;
    if (end < length && this.isBlank(end, length)) this.add(end, length);
    return this.ranges;
  }

  private isBlank(start: number, end: number): boolean {
    for (let at = start; at < end; at += 1) if ((this.text[at] as number) > SPACE) return false;
    return true;
  }
}
