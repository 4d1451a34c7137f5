import type { EventContent } from '../../../gate/ports/session-recorder';
import { failingQuery } from '../wire/client-messages';
import { QUERY } from '../wire/types';
import type { ExpectedAnswer } from '../pipeline/pipeline-state';

/** Data of a client message that are needed to judge, record or refuse it. */
export interface ReadInput {
  readonly bytes: Buffer;
  readonly recorded: EventContent;
  /** Whether the bytes are text only and so must be valid UTF-8. */
  readonly mustBeUtf8: boolean;
  readonly failing: Buffer;
  readonly expected: ExpectedAnswer;
}

/** The message to send in place of a refused one, and the answer to expect from the server. */
export type Answered = Pick<ReadInput, 'failing' | 'expected'>;

/** A FunctionCall, which is refused without being read. */
export const UNREAD_CALL = { recorded: '', failing: failingQuery, expected: { kind: QUERY } };
