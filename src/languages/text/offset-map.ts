/** Takes one piece of a text: its length, its range of the source, and whether it maps unit by unit. */
export type PieceVisitor = (length: number, from: number, to: number, linear: boolean) => void;

/**
 * Stores only the changes of a text. A change means that [at, atEnd) of the text was made from [start, end)
 * of the source as a whole. Text between two changes maps unit by unit.
 */
export class OffsetMap {
  // The first entry is not a change. Because of it, every offset has an entry at or before it.
  private readonly at = [0];
  private readonly atEnd = [0];
  private readonly start = [0];
  private readonly end = [0];
  private length = 0;
  private sourceLength = 0;

  /** Appends `length` units made from [start, end) of the source. */
  add(length: number, start: number, end: number, linear: boolean): void {
    if (length === 0) return;
    const { length: at, sourceLength } = this;
    this.length += length;
    this.sourceLength = end;
    if (!linear) this.change(at, at + length, start, end);
    else if (start !== sourceLength) this.change(at, at, sourceLength, start);
  }

  private change(at: number, atEnd: number, start: number, end: number): void {
    this.at.push(at);
    this.atEnd.push(atEnd);
    this.start.push(start);
    this.end.push(end);
  }

  sourceStart(offset: number): number {
    const index = firstAfter(this.at, offset) - 1;
    const inside = offset - this.atEnd[index]!;
    return inside < 0 ? this.start[index]! : this.end[index]! + inside;
  }

  /** Returns the source offset at which the unit before `end` ends; 0 for an empty text. */
  sourceEnd(end: number): number {
    const index = firstAfter(this.at, Math.max(0, end - 1)) - 1;
    return this.end[index]! + Math.max(0, end - this.atEnd[index]!);
  }

  offsetOf(source: number): number {
    const index = firstAfter(this.end, source);
    const linear = this.atEnd[index - 1]! + source - this.end[index - 1]!;
    return Math.min(linear, this.at[index] ?? linear);
  }

  eachPiece(start: number, end: number, visit: PieceVisitor): void {
    for (let index = firstAfter(this.at, start) - 1; index < this.at.length; index++) {
      const at = this.at[index]!;
      if (at >= end) return;
      const atEnd = this.atEnd[index]!;
      const sourceEnd = this.end[index]!;
      const changed = Math.min(atEnd, end) - Math.max(at, start);
      if (changed > 0) visit(changed, this.start[index]!, sourceEnd, false);
      const from = sourceEnd + Math.max(0, start - atEnd);
      const to = sourceEnd + Math.min(this.at[index + 1] ?? end, end) - atEnd;
      if (from < to) visit(to - from, from, to, true);
    }
  }
}

/** The index of the first of the ascending `values` that is greater than `value`. */
function firstAfter(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle]! > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
