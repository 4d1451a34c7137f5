import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { incompleteTail } from '../../../kernel/text/utf8';
import type { InputReader } from './stream-readers';

/** Thrown when a rule refuses the input of a program. Its message is recorded already. */
export class InputRefused extends Error {}

/**
 * Length of the earlier input that is judged again with each piece, so that a match across two pieces is
 * found. In UTF-16 code units.
 */
const LOOK_BACK = 4_096;
const NOTHING: Buffer = Buffer.alloc(0);

/** Judges and records what a client sends to the standard input of a program. */
export class StandardInputReader implements InputReader {
  readonly isFull = false;
  readonly isAnswered = false;
  private readonly chunks: Buffer[] = [];
  private forwardable: Buffer[] = [];
  private before = '';
  /** First bytes of a character that the next piece completes. */
  private begun: Buffer = NOTHING;

  /** @param isRecorded whether input is judged and recorded. It is not where people type passwords. */
  constructor(
    private readonly session: Session,
    private readonly isRecorded: boolean,
  ) {}

  push(chunk: Buffer): void {
    this.chunks.push(chunk);
  }

  /** @throws (or rejects with) InputRefused */
  next(): MaybePromise<boolean> {
    const chunk = this.chunks.shift();
    if (chunk === undefined) return false;
    if (!this.isRecorded) return this.forward(chunk);
    // Whether rules judge input depends on the current ones, which the gate fetches.
    const admitted = this.session.admitAhead({
      kind: 'values',
      judged: ({ judgesInput }) => (judgesInput ? [{ text: this.textOf(chunk), as: 'value' }] : []),
      recorded: chunk,
    });
    return thenMaybe(admitted, (admission) => {
      if (admission.kind === 'refused') throw new InputRefused(admission.message);
      return this.forward(chunk);
    });
  }

  /** Takes what may be forwarded when its recording is durable. */
  takePieces(): Buffer[] {
    const pieces = this.forwardable;
    this.forwardable = [];
    return pieces;
  }

  private forward(chunk: Buffer): true {
    this.forwardable.push(chunk);
    return true;
  }

  /** The piece as a text, after the end of the earlier ones. */
  private textOf(chunk: Buffer): string {
    const all = Buffer.concat([this.begun, chunk]);
    const whole = all.length - incompleteTail(all);
    this.begun = Buffer.from(all.subarray(whole));
    const text = this.before + all.toString('utf8', 0, whole);
    this.before = text.slice(-LOOK_BACK);
    return text;
  }
}
