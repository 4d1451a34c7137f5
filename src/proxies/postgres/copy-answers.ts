import { type MaybePromise, thenMaybe } from '../../kernel/maybe-promise';
import type { SessionPrinting } from './binary/session-printing';
import type { CopyColumns } from './copy-columns';
import type { PipelineState } from './pipeline-state';
import { BINARY_COPY, MALFORMED_COPY, type Refused } from './refusals';
import { BinaryCopyPieces, MalformedCopy } from './wire/binary-copy';
import type { Message } from './wire/client-messages';
import { type RowShape, tuplesOf } from './wire/row-text';
import { copyResponse } from './wire/server-messages';

/** What a server says of COPY: which data it asks for, and the tuples that it sends in binary form where a rule looks at them. */
export class CopyAnswers {
  private tuples: { readonly pieces: BinaryCopyPieces; readonly shape: RowShape } | undefined;

  constructor(
    private readonly inFlight: PipelineState,
    private readonly columns: CopyColumns,
    private readonly printing: SessionPrinting,
    private readonly maxRowBytes: number,
  ) {}

  /** How the data that come now are read; undefined where they are text, or nobody looks at them. */
  get shape(): RowShape | undefined {
    return this.tuples?.shape;
  }

  /** CopyInResponse. @returns the message, once it is known which data it asks for. */
  asked(message: Message): MaybePromise<Message> {
    const { isBinary, columns } = copyResponse(message);
    const learned = isBinary ? this.columns.columnsOf(this.inFlight.head, columns) : undefined;
    return thenMaybe(learned, (known) => {
      this.inFlight.copyInBegan(isBinary, known);
      return message;
    });
  }

  /** CopyOutResponse. @returns why the data may not be delivered, if so. */
  begun(message: Message, isLookedAt: boolean): MaybePromise<Refused | undefined> {
    this.tuples = undefined;
    const { isBinary, columns: count } = copyResponse(message);
    if (!isBinary || !isLookedAt) return undefined;
    return thenMaybe(this.columns.columnsOf(this.inFlight.head, count), (columns) => {
      if (columns === undefined) return BINARY_COPY;
      const pieces = new BinaryCopyPieces(count, this.maxRowBytes);
      this.tuples = { pieces, shape: tuplesOf(columns, this.printing.strict) };
      return undefined;
    });
  }

  /** Takes data in binary form. @returns the tuples that are whole by now, if there are any. */
  whole(message: Message): Message | 'malformed' | undefined {
    try {
      return this.tuples?.pieces.add(message);
    } catch (error) {
      if (error instanceof MalformedCopy) return 'malformed';
      throw error;
    }
  }

  /** CopyDone. @returns why that is too early, if so. */
  done(): Refused | undefined {
    const isCut = this.tuples?.pieces.isWhole === false;
    this.tuples = undefined;
    return isCut ? MALFORMED_COPY : undefined;
  }
}
