import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { UnreadableCell, ofUnknownType } from '../binary/cell-text';
import { UnknownType } from '../binary/print-value';
import type { SessionTypes } from '../binary/type-catalog';
import type { Refused } from '../pipeline/refusals';
import type { ResultScreen } from './result-screen';
import { type Message, currentMessage } from '../wire/client-messages';
import type { RowShape } from '../pipeline/row-text';

/**
 * Adds rows to the screening of a result. Looks up unknown types of cells at the target. Refuses a row that
 * cannot be read.
 */
export class ResultRows {
  constructor(
    private readonly result: ResultScreen,
    private readonly types: SessionTypes,
  ) {}

  /** Adds a row. Returns the reason if the row must not be delivered. */
  add(row: Message, shape: RowShape): MaybePromise<Refused | undefined> {
    try {
      const added = this.result.row(row.bytes, row.start, row.end, shape);
      if (!(added instanceof Promise)) return added;
      const place = currentMessage(row);
      return added.catch((error: unknown) => this.addUnread(error, place, shape));
    } catch (error) {
      return this.addUnread(error, currentMessage(row), shape);
    }
  }

  private addUnread(error: unknown, row: Message, shape: RowShape): MaybePromise<Refused | undefined> {
    if (error instanceof UnknownType) return this.learn(error.oid, row, shape);
    if (!(error instanceof UnreadableCell)) throw error;
    return this.result.refuseCell(error);
  }

  private async learn(oid: number, row: Message, shape: RowShape): Promise<Refused | undefined> {
    const learned = await this.types.learn(oid);
    if (learned === 'known') return this.add(row, shape);
    return this.result.refuseCell(ofUnknownType(oid, learned, shape.columns));
  }
}
