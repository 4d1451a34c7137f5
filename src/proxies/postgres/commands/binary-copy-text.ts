import { textOf } from '../../../kernel/text/utf8';
import type { SessionPrinting } from '../binary/session-printing';
import { BinaryCopyPieces } from '../wire/binary-copy';
import type { Message } from '../wire/client-messages';
import type { Column } from '../wire/columns';
import { type RowShape, RowText, tuplesOf } from '../pipeline/row-text';

/**
 * Maximum size in bytes of a screened row, because a row is held in memory whole. Client messages have the
 * same limit.
 */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * Converts binary COPY FROM data to text for rules: the text that COPY TO would print. A value that cannot be
 * printed is judged by its bytes, like a parameter.
 */
export class BinaryCopyText {
  private readonly pieces: BinaryCopyPieces;
  private readonly text = new RowText();

  private constructor(private readonly shape: RowShape) {
    this.pieces = new BinaryCopyPieces(shape.columns?.length ?? 0, MAX_ROW_BYTES);
  }

  /** Creates a converter. First looks up the column types that are not known yet. */
  static async of(columns: readonly Column[], printing: SessionPrinting): Promise<BinaryCopyText> {
    for (const { type } of columns)
      if (printing.types.find(type) === undefined) await printing.types.learn(type);
    return new BinaryCopyText(tuplesOf(columns, printing.lenient));
  }

  /** Returns the text of the rows that these messages complete. @throws MalformedCopy */
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
