import type { ClientSession, Ruling } from '../gate/client-session';
import type { Eventual } from '../kernel/eventual';
import type { Message } from './wire/client-messages';
import { textOf } from './wire/fields';
import { HEAD_BYTES } from './wire/message';

/** Of the data before, so much is looked at again, so that what is cut in two is found. UTF-16 code units. */
const LOOK_BACK = 4_096;

/**
 * COPY data of the client: judged as values, across the messages they come in, and recorded. A message is often one row,
 * so they are dealt with many at a time.
 */
export class CopyInWatch {
  private before = '';
  private gathered: Message[] = [];
  /** It was refused: what of it still comes goes nowhere. */
  isRefused = false;

  constructor(private readonly session: ClientSession) {}

  /** Whether anybody looks at the data. */
  get isWatching(): boolean {
    return this.isRefused || this.session.judgesInput || this.session.target.recording.results;
  }

  get hasGathered(): boolean {
    return this.gathered.length > 0;
  }

  gather(message: Message): void {
    if (!this.isRefused) this.gathered.push(message);
  }

  /** What was gathered, to go on if it is admitted. */
  take(): Message[] {
    return this.gathered.splice(0);
  }

  /** Of a COPY nothing remains if any of it is refused: what went on before is of no matter. */
  admit(messages: readonly Message[]): Eventual<Ruling> {
    const data = messages.map(({ bytes, start, end }) => bytes.subarray(start + HEAD_BYTES, end));
    const text = textOf(Buffer.concat(data));
    const judged = this.before + text;
    this.before = judged.slice(-LOOK_BACK);
    return this.session.admit({
      judged: [{ text: judged, as: 'value' }],
      recorded: text,
      isParameters: true,
    });
  }

  over(): void {
    this.before = '';
    this.isRefused = false;
  }
}
