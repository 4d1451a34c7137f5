import type { WireMessage } from './messages';

const READY = 'Z';
const ERROR = 'E';
const COPY_IN = 'G';
/**
 * The message with which the server is done with one message of an extended query: Parse, Bind, Close,
 * Describe (row description or none), Execute (complete, empty, suspended).
 */
const ANSWERS = new Set(['1', '2', '3', 'T', 'n', 'C', 'I', 's']);

/** A server's progress in the messages that it got, read from its answers alone. */
export class Progress {
  readies = 0;
  /** Since the last ReadyForQuery. */
  answers = 0;
  failed = false;
  /** It has asked for data, and nothing else came since. */
  inCopy = false;
  private seen = 0;

  constructor(private readonly messages: () => readonly WireMessage[]) {}

  /** Takes in what is new. */
  look(): this {
    const messages = this.messages();
    for (; this.seen < messages.length; this.seen++) this.take(messages[this.seen]?.type ?? '');
    return this;
  }

  private take(type: string): void {
    // A notice or a notification may come between a question and its data.
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
