import type { WireMessage } from './messages';

const READY = 'Z';
const ERROR = 'E';
const COPY_IN = 'G';
/**
 * Types of the messages that complete the answer to one message of an extended query: Parse, Bind, Close,
 * Describe (with RowDescription or NoData), Execute (CommandComplete, EmptyQueryResponse, PortalSuspended).
 */
const ANSWERS = new Set(['1', '2', '3', 'T', 'n', 'C', 'I', 's']);

/** Derives from the server's answers which of the sent messages it has processed. */
export class Progress {
  readies = 0;
  /** Number of answered messages since the last ReadyForQuery. */
  answers = 0;
  failed = false;
  /** Whether the server's last answer was its request for COPY data. */
  inCopy = false;
  private seen = 0;

  constructor(private readonly messages: () => readonly WireMessage[]) {}

  /** Reads the messages that arrived since the last call. */
  look(): this {
    const messages = this.messages();
    for (; this.seen < messages.length; this.seen++) this.take(messages[this.seen]?.type ?? '');
    return this;
  }

  private take(type: string): void {
    // Notices, notifications and parameter changes may follow the request for data, so they do not reset it.
    if (!'NAS'.includes(type)) this.inCopy = type === COPY_IN;
    if (type === READY) {
      this.readies += 1;
      this.answers = 0;
      this.failed = false;
    } else if (type === ERROR) {
      this.failed = true;
    } else if (ANSWERS.has(type)) {
      this.answers += 1;
    }
  }
}
