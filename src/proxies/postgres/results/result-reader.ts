import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { isUtf8Name } from '../../../languages/postgresql/lexing/encoding-names';
import type { SessionPrinting } from '../binary/session-printing';
import { CopyAnswers } from './copy-answers';
import type { CopyColumns } from '../pipeline/copy-columns';
import { Descriptions } from './descriptions';
import type { PipelineState } from '../pipeline/pipeline-state';
import type { PreparedNames } from '../pipeline/prepared-names';
import { MALFORMED_COPY, type Refused } from '../pipeline/refusals';
import { ResultRows } from './result-rows';
import { ResultScreen } from './result-screen';
import {
  type ScreenedMessage,
  refusalMessage,
  screenFault,
  screenNotification,
  screenParameter,
} from './server-messages-screening';
import { type Message, currentMessage } from '../wire/client-messages';
import { HEAD_BYTES } from '../wire/message';
import { MessageReader, ProtocolFault } from '../wire/message-reader';
import { parameterOf, parametersOf, rawFaultOf, commandTag, withoutPosition } from '../wire/server-messages';
import type { Spans } from '../wire/spans';
import * as types from '../wire/types';

/** A row that is screened is held in memory whole, in several copies. Scripts have the same limit. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Stands for the tag of a command, which is read only where it is recorded. */
const TAG = 'tag';

/** The server reads and writes texts in an encoding other than the one in which they were judged. */
export class EncodingChanged extends Error {}

