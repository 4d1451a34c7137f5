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
 * Handles the server's COPY messages: which data it requests, and the tuples
 * in binary form that a rule looks at.
 */
export class CopyAnswers {
  private tuples: { readonly pieces: BinaryCopyPieces; readonly shape: RowShape } | undefined;

  constructor(
    private readonly pipelineState: PipelineState,
    private readonly columns: CopyColumns,
    private readonly printing: SessionPrinting,
    private readonly maxRowBytes: number,
  ) {}

  /** Data for reading the COPY data that come now; undefined for text, and for data that no rule looks at. */
  get shape(): RowShape | undefined {
    return this.tuples?.shape;
  }

  /** Handles CopyInResponse. @returns the message, once the columns of the data are known. */
  asked(message: Message): MaybePromise<Message> {
    const { isBinary, columns } = copyResponse(message);
    const learned = isBinary ? this.columns.columnsOf(this.pipelineState.head, columns) : undefined;
    return thenMaybe(learned, (known) => {
      this.pipelineState.copyInBegan(isBinary, known);
      return message;
    });
  }

  /** Handles CopyOutResponse. @returns the reason when the data must not be delivered. */
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

  /** Adds data in binary form. @returns the tuples that are complete so far, if any. */
  whole(message: Message): Message | 'malformed' | undefined {
    try {
      return this.tuples?.pieces.add(message);
    } catch (error) {
      if (error instanceof MalformedCopy) return 'malformed';
      throw error;
    }
  }

  /** Handles CopyDone. @returns the reason when a tuple is incomplete. */
  done(): Refused | undefined {
    const isCut = this.tuples?.pieces.isWhole === false;
    this.tuples = undefined;
    return isCut ? MALFORMED_COPY : undefined;
  }
}
