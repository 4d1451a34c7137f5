import { AppError } from '../../../kernel/app-error';

/** Position of the next piece of a recording for a reader. Chunks count from 1, pieces in a chunk from 0. */
export interface Position {
  readonly seq: number;
  readonly index: number;
}

export const BEGINNING: Position = { seq: 1, index: 0 };
/** The id of the last message of a stream. */
export const END_ID = 'end';

/** Returns the id of the stream message that contains the piece at this position. */
export function idOf({ seq, index }: Position): string {
  return `${seq}.${index}`;
}

/**
 * Returns the position after the message with this id; null if it was the last message.
 * @throws AppError `malformed` if `id` has no valid form
 */
export function positionAfter(id: string | undefined): Position | null {
  // An empty id means that the reader has received no message yet (HTML, "Server-sent events").
  if (id === undefined || id === '') return BEGINNING;
  if (id === END_ID) return null;
  const [, seq, index] = /^([1-9]\d{0,8})\.(\d{1,9})$/.exec(id) ?? [];
  if (seq === undefined || index === undefined)
    throw new AppError('malformed', 'Last-Event-ID must be the id of a message of this stream');
  return { seq: Number(seq), index: Number(index) + 1 };
}
