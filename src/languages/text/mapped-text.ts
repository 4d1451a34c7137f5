import { OffsetMap, type PieceVisitor } from './offset-map';

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A text made from another text, its source. Knows the origin of each piece. Offsets are UTF-16 units. */
export class MappedText {
  /**
   * @param known the map, or a function that makes it, because many texts never need their map. Null for a
   * text that equals its source.
   * @param steps the two texts whose maps make the map of this one
   */
  private constructor(
    readonly text: string,
    private known: OffsetMap | null | (() => OffsetMap | null),
    private readonly steps?: { readonly later: MappedText; readonly earlier: MappedText },
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
   * Returns the text without some of its characters. A builder would make a string for each part between
   * them, and bytes that are no text have thousands of such parts.
   * @param removedAt the number of units to remove at an offset; 0 for none
   */
  static without(text: string, removedAt: (at: number) => number): MappedText {
    let start = 0;
    while (start < text.length && removedAt(start) === 0) start += 1;
    if (start === text.length) return MappedText.unchanged(text);
    const kept = new Uint16Array(text.length - start);
    const map = new OffsetMap();
    map.add(start, 0, start, true);
    let size = 0;
    let from = start;
    for (let at = start; at < text.length;) {
      const removed = removedAt(at);
      if (removed === 0) kept[size++] = text.charCodeAt(at++);
      else {
        map.add(at - from, from, at, true);
        at += removed;
        from = at;
      }
    }
    map.add(text.length - from, from, text.length, true);
    return new MappedText(text.slice(0, start) + textOfUnits(kept.subarray(0, size)), map);
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
    if (this.steps !== undefined) return this.steps.later.offsetOf(this.steps.earlier.offsetOf(source));
    return Math.min(this.map === null ? source : this.map.offsetOf(source), this.text.length);
  }

  /** Maps this text, which was made from `earlier.text`, to the source of `earlier`. */
  from(earlier: MappedText): MappedText {
    if (this.known === null) return earlier;
    if (earlier.known === null) return this;
    return new MappedText(this.text, () => this.mapFrom(earlier), { later: this, earlier });
  }

  private mapFrom(earlier: MappedText): OffsetMap {
    const map = new OffsetMap();
    const add: PieceVisitor = (length, start, end, linear) => map.add(length, start, end, linear);
    this.eachPiece(0, this.text.length, (length, from, to, linear) => {
      if (linear) earlier.eachPiece(from, to, add);
      else {
        const { start, end } = earlier.sourceRange(from, to);
        map.add(length, start, end, isOneForOne(length, start, end));
      }
    });
    return map;
  }

  slice(start: number, end: number): MappedText {
    const text = this.text.slice(start, end);
    // Reuses the whole map, which may extend beyond the end of the slice.
    if (start === 0) return new MappedText(text, this.map);
    return new MappedText(text, () => {
      const map = new OffsetMap();
      this.eachPiece(start, end, (length, from, to, linear) => map.add(length, from, to, linear));
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

/** Maximum number of arguments of a call. */
const UNITS_AT_ONCE = 4096;

function textOfUnits(units: Uint16Array): string {
  let text = '';
  for (let at = 0; at < units.length; at += UNITS_AT_ONCE)
    text += Reflect.apply(String.fromCharCode, undefined, units.subarray(at, at + UNITS_AT_ONCE));
  return text;
}
