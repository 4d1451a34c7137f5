import type { EventContent } from '../../gate/ports/session-recorder';
import type { Expected } from './in-flight';

/** What a message of the client holds that is to be judged as text. */
export interface ReadInput {
  readonly bytes: Buffer;
  readonly recorded: EventContent;
  /** It is text and nothing else. */
  readonly mustBeUtf8: boolean;
  readonly failing: Buffer;
  readonly expected: Expected;
}
