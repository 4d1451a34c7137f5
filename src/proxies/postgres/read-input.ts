import type { EventContent } from '../../gate/ports/session-recorder';
import { failingQuery } from './wire/client-messages';
import { QUERY } from './wire/types';
import type { Expected } from './pipeline-state';

/** What a message of the client holds that is to be judged as text. */
export interface ReadInput {
  readonly bytes: Buffer;
  readonly recorded: EventContent;
  /** It is text and nothing else. */
  readonly mustBeUtf8: boolean;
  readonly failing: Buffer;
  readonly expected: Expected;
}

/** What goes in the place of a message that is refused, and what is expected of the server. */
export type Answered = Pick<ReadInput, 'failing' | 'expected'>;

/** A FunctionCall, which nobody reads. */
export const UNREAD_CALL = { recorded: '', failing: failingQuery, expected: { kind: QUERY } };
