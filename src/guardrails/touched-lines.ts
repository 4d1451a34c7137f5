const LINE_FEED = 10;
const SPACE = 32;

/** Lines before those that are looked at, and no more bytes than this, are looked at with them: to part the stream costs more. */
const NEAR_BYTES = 512;
/** Where so much was looked at, and it is half of all, the rest is not asked about any more. */
const MUCH_BYTES = 8 * 1024;

/** A run of whole lines: bytes from `start` to before `end`. */
export interface LineRange {
  start: number;
  end: number;
}

/** The lines of a text, each with its line break, that have to be looked at: told from place to place, in order. */
export class TouchedLines {
  readonly ranges: LineRange[] = [];
  private bytes = 0;

  constructor(private readonly text: Buffer) {}

  /** Something is, or may be, between these places. @returns where the last of its lines ends. */
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

  /** Whether more would be looked at anyway, as far as can be told at that place. */
  areMany(at: number): boolean {
    return this.bytes > MUCH_BYTES && this.bytes * 2 > at;
  }

  /** Nothing more is told. Only white space: a phrase may go on in it that begins before and ends behind. */
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
