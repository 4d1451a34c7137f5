import { AppError } from '../../../kernel/app-error';

/** Position of a reader's next piece. Chunks are counted from 1, pieces of a chunk from 0. */
export interface Position {
  readonly seq: number;
  readonly index: number;
}

export const BEGINNING: Position = { seq: 1, index: 0 };
/** The id of the last message of a stream. */
export const END_ID = 'end';

/** Returns the id of the message with the piece at this position. */
export function idOf({ seq, index }: Position): string {
  return `${seq}.${index}`;
}

/**
 * Returns the position after the message with this id; null after the last message.
 * @throws AppError `malformed` for an id that no message has
 */
export function positionAfter(id: string | undefined): Position | null {
  // An empty id means that there was no message (HTML, "Server-sent events").
  if (id === undefined || id === '') return BEGINNING;
  if (id === END_ID) return null;
  const [, seq, index] = /^([1-9]\d{0,8})\.(\d{1,9})$/.exec(id) ?? [];
  if (seq === undefined || index === undefined)
    throw new AppError('malformed', 'Last-Event-ID must be the id of a message of this stream');
  return { seq: Number(seq), index: Number(index) + 1 };
}
