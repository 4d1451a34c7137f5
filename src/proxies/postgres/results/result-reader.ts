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
import { ResultDelivery } from './result-delivery';
import { ResultRows } from './result-rows';
import type { ResultScreen } from './result-screen';
import {
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

/** Maximum size of a row, as for scripts. Memory holds several copies of a row while it is screened. */
const MAX_ROW_BYTES = 16 * 1024 * 1024;

/** Placeholder for a command tag, which is decoded only when it is recorded. */
const TAG = 'tag';

/** Thrown when the server no longer uses UTF8, the encoding in which texts are judged. */
export class EncodingChanged extends Error {}

/** Reads the server's messages: screens rows, and passes each other message to its handler. */
export class ResultReader {
  private readonly reader: MessageReader;
  private readonly resultRows: ResultRows;
  private readonly descriptions: Descriptions;
  private readonly copies: CopyAnswers;
  private readonly delivery: ResultDelivery;
  private rows = 0;
  /**
   * Transaction status. I: idle, T: in a transaction, E: in a failed transaction; undefined while a command
   * runs.
   */
  status: string | undefined = 'I';
  /** Whether the server has sent the error for which it ends the session. */
  saidWhy = false;

  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly named: PreparedNames,
    out: Spans,
    private readonly printing: SessionPrinting,
    copyColumns: CopyColumns,
    private readonly result: ResultScreen,
  ) {
    this.delivery = new ResultDelivery(session, pipelineState, out, result);
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

  /** Whether more than this number of bytes of a refused result was dropped. If so, restarts the count. */
  discardsMoreThan(bytes: number): boolean {
    if (this.delivery.discarded <= bytes) return false;
    this.delivery.discarded = 0;
    return true;
  }

  /**
   * Number of pushed bytes whose memory is still in use: the unhandled bytes, or Infinity while rows are
   * held.
   */
  get unread(): number {
    return this.result.isHolding ? Infinity : this.reader.unread;
  }

  /** Screens the rows that were gathered so far. The result may continue afterwards. */
  pause(): MaybePromise<void> {
    return thenMaybe(this.result.screenRows(), this.delivery.stopIf);
  }

  /**
   * Handles the next message. Returns false if there is none, and a promise if the work is asynchronous.
   * @throws ProtocolFault, EncodingChanged
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
      case types.COPY_IN:
        return thenMaybe(this.copies.asked(currentMessage(reader)), (message) => this.delivery.pass(message));
      case types.COPY_OUT:
        return this.copyOut(currentMessage(reader));
      case types.PARAMETER_DESCRIPTION:
        return this.parameterTypes(reader);
      case types.COPY_DONE:
        return this.delivery.unless(this.copies.done(), reader);
      default:
        return this.nextReport(reader);
    }
  }

  /** Handles messages that the server may send at any time. */
  private nextReport(reader: MessageReader): MaybePromise<boolean> {
    switch (reader.type) {
      case types.ERROR:
        return this.error(currentMessage(reader));
      case types.NOTICE:
        return this.delivery.spokenInResult(currentMessage(reader), screenFault(this.session, 'N', reader));
      case types.NOTIFICATION:
        return this.delivery.spoken(currentMessage(reader), screenNotification(this.session, reader));
      case types.PARAMETER_STATUS:
        return this.parameter(currentMessage(reader));
      default:
        throw new ProtocolFault(`the server sent a message of type ${reader.type}`);
    }
  }

  /** Whether rows must be screened or recorded. */
  private get looks(): boolean {
    const { screensOutput, target } = this.session;
    return this.result.isOpen || screensOutput || target.recording.results || this.pipelineState.isOwn;
  }

  /** Treats the rest of a message like its beginning, even if the rules changed in between. */
  private continueMessage(reader: MessageReader): true {
    return this.delivery.drops(reader) || this.delivery.pass(reader);
  }

  private answered(reader: MessageReader): true {
    const expected = this.pipelineState.answered();
    this.named.answered(expected);
    return expected?.isOurs === true || this.delivery.pass(reader);
  }

  private parameterTypes(reader: MessageReader): true {
    return this.pipelineState.tellParameters(parametersOf(reader)) || this.delivery.pass(reader);
  }

  private copyOut(message: Message): MaybePromise<boolean> {
    if (this.looks) this.result.begin(undefined);
    const isLookedAt = this.result.isScreened && !this.delivery.discards;
    return thenMaybe(this.copies.begun(message, isLookedAt), (refused) =>
      this.delivery.unless(refused, message),
    );
  }

  private row(reader: MessageReader): MaybePromise<boolean> {
    this.rows += 1;
    if (this.delivery.drops(reader)) return true;
    if (!this.looks) return this.delivery.pass(reader);
    const shape = this.descriptions.shapeOf(this.pipelineState.head);
    if (!this.result.isOpen) this.result.begin(shape.columns?.map((column) => column.name));
    return this.delivery.stopWhen(this.resultRows.add(reader, shape));
  }

  private copyData(reader: MessageReader): MaybePromise<boolean> {
    if (this.delivery.drops(reader)) return true;
    if (!this.result.isOpen) return this.delivery.pass(reader);
    const { shape } = this.copies;
    if (shape === undefined)
      return this.delivery.stopWhen(this.result.copyData(reader.bytes, reader.start, reader.end));
    const whole = this.copies.whole(reader);
    if (whole === 'malformed') return this.delivery.unless(MALFORMED_COPY, reader);
    return whole === undefined || this.delivery.stopWhen(this.resultRows.add(whole, shape));
  }

  private complete(message: Message, said: string | undefined): MaybePromise<boolean> {
    if (this.pipelineState.head?.kind === types.EXECUTE) this.pipelineState.answered();
    this.rows = 0;
    // Finishes an open result even if it has no rows, because its column names must still be screened.
    if (!this.result.isOpen) return this.completed(message, said);
    return thenMaybe(this.result.finish(message), (refused) => this.finished(refused, message, said));
  }

  private finished(refused: Refused | undefined, message: Message, said: string | undefined): true {
    this.delivery.stopIf(refused);
    // Records the command tag only if no rows of the result were recorded.
    return this.result.hasText ? this.delivery.pass(message) : this.completed(message, said);
  }

  private completed(message: Message, last: string | undefined): true {
    const said = last === TAG ? `${commandTag(message)}\n` : last;
    if (said === 'DISCARD ALL\n' || said === 'DEALLOCATE ALL\n') this.named.allClosed();
    if (said !== undefined && !this.delivery.discards) void this.session.note({ type: 'o', content: said });
    return this.delivery.pass(message);
  }

  private ready(reader: MessageReader): true {
    this.delivery.ready();
    this.status = String.fromCharCode(reader.bytes[reader.start + HEAD_BYTES] as number);
    const asked = this.pipelineState.becameReady(this.status === 'E');
    if (this.status === 'I') this.named.transactionEnded();
    return asked?.isOurs === true || this.delivery.pass(reader);
  }

  private describe(message: Message): MaybePromise<boolean> {
    const { head } = this.pipelineState;
    if (head?.isOurs === true) return this.descriptions.ofOwn(message);
    const isOfDescribe = head?.kind === types.DESCRIBE;
    if (!this.looks) {
      if (isOfDescribe) this.pipelineState.answered();
      return this.delivery.pass(message);
    }
    if (isOfDescribe)
      return thenMaybe(this.descriptions.ofDescribe(message), (instead) => {
        if (instead === undefined) return this.delivery.pass(message);
        return this.delivery.insert(instead);
      });
    const names = this.descriptions.ofResult(message);
    if (this.result.isOpen) return this.delivery.pass(message);
    if (!this.delivery.discards) this.result.begin(names, message);
    return true;
  }

  /** Delivers the rows that precede the error, and then the error. */
  private error(message: Message): MaybePromise<boolean> {
    return thenMaybe(this.result.isOpen ? this.result.finish() : undefined, (stopped) => {
      this.delivery.stopIf(stopped);
      const { head } = this.pipelineState;
      const isFatal = rawFaultOf(message).get('V')?.toString() !== 'ERROR';
      this.saidWhy ||= isFatal;
      this.pipelineState.failed();
      this.rows = 0;
      if (head?.refused === undefined || isFatal) {
        const told = head?.isOurs === true ? withoutPosition(message) : message;
        return this.delivery.spokenInResult(told, screenFault(this.session, 'E', told));
      }
      return this.delivery.insert(refusalMessage(head.refused));
    });
  }

  private parameter(message: Message): MaybePromise<boolean> {
    const { name, value } = parameterOf(message);
    if (name === 'client_encoding' && !isUtf8Name(value)) throw new EncodingChanged();
    this.printing.changed(name, value);
    return this.delivery.spoken(message, screenParameter(this.session, message));
  }
}
