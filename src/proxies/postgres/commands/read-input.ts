import type { EventContent } from '../../../gate/ports/session-recorder';
import { failingQuery } from '../wire/client-messages';
import { QUERY } from '../wire/types';
import type { ExpectedAnswer } from '../pipeline/pipeline-state';

/** The texts of a client message that must be judged. */
export interface ReadInput {
  readonly bytes: Buffer;
  readonly recorded: EventContent;
  /** Whether the bytes must be valid UTF-8 because they are text only. */
  readonly mustBeUtf8: boolean;
  readonly failing: Buffer;
  readonly expected: ExpectedAnswer;
}

/** The message that replaces a refused one, and the answer that the server will give. */
export type Answered = Pick<ReadInput, 'failing' | 'expected'>;

/** A FunctionCall, which is refused without being read. */
export const UNREAD_CALL = { recorded: '', failing: failingQuery, expected: { kind: QUERY } };
