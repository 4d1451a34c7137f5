import { textOf } from '../../kernel/utf8';
import type { SessionPrinting } from './binary/session-printing';
import { BinaryCopyPieces } from './wire/binary-copy';
import type { Message } from './wire/client-messages';
import type { Column } from './wire/columns';
import { type RowShape, RowText, tuplesOf } from './wire/row-text';

/** A row that is looked at is held whole; as large as a message of a client may be. */
const MAX_ROW_BYTES = 64 * 1024 * 1024;

/**
 * Data of COPY FROM in binary form as the text that rules look at: the same that COPY TO would print of the values. A value
 * that cannot be printed is its bytes, as a parameter is.
 */
export class BinaryCopyText {
  private readonly pieces: BinaryCopyPieces;
  private readonly text = new RowText();

  private constructor(private readonly shape: RowShape) {
    this.pieces = new BinaryCopyPieces(shape.columns?.length ?? 0, MAX_ROW_BYTES);
  }

  /** Asks for the types that are not known yet. */
  static async of(columns: readonly Column[], printing: SessionPrinting): Promise<BinaryCopyText> {
    for (const { type } of columns)
      if (printing.types.find(type) === undefined) await printing.types.learn(type);
    return new BinaryCopyText(tuplesOf(columns, printing.lenient));
  }

  /** The rows that are whole by now. @throws MalformedCopy */
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
