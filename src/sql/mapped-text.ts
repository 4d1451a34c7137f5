export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** Pieces of a text in order: where each begins, and its range of the source. `linear` pieces map unit by unit. */
interface Pieces {
  readonly at: number[];
  readonly sourceStart: number[];
  readonly sourceEnd: number[];
  readonly linear: boolean[];
}

/** A text made from another, and where each piece of it came from. All offsets are UTF-16 code units. */
export class MappedText {
  /** `pieces` is null for a text that is its own source: nothing to look up, nothing to keep. */
  private constructor(
    readonly text: string,
    private readonly pieces: Pieces | null,
  ) {}

  static unchanged(text: string): MappedText {
    return new MappedText(text, null);
  }

  /** For `MappedTextBuilder`. */
  static of(text: string, pieces: Pieces): MappedText {
    return new MappedText(text, pieces);
  }

  /**
   * The range of the source that [start, end) of `text` came from. It covers what was removed inside, and the
   * whole of a piece that was changed as one. An empty range gives an empty range at the same place.
   */
  sourceRange(start: number, end: number): TextRange {
    const pieces = this.pieces;
    if (pieces === null) return { start, end };
    if (pieces.at.length === 0) return { start: 0, end: 0 };
    const from = start < this.text.length ? sourceStartOf(pieces, start) : sourceEndOf(pieces, start);
    return { start: from, end: start >= end ? from : sourceEndOf(pieces, end) };
  }

  /** The offset in `text` of the first unit that came from the source's offset or from behind it. */
  offsetOf(source: number): number {
    const pieces = this.pieces;
    if (pieces === null) return source;
    const index = firstAfter(pieces.sourceEnd, source);
    if (index >= pieces.at.length) return this.text.length;
    const at = pieces.at[index] ?? 0;
    const inside = source - (pieces.sourceStart[index] ?? 0);
    return Math.min(pieces.linear[index] === true && inside > 0 ? at + inside : at, this.text.length);
  }

  /** The same text, mapped to the source of its source: `this` was made from `earlier.text`. */
  from(earlier: MappedText): MappedText {
    if (this.pieces === null) return earlier;
    if (earlier.pieces === null) return this;
    const builder = new MappedTextBuilder();
    builder.appendVia(this, earlier);
    return builder.build();
  }

  slice(start: number, end: number): MappedText {
    // Pieces behind the end of the text do no harm, so a cut at the end needs no copy of them.
    if (start === 0 && this.pieces !== null) return new MappedText(this.text.slice(0, end), this.pieces);
    const builder = new MappedTextBuilder();
    builder.append(this, start, end);
    return builder.build();
  }

  /** Calls `visit` with each piece of [start, end): its range here, its range of the source, whether it is linear. */
  eachPiece(start: number, end: number, visit: PieceVisitor): void {
    if (start >= end) return;
    const pieces = this.pieces;
    if (pieces === null) {
      visit(start, end, start, end, true);
      return;
    }
    for (let index = firstAfter(pieces.at, start) - 1; index < pieces.at.length; index++) {
      const at = pieces.at[index] ?? 0;
      if (at >= end) return;
      const next = pieces.at[index + 1] ?? this.text.length;
      const linear = pieces.linear[index] === true;
      const low = Math.max(at, start);
      const high = Math.min(next, end);
      const from = pieces.sourceStart[index] ?? 0;
      if (linear) visit(low, high, from + low - at, from + high - at, true);
      else visit(low, high, from, pieces.sourceEnd[index] ?? from, false);
    }
  }
}

type PieceVisitor = (start: number, end: number, from: number, to: number, linear: boolean) => void;

/** Puts a MappedText together from left to right. */
export class MappedTextBuilder {
  private text = '';
  private readonly pieces: Pieces = { at: [], sourceStart: [], sourceEnd: [], linear: [] };

  /** `source` is needed for `copy` only. */
  constructor(private readonly source = '') {}

  /** Takes [start, end) of the source as it is. */
  copy(start: number, end: number): void {
    if (start < end) this.add(this.source.slice(start, end), start, end, true);
  }

  /** `text` stands for [start, end) of the source; the empty text leaves the range out. */
  replace(text: string, start: number, end: number): void {
    if (text !== '') this.add(text, start, end, text.length === 1 && end - start === 1);
  }

  /** `text` stands for [start, end) of a text that is mapped to the source. */
  replaceVia(mapped: MappedText, text: string, start: number, end: number): void {
    const range = mapped.sourceRange(start, end);
    this.replace(text, range.start, range.end);
  }

  /** Takes [start, end) of a text that is mapped to this builder's source already, shifted by `shift`. */
  append(mapped: MappedText, start: number, end: number, shift = 0): void {
    mapped.eachPiece(start, end, (low, high, from, to, linear) => {
      this.add(mapped.text.slice(low, high), from + shift, to + shift, linear);
    });
  }

  /** Takes all of `mapped`, which was made from `earlier.text`, mapped to the source of `earlier`. */
  appendVia(mapped: MappedText, earlier: MappedText): void {
    mapped.eachPiece(0, mapped.text.length, (low, high, from, to, linear) => {
      if (!linear) {
        this.replaceVia(earlier, mapped.text.slice(low, high), from, to);
        return;
      }
      // The text is taken from `mapped`: a linear piece may hold another character than its source.
      earlier.eachPiece(from, to, (start, end, sourceStart, sourceEnd, same) => {
        this.add(mapped.text.slice(low + start - from, low + end - from), sourceStart, sourceEnd, same);
      });
    });
  }

  build(): MappedText {
    return MappedText.of(this.text, this.pieces);
  }

  private add(text: string, start: number, end: number, linear: boolean): void {
    const { at, sourceStart, sourceEnd, linear: kinds } = this.pieces;
    const last = at.length - 1;
    if (linear && kinds[last] === true && sourceEnd[last] === start) sourceEnd[last] = end;
    else {
      at.push(this.text.length);
      sourceStart.push(start);
      sourceEnd.push(end);
      kinds.push(linear);
    }
    this.text += text;
  }
}

function sourceStartOf(pieces: Pieces, offset: number): number {
  const index = firstAfter(pieces.at, offset) - 1;
  const from = pieces.sourceStart[index] ?? 0;
  return pieces.linear[index] === true ? from + offset - (pieces.at[index] ?? 0) : from;
}

function sourceEndOf(pieces: Pieces, end: number): number {
  const index = firstAfter(pieces.at, end - 1) - 1;
  if (pieces.linear[index] !== true) return pieces.sourceEnd[index] ?? 0;
  return (pieces.sourceStart[index] ?? 0) + end - (pieces.at[index] ?? 0);
}

/** The index of the first of the ascending `values` that is greater than `value`. */
function firstAfter(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((values[middle] ?? 0) > value) high = middle;
    else low = middle + 1;
  }
  return low;
}
