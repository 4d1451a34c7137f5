import { isUtf8 } from 'node:buffer';
import { renderCell } from '../../../kernel/text/tabular-text';
import { type RowCell, cellsOf, stepsOf, stringOf } from './row-cells';
import { HEAD_BYTES } from '../wire/message';
import { type RowShape, RowText } from '../pipeline/row-text';

/** Maximum size in bytes of a row that is screened at once. Larger rows are screened in pieces. */
export const LARGE_ROW = 256 * 1024;

/**
 * Minimum length of each screened piece of a row except the last, so that many small cells are screened
 * together.
 */
const PIECE = 16 * 1024;
const TAB = 0x09;
const LINE_FEED = 0x0a;

/** A row or a COPY data message that is too large to be handled at once. */
export class LargeRow {
  private constructor(
    readonly bytes: Buffer,
    readonly start: number,
    readonly end: number,
    readonly shape: RowShape | 'text',
    /** Cells of the row; undefined for COPY data in text form. */
    private readonly cells: readonly RowCell[] | undefined,
  ) {}

  /** Reads a large row. Yields between steps (see `inSlices`). @throws see `cellText` */
  static *of(
    bytes: Buffer,
    start: number,
    end: number,
    shape: RowShape | 'text',
  ): Generator<undefined, LargeRow> {
    const cells = typeof shape === 'string' ? undefined : yield* cellsOf(bytes, start, end, shape);
    return new LargeRow(bytes, start, end, shape, cells);
  }

  /** Whether all text cells are valid UTF-8. Binary cells are not checked. */
  get isUtf8(): boolean {
    if (this.cells === undefined) return isUtf8(this.body);
    return this.cells.every(({ isBinary, text }) => isBinary || !Buffer.isBuffer(text) || isUtf8(text));
  }

  get endsLine(): boolean {
    return this.cells !== undefined || this.bytes[this.end - 1] === LINE_FEED;
  }

  /** Yields the text that the rules judge, in pieces. */
  *texts(): Generator<string> {
    if (this.cells === undefined) {
      for (const step of stepsOf(this.body)) yield stringOf(step);
      return;
    }
    let piece = '';
    for (const [place, { index, text }] of this.cells.entries()) {
      if (place > 0) piece += index > 0 ? '\t' : '\n';
      if (text === null) piece += renderCell(null);
      else
        for (const step of stepsOf(text)) {
          piece += renderCell(stringOf(step));
          if (piece.length < PIECE) continue;
          yield piece;
          piece = '';
        }
    }
    yield `${piece}\n`;
  }

  /**
   * Yields, in pieces, the text to record if no rule applies to the row. Invalid UTF-8 is kept. Each piece is
   * valid only until the next one, which uses the same memory.
   */
  *contents(): Generator<Buffer> {
    if (this.cells === undefined) {
      for (const step of stepsOf(this.body)) yield step as Buffer;
      return;
    }
    const piece = new RowText();
    for (const [place, { index, text, isBinary }] of this.cells.entries()) {
      if (place > 0) piece.addBytes(Buffer.of(index > 0 ? TAB : LINE_FEED), 0, 1);
      if (text === null) piece.addText(renderCell(null));
      else
        for (const step of stepsOf(text)) {
          if (isBinary || typeof step === 'string') piece.addText(renderCell(stringOf(step)));
          else piece.addEscaped(step);
          if (piece.length < PIECE) continue;
          yield piece.view();
          piece.clear();
        }
    }
    piece.addBytes(Buffer.of(LINE_FEED), 0, 1);
    yield piece.view();
  }

  private get body(): Buffer {
    return this.bytes.subarray(this.start + HEAD_BYTES, this.end);
  }
}
