export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text made from another text, its source. Knows the origin of each piece. Offsets are UTF-16 units. */
export class MappedText {
  /**
   * @param known the map, or a function that makes it, because many texts never need their map. Null for a
   * text that equals its source.
   */
  private constructor(
    readonly text: string,
    private known: OffsetMap | null | (() => OffsetMap | null),
  ) {}

  private get map(): OffsetMap | null {
    if (typeof this.known === 'function') this.known = this.known();
    return this.known;
  }

  static unchanged(text: string): MappedText {
    return new MappedText(text, null);
  }

  /** Used only by `MappedTextBuilder`. */
  static of(text: string, map: OffsetMap): MappedText {
    return new MappedText(text, map);
  }

  /** Returns a text that is one piece: every part of it maps to the same range of its source. */
  static asOne(text: string, range: () => TextRange): MappedText {
    return new MappedText(text, () => {
      const { start, end } = range();
      const map = new OffsetMap();
      map.add(text.length, start, end, false);
      return map;
    });
  }

  /** Returns a text whose map is made on first use. @param make returns the same text, with its map */
  static lazily(text: string, make: () => MappedText): MappedText {
    return new MappedText(text, () => make().map);
  }

  /**
   * Returns the range of the source from which [start, end) of `text` was made. It includes text that was
   * removed inside the range. If a piece was changed as a whole, it includes the whole piece. An empty range
   * gives an empty range at the same place.
   */
  sourceRange(start: number, end: number): TextRange {
    const { map } = this;
    if (map === null) return { start, end };
    const from = start < this.text.length ? map.sourceStart(start) : map.sourceEnd(start);
    return { start: from, end: start >= end ? from : map.sourceEnd(end) };
  }

  /** Returns the offset in `text` of the first unit that was made from offset `source` or a later one. */
  offsetOf(source: number): number {
    return Math.min(this.map === null ? source : this.map.offsetOf(source), this.text.length);
  }

  /** Maps this text, which was made from `earlier.text`, to the source of `earlier`. */
  from(earlier: MappedText): MappedText {
    if (this.map === null) return earlier;
    if (earlier.map === null) return this;
    const map = new OffsetMap();
    const add: PieceVisitor = (...piece) => map.add(...piece);
    this.eachPiece(0, this.text.length, (length, from, to, linear) => {
      if (linear) earlier.eachPiece(from, to, add);
      else {
        const { start, end } = earlier.sourceRange(from, to);
        map.add(length, start, end, isOneForOne(length, start, end));
      }
    });
    return new MappedText(this.text, map);
  }

  slice(start: number, end: number): MappedText {
    const text = this.text.slice(start, end);
    // Reuses the whole map, which may extend beyond the end of the slice.
    if (start === 0) return new MappedText(text, this.map);
    return new MappedText(text, () => {
      const map = new OffsetMap();
      this.eachPiece(start, end, (...piece) => map.add(...piece));
      return map;
    });
  }

  /**
   * Calls `visit` with each piece of [start, end): its length, its range of the source, and whether it is
   * linear, that is, maps unit by unit.
   */
  eachPiece(start: number, end: number, visit: PieceVisitor): void {
    if (this.map === null) visit(end - start, start, end, true);
    else this.map.eachPiece(start, end, visit);
  }
}

type PieceVisitor = (length: number, from: number, to: number, linear: boolean) => void;

/**
 * Stores only the changes of a text. A change means that [at, atEnd) of the text was made from [start, end)
 * of the source as a whole. Text between two changes maps unit by unit.
 */
class OffsetMap {
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

/** Builds a MappedText from left to right: the source with replacements. */
export class MappedTextBuilder {
  private text = '';
  /** Null while nothing has changed. */
  private map: OffsetMap | null = null;
  private done = 0;

  constructor(private readonly source: string) {}

  /** Replaces [start, end) of the source by `text`, which may be empty. */
  replace(start: number, end: number, text: string): void {
    if (end - start === 1 && text === this.source[start]) return;
    const map = this.copy(start);
    this.text += text;
    map.add(text.length, start, end, isOneForOne(text.length, start, end));
    this.done = end;
  }

  /** Replaces [start, end) of the source by `mapped`, which was made from that range. */
  insert(start: number, end: number, mapped: MappedText): void {
    const map = this.copy(start);
    this.text += mapped.text;
    mapped.eachPiece(0, mapped.text.length, (length, from, to, linear) => {
      map.add(length, start + from, start + to, linear);
    });
    this.done = end;
  }

  build(): MappedText {
    if (this.map === null) return MappedText.unchanged(this.source);
    const map = this.copy(this.source.length);
    return MappedText.of(this.text, map);
  }

  /** Copies the source unchanged up to `end`. */
  private copy(end: number): OffsetMap {
    this.map ??= new OffsetMap();
    if (end > this.done) {
      this.text += this.source.slice(this.done, end);
      this.map.add(end - this.done, this.done, end, true);
    }
    return this.map;
  }
}

/** Whether a replacement of this length maps unit by unit, like unchanged text. */
function isOneForOne(length: number, start: number, end: number): boolean {
  return length === 1 && end - start === 1;
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
