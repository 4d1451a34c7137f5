import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { SessionPrinting } from '../binary/session-printing';
import type { CopyColumns } from '../pipeline/copy-columns';
import type { PipelineState } from '../pipeline/pipeline-state';
import { BINARY_COPY, MALFORMED_COPY, type Refused } from '../pipeline/refusals';
import { BinaryCopyPieces, MalformedCopy } from '../wire/binary-copy';
import type { Message } from '../wire/client-messages';
import { type RowShape, tuplesOf } from '../pipeline/row-text';
import { copyResponse } from '../wire/server-messages';

/**
 * Handles the server's COPY messages: its requests for COPY data, and tuples in binary form to which a rule
 * applies.
 */
export class CopyAnswers {
  private tuples: { readonly pieces: BinaryCopyPieces; readonly shape: RowShape } | undefined;

  constructor(
    private readonly pipelineState: PipelineState,
    private readonly columns: CopyColumns,
    private readonly printing: SessionPrinting,
    private readonly maxRowBytes: number,
  ) {}

  /** Shape of the current COPY data; undefined for text form, and for data to which no rule applies. */
  get shape(): RowShape | undefined {
    return this.tuples?.shape;
  }

  /** Handles CopyInResponse. @returns the unchanged message, once the columns of the data are known. */
  asked(message: Message): MaybePromise<Message> {
    const { isBinary, columns } = copyResponse(message);
    const learned = isBinary ? this.columns.columnsOf(this.pipelineState.head, columns) : undefined;
    return thenMaybe(learned, (known) => {
      this.pipelineState.copyInBegan(isBinary, known);
      return message;
    });
  }

  /** Handles CopyOutResponse. @returns the reason if the data must not be delivered. */
  begun(message: Message, isLookedAt: boolean): MaybePromise<Refused | undefined> {
    this.tuples = undefined;
    const { isBinary, columns: count } = copyResponse(message);
    if (!isBinary || !isLookedAt) return undefined;
    return thenMaybe(this.columns.columnsOf(this.pipelineState.head, count), (columns) => {
      if (columns === undefined) return BINARY_COPY;
      const pieces = new BinaryCopyPieces(count, this.maxRowBytes);
      this.tuples = { pieces, shape: tuplesOf(columns, this.printing.strict) };
      return undefined;
    });
  }

  /** Adds COPY data in binary form. @returns a message with the tuples that are complete, if any. */
  whole(message: Message): Message | 'malformed' | undefined {
    try {
      return this.tuples?.pieces.add(message);
    } catch (error) {
      if (error instanceof MalformedCopy) return 'malformed';
      throw error;
    }
  }

  /** Handles CopyDone. @returns the refusal if the last tuple is incomplete. */
  done(): Refused | undefined {
    const isCut = this.tuples?.pieces.isWhole === false;
    this.tuples = undefined;
    return isCut ? MALFORMED_COPY : undefined;
  }
}
