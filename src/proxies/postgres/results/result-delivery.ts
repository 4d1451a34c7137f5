import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { PipelineState } from '../pipeline/pipeline-state';
import type { Refused } from '../pipeline/refusals';
import type { Message } from '../wire/client-messages';
import type { Spans } from '../wire/spans';
import type { ResultScreen } from './result-screen';
import { type ScreenedMessage, refusalMessage } from './server-messages-screening';

/**
 * Delivers messages after they were screened. A message waits behind rows that are still held, and is dropped
 * if its result was refused. Too many waiting reports (messages that the server may send at any time) are
 * delivered before the rows; see `ResultScreen.report`.
 */
export class ResultDelivery {
  /** Whether a result was refused. Then all messages are dropped until the server is ready for a command. */
  discards = false;
  /** Number of dropped bytes of the refused result. */
  discarded = 0;

  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly out: Spans,
    private readonly result: ResultScreen,
  ) {}

  /** Delivers messages again, because the server is ready for the next command. */
  ready(): void {
    this.discards = false;
    this.discarded = 0;
  }

  /** Whether the message is dropped because its result was refused. */
  drops({ start, end }: Message): boolean {
    if (this.discards) this.discarded += end - start;
    return this.discards;
  }

  /** Delivers a message unchanged. */
  pass({ bytes, start, end }: Message): true {
    if (!this.discards && !(this.result.isOpen && this.result.takes(bytes, start, end)))
      this.out.add(bytes, start, end);
    return true;
  }

  /** Delivers a message that the gateway made, unless the result was refused. */
  insert(bytes: Buffer): true {
    if (!this.discards) this.out.insert(bytes);
    return true;
  }

  /** Records and delivers a message that belongs to the result. */
  spokenInResult(message: Message, spoken: MaybePromise<ScreenedMessage>): MaybePromise<boolean> {
    return this.discards || this.spoken(message, spoken);
  }

  /** Records and delivers a message that belongs to no result. */
  spoken(message: Message, spoken: MaybePromise<ScreenedMessage>): MaybePromise<boolean> {
    return thenMaybe(spoken, ({ instead, isDropped, events }) =>
      thenMaybe(this.session.note(...events), () => {
        if (isDropped === true) return true;
        this.result.report(instead ?? message.bytes.subarray(message.start, message.end));
        return true;
      }),
    );
  }

  /** Delivers the message. If `refused` is set, refuses the result instead. */
  unless(refused: Refused | undefined, message: Message): true {
    if (refused === undefined || this.discards) return this.pass(message);
    this.stopIf(this.result.refuse(refused));
    return true;
  }

  stopWhen(refused: MaybePromise<Refused | undefined>): MaybePromise<boolean> {
    if (refused === undefined) return true;
    return thenMaybe(refused, (late) => (this.stopIf(late), true));
  }

  /** If `refused` is set, ends the result with this error for the client. */
  readonly stopIf = (refused: Refused | undefined): void => {
    if (refused === undefined) return;
    this.out.insert(refusalMessage(refused));
    this.discards = true;
    this.pipelineState.refuseAnswer();
  };
}
