import { textOf } from '../../../kernel/text/utf8';
import type { SessionPrinting } from '../binary/session-printing';
import { BinaryCopyPieces } from '../wire/binary-copy';
import type { Message } from '../wire/client-messages';
import type { Column } from '../wire/columns';
import { type RowShape, RowText, tuplesOf } from '../pipeline/row-text';

/** A row that is screened is held in memory whole. The limit is that of a client message. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * Converts COPY FROM data in binary form to the text that rules look at, which is what COPY TO would print. A
 * value that cannot be printed is judged by its bytes, as a parameter is.
 */
export class BinaryCopyText {
  private readonly pieces: BinaryCopyPieces;
  private readonly text = new RowText();

  private constructor(private readonly shape: RowShape) {
    this.pieces = new BinaryCopyPieces(shape.columns?.length ?? 0, MAX_ROW_BYTES);
  }

  /** Looks up types that are not known yet. */
  static async of(columns: readonly Column[], printing: SessionPrinting): Promise<BinaryCopyText> {
    for (const { type } of columns)
      if (printing.types.find(type) === undefined) await printing.types.learn(type);
    return new BinaryCopyText(tuplesOf(columns, printing.lenient));
  }

  /** Returns the rows that are complete so far. @throws MalformedCopy */
  textOf(messages: readonly Message[]): string {
    for (const message of messages) {
      const whole = this.pieces.add(message);
      if (whole !== undefined) this.text.addRow(whole.bytes, whole.start, whole.end, this.shape);
    }
    const text = textOf(this.text.view());
    this.text.clear();
    return text;
  }
}