/** Reads the server's answers: rows pass through the screen, other messages go to their handlers. */
export class ResultReader {
  private readonly reader: MessageReader;
  private readonly resultRows: ResultRows;
  private readonly descriptions: Descriptions;
  private readonly copies: CopyAnswers;
  /** A result was refused: nothing is delivered until the server is ready for the next command. */
  private discards = false;
  /** Bytes of the refused result that were dropped. */
  discarded = 0;
  private rows = 0;
  /** I: idle, T: in a transaction, E: in a failed transaction; undefined while a command runs. */
  status: string | undefined = 'I';
  /** The server gave the reason for which it ends the session. */
  saidWhy = false;

  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly named: PreparedNames,
    private readonly out: Spans,
    private readonly printing: SessionPrinting,
    copyColumns: CopyColumns,
    private readonly result: ResultScreen,
  ) {
    this.copies = new CopyAnswers(pipelineState, copyColumns, printing, MAX_ROW_BYTES);
    this.resultRows = new ResultRows(result, printing.types);
    this.descriptions = new Descriptions(session, pipelineState, printing);
    this.reader = new MessageReader({
      passes: (type) => (type === types.DATA_ROW || type === types.COPY_DATA) && !this.looks,
      maxGathered: MAX_ROW_BYTES,
    });
  }

  push(chunk: Buffer): void {
    this.reader.push(chunk);
  }

  /**
   * Bytes that were pushed and are still needed, because nothing of them is
   * handled; all of them while rows are held.
   */
  get unread(): number {
    return this.result.isHolding ? Infinity : this.reader.unread;
  }

  /** Screens the rows gathered so far of a result that continues. */
  pause(): MaybePromise<void> {
    return thenMaybe(this.result.screenRows(), this.stopIf);
  }

  /**
   * Handles the next message. False when there is none; a promise when the work is
   * asynchronous. @throws ProtocolFault, EncodingChanged
   */
  next(): MaybePromise<boolean> {
    const { reader } = this;
    if (!reader.next()) return false;
    if (!reader.begins) return this.continueMessage(reader);
    switch (reader.type) {
      case types.DATA_ROW:
        return this.pipelineState.takesOwnRow(reader) || this.row(reader);
      case types.COPY_DATA:
        return this.copyData(reader);
      case types.COMMAND_COMPLETE:
        return this.pipelineState.endsOwn() || this.complete(currentMessage(reader), TAG);
      case types.PORTAL_SUSPENDED:
        return this.complete(currentMessage(reader), `PORTAL SUSPENDED ${this.rows}\n`);
      case types.EMPTY_QUERY:
        return this.complete(currentMessage(reader), undefined);
      case types.READY:
        return this.ready(reader);
      case types.BIND_COMPLETE:
      case types.PARSE_COMPLETE:
      case types.CLOSE_COMPLETE:
      case types.NO_DATA:
        return this.answered(reader);
      case types.ROW_DESCRIPTION:
        return this.describe(currentMessage(reader));
      case types.ERROR:
        return this.error(currentMessage(reader));
      case types.NOTICE:
        return this.deliverOfResult(currentMessage(reader), screenFault(this.session, 'N', reader));
      case types.NOTIFICATION:
        return this.deliverScreened(currentMessage(reader), screenNotification(this.session, reader));
      case types.PARAMETER_STATUS:
        return this.parameter(currentMessage(reader));
      case types.COPY_IN:
        return thenMaybe(this.copies.asked(currentMessage(reader)), (message) => this.pass(message));
      case types.COPY_OUT:
        return this.copyOut(currentMessage(reader));
      case types.PARAMETER_DESCRIPTION:
        return this.parameterTypes(reader);
      case types.COPY_DONE:
        return this.unless(this.copies.done(), reader);
      default:
        throw new ProtocolFault(`the server sent a message of type ${reader.type}`);
    }
  }

  /** Whether rows are screened or recorded. */
  private get looks(): boolean {
    const { screensOutput, target } = this.session;
    return this.result.isOpen || screensOutput || target.recording.results || this.pipelineState.isOwn;
  }

  /** The rest of a message follows its beginning, even if the rules changed in between. */
  private continueMessage(reader: MessageReader): true {
    return this.isDiscarded(reader) || this.pass(reader);
  }

  private answered(reader: MessageReader): true {
    const expected = this.pipelineState.answered();
    this.named.answered(expected);
    return expected?.isOurs === true || this.pass(reader);
  }

  private parameterTypes(reader: MessageReader): true {
    return this.pipelineState.tellParameters(parametersOf(reader)) || this.pass(reader);
  }

  private copyOut(message: Message): MaybePromise<boolean> {
    if (this.looks) this.result.begin(undefined);
    const isLookedAt = this.result.isScreened && !this.discards;
    return thenMaybe(this.copies.begun(message, isLookedAt), (refused) => this.unless(refused, message));
  }

  private unless(refused: Refused | undefined, message: Message): true {
    if (refused === undefined || this.discards) return this.pass(message);
    this.stopIf(this.result.refuse(refused));
    return true;
  }

  private isDiscarded(reader: MessageReader): boolean {
    if (this.discards) this.discarded += reader.end - reader.start;
    return this.discards;
  }

  private row(reader: MessageReader): MaybePromise<boolean> {
    this.rows += 1;
    if (this.isDiscarded(reader)) return true;
    if (!this.looks) return this.pass(reader);
    const shape = this.descriptions.shapeOf(this.pipelineState.head);
    if (!this.result.isOpen) this.result.begin(shape.columns?.map((column) => column.name));
    return this.stopWhen(this.resultRows.add(reader, shape));
  }

  private copyData(reader: MessageReader): MaybePromise<boolean> {
    if (this.isDiscarded(reader)) return true;
    if (!this.result.isOpen) return this.pass(reader);
    const { shape } = this.copies;
    if (shape === undefined)
      return this.stopWhen(this.result.copyData(reader.bytes, reader.start, reader.end));
    const whole = this.copies.whole(reader);
    if (whole === 'malformed') return this.unless(MALFORMED_COPY, reader);
    return whole === undefined || this.stopWhen(this.resultRows.add(whole, shape));
  }

  private complete(message: Message, said: string | undefined): MaybePromise<boolean> {
    if (this.pipelineState.head?.kind === types.EXECUTE) this.pipelineState.answered();
    this.rows = 0;
    // A result without rows still has column names to screen.
    if (!this.result.isOpen) return this.completed(message, said);
    return thenMaybe(this.result.finish(message), (refused) => this.finished(refused, message, said));
  }

  private finished(refused: Refused | undefined, message: Message, said: string | undefined): true {
    this.stopIf(refused);
    // The rows were recorded instead of the tag.
    return this.result.hasText ? this.pass(message) : this.completed(message, said);
  }

  private completed(message: Message, last: string | undefined): true {
    const said = last === TAG ? `${commandTag(message)}\n` : last;
    if (said === 'DISCARD ALL\n' || said === 'DEALLOCATE ALL\n') this.named.allClosed();
    if (said !== undefined && !this.discards) void this.session.note({ type: 'o', content: said });
    return this.pass(message);
  }

  private ready(reader: MessageReader): true {
    this.discards = false;
    this.discarded = 0;
    this.status = String.fromCharCode(reader.bytes[reader.start + HEAD_BYTES] as number);
    const asked = this.pipelineState.becameReady(this.status === 'E');
    if (this.status === 'I') this.named.transactionEnded();
    return asked?.isOurs === true || this.pass(reader);
  }

  private describe(message: Message): MaybePromise<boolean> {
    const { head } = this.pipelineState;
    if (head?.isOurs === true) return this.descriptions.ofOwn(message);
    const isOfDescribe = head?.kind === types.DESCRIBE;
    if (!this.looks) {
      if (isOfDescribe) this.pipelineState.answered();
      return this.pass(message);
    }
    if (isOfDescribe)
      return thenMaybe(this.descriptions.ofDescribe(message), (instead) => {
        if (instead === undefined) return this.pass(message);
        if (!this.discards) this.out.insert(instead);
        return true;
      });
    const names = this.descriptions.ofResult(message);
    if (this.result.isOpen) return this.pass(message);
    if (!this.discards) this.result.begin(names, message);
    return true;
  }

  /** The rows of the result before the error are delivered before the error. */
  private error(message: Message): MaybePromise<boolean> {
    return thenMaybe(this.result.isOpen ? this.result.finish() : undefined, (stopped) => {
      this.stopIf(stopped);
      const { head } = this.pipelineState;
      const isFatal = rawFaultOf(message).get('V')?.toString() !== 'ERROR';
      this.saidWhy ||= isFatal;
      this.pipelineState.failed();
      this.rows = 0;
      if (head?.refused === undefined || isFatal) {
        const told = head?.isOurs === true ? withoutPosition(message) : message;
        return this.deliverOfResult(told, screenFault(this.session, 'E', told));
      }
      if (!this.discards) this.out.insert(refusalMessage(head.refused));
      return true;
    });
  }

  private parameter(message: Message): MaybePromise<boolean> {
    const { name, value } = parameterOf(message);
    if (name === 'client_encoding' && !isUtf8Name(value)) throw new EncodingChanged();
    this.printing.changed(name, value);
    return this.deliverScreened(message, screenParameter(this.session, message));
  }

  private deliverOfResult(message: Message, spoken: MaybePromise<ScreenedMessage>): MaybePromise<boolean> {
    return this.discards || this.deliverScreened(message, spoken);
  }

  private deliverScreened(message: Message, spoken: MaybePromise<ScreenedMessage>): MaybePromise<boolean> {
    return thenMaybe(spoken, ({ instead, isDropped, events }) =>
      thenMaybe(this.session.note(...events), () => {
        if (isDropped === true) return true;
        const said = instead ?? message.bytes.subarray(message.start, message.end);
        if (!this.result.isOpen || !this.result.takes(said, 0, said.length)) this.out.insert(said);
        return true;
      }),
    );
  }

  private pass({ bytes, start, end }: Message): true {
    if (!this.discards && !(this.result.isOpen && this.result.takes(bytes, start, end)))
      this.out.add(bytes, start, end);
    return true;
  }

  private stopWhen(refused: MaybePromise<Refused | undefined>): MaybePromise<boolean> {
    if (refused === undefined) return true;
    return thenMaybe(refused, (late) => (this.stopIf(late), true));
  }

  private readonly stopIf = (refused: Refused | undefined): void => {
    if (refused === undefined) return;
    this.out.insert(refusalMessage(refused));
    this.discards = true;
    this.pipelineState.refuseAnswer();
  };
}
