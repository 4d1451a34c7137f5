import { isAscii, isUtf8 } from 'node:buffer';
import type { Admission, Session } from '../../../gate/session';
import type { JudgedText } from '../../../gate/command';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import { binaryCopyOf } from '../../../languages/postgresql/binary-copy';
import type { BoundParameters } from './bound-parameters';
import { binaryCopyOfStatements } from '../pipeline/copy-columns';
import type { CopyInWatch } from './copy-in-watch';
import { encodingChange } from '../pipeline/encoding-change';
import { mayChangeEncoding } from '../pipeline/encoding-watch';
import type { ExpectedAnswer, PipelineState, Portal, Statement } from '../pipeline/pipeline-state';
import type { PreparedNames } from '../pipeline/prepared-names';
import { ENCODING_IN_DOUBT, NO_FUNCTION_CALL, NOT_UTF8, type Refused, refusedBy } from '../pipeline/refusals';
import type { Pipeline } from '../pipeline/pipeline';
import { type Answered, type ReadInput, UNREAD_CALL } from './read-input';
import { type BindInput, bindInputOf, judgedOfBind } from './bind-input';
import { identifier } from './statement-text';
import * as client from '../wire/client-messages';
import { type Message, currentMessage } from '../wire/client-messages';
import { type Text, asText, sharedBytes } from '../../../kernel/text/long-text';
import { textOf } from '../../../kernel/text/utf8';
import { MessageReader, ProtocolFault } from '../wire/message-reader';
import type { Spans } from '../wire/spans';
import * as types from '../wire/types';

const SYNC_EXPECTED: ExpectedAnswer = { kind: types.SYNC };

/** Maximum size of a message in bytes, because a message is held in memory whole while it is judged. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Reads the messages of the client. Forwards an admitted message unchanged. Replaces a refused message with
 * one that the server refuses too, so that the server itself handles the error: it skips to the next Sync,
 * aborts the transaction and reports its true state.
 */
export class CommandReader {
  private readonly reader: MessageReader;
  /** Whether the current message is dropped, so that its later pieces are not forwarded either. */
  private isDropping = false;
  /** Whether the client sent Terminate. */
  saidGoodbye = false;

  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly named: PreparedNames,
    private readonly out: Spans,
    private readonly parameters: BoundParameters,
    private readonly pipeline: Pipeline,
    private readonly copyIn: CopyInWatch,
  ) {
    this.reader = new MessageReader({
      passes: (type) => type === types.COPY_DATA && !this.copyIn.isWatching,
      maxGathered: MAX_MESSAGE_BYTES,
      room: sharedBytes,
    });
  }

  push(chunk: Buffer): void {
    this.reader.push(chunk);
  }

  /**
   * Handles the next message. Returns false when there is none, and a promise when the work is asynchronous.
   * @throws ProtocolFault
   */
  next(): MaybePromise<boolean> {
    if (!this.reader.next()) return false;
    if (this.copyIn.hasGathered && this.reader.type !== types.COPY_DATA)
      return thenMaybe(this.pause(), () => this.readCommand());
    return this.readCommand();
  }

  /** Handles the COPY data gathered so far. */
  pause(): MaybePromise<void> {
    if (!this.copyIn.hasGathered) return undefined;
    const messages = this.copyIn.takeMessages();
    const ruling = this.copyIn.admit(messages);
    // Adds a Flush, because judging may wait for the server's answers, and the server buffers short answers
    // without a Flush.
    if (ruling instanceof Promise) this.out.insert(client.flush);
    return thenMaybe(ruling, (refused) => {
      if (refused === undefined) {
        for (const message of messages) this.pass(message);
        return;
      }
      this.copyIn.isRefused = true;
      this.pipelineState.refuseCopy(refused);
      this.pipelineState.copyInEnds();
      this.out.insert(client.copyFail(refused.message));
    });
  }

  private readCommand(): MaybePromise<boolean> {
    const { reader } = this;
    if (!reader.begins) return this.isDropping || this.pass(reader);
    if (reader.type === types.SYNC) this.pipelineState.skipsClient = false;
    this.isDropping = this.pipelineState.skipsClient && reader.type !== types.TERMINATE;
    if (this.isDropping) return true;
    switch (reader.type) {
      case types.BIND:
        return this.bind(currentMessage(reader));
      case types.EXECUTE:
        return this.execute(currentMessage(reader));
      case types.SYNC:
        return this.pipeline.forward(reader, SYNC_EXPECTED);
      case types.DESCRIBE:
        return this.describe(reader);
      case types.QUERY:
        return this.query(currentMessage(reader));
      case types.PARSE:
        return this.parse(currentMessage(reader));
      case types.CLOSE:
        return this.close(reader);
      case types.COPY_DATA:
        return this.copyData(reader);
      case types.COPY_DONE:
      case types.COPY_FAIL:
        return this.copyEnd(reader);
      case types.FUNCTION_CALL:
        return this.refuseUnread(UNREAD_CALL, NO_FUNCTION_CALL);
      case types.TERMINATE:
        this.saidGoodbye = true;
        return this.pass(reader);
      case types.FLUSH:
        return this.pass(reader);
      default:
        throw new ProtocolFault(`invalid frontend message type ${reader.type}`);
    }
  }

  private query(message: Message): MaybePromise<boolean> {
    const bytes = client.queryOf(message);
    const text = asText(bytes);
    this.copyIn.over();
    this.named.openTypes?.willRunOnce(text);
    const { refused } = encodingChange(text);
    return thenMaybe(mayChangeEncoding(text), (isRisky) => {
      const expected = { kind: types.QUERY, isRisky, copied: binaryCopyOf(text) };
      const read = { bytes, recorded: bytes, mustBeUtf8: true, failing: client.failingQuery, expected };
      return this.unlessUnreadable(read, () => this.admitText(text, message, read, refused));
    });
  }

  private parse(message: Message): MaybePromise<boolean> {
    const { name, query, parameters } = client.parseOf(message);
    const text = asText(query);
    const { refused, calls } = encodingChange(text);
    return thenMaybe(mayChangeEncoding(text), (isRisky) => {
      const copied = binaryCopyOf(text);
      const statement: Statement = { text, isRisky, settingCalls: calls, parameters, copied };
      const expected = { kind: types.PARSE, name: textOf(name), statement };
      const failing = name.length === 0 ? client.failingUnnamedParse : client.failingParse;
      const read = { bytes: query, recorded: query, mustBeUtf8: true, failing, expected };
      return this.unlessUnreadable(read, () => this.admitText(text, message, read, refused));
    });
  }

  private bind(message: Message): MaybePromise<boolean> {
    const input = bindInputOf(message, this.named);
    return input instanceof Promise
      ? input.then((late) => this.admitReadable(late))
      : this.admitReadable(input);
  }

  private admitReadable(input: BindInput): MaybePromise<boolean> {
    const { read } = input;
    return isAscii(read.bytes)
      ? this.admitBind(input)
      : this.unlessUnreadable(read, () => this.admitBind(input));
  }

  /**
   * Admits a Bind. Creates no closures unless it must wait, because a client may send thousands of Binds a
   * second.
   */
  private admitBind(input: BindInput): MaybePromise<boolean> {
    const { bind, known } = input;
    const texts = this.parameters.texts(bind.values, bind.statement, known);
    return texts instanceof Promise
      ? texts.then((late) => this.admitValues(input, late))
      : this.admitValues(input, texts);
  }

  private admitValues(input: BindInput, texts: readonly JudgedText[]): MaybePromise<boolean> {
    const { message, read, refused } = input;
    const judged = judgedOfBind(input, texts, this.named);
    const admission = this.session.admitAhead({ kind: 'values', judged, recorded: read.recorded });
    return admission instanceof Promise
      ? admission.then((late) => this.rule(late, message, read, refused))
      : this.rule(admission, message, read, refused);
  }

  /** Judges the portal's statements again, because the rules may have changed since the Parse. */
  private execute(message: Message): MaybePromise<boolean> {
    const bytes = client.portalOf(message);
    const name = textOf(bytes);
    const portal = this.named.portalNamed(name);
    this.copyIn.over();
    // A portal that SQL made, or that was forgotten, is unknown to the gateway, but can be described like any
    // other.
    const result: Portal = portal ?? { statements: [], formats: [] };
    const isRisky = portal === undefined || portal.statements.some((statement) => statement.isRisky);
    const copied = binaryCopyOfStatements(result.statements);
    const expected = { kind: types.EXECUTE, name, portal: result, isRisky, copied };
    const judged: JudgedText[] = result.statements.map(({ text }) => ({ text, as: 'input' }));
    if (portal === undefined) judged.push({ text: `FETCH ALL FROM ${identifier(name)}`, as: 'input' });
    const repeated = { kind: 'repeated', texts: judged, judged: this.named.origins.again(judged) } as const;
    const then = { failing: client.failingParse, expected };
    const admitted = (admission: Admission): MaybePromise<boolean> => {
      if (admission.kind === 'forward')
        this.parameters.describeResult(bytes, result, this.named.isUndescribed(portal));
      return this.rule(admission, message, then);
    };
    const admission = this.session.admitAhead(repeated);
    return admission instanceof Promise ? admission.then(admitted) : admitted(admission);
  }

  private describe(reader: MessageReader): MaybePromise<boolean> {
    const { isPortal, name } = client.namedOf(reader);
    const statement = isPortal ? undefined : this.named.statementsNamed(textOf(name))[0];
    const portal = isPortal ? this.named.portalNamed(textOf(name)) : undefined;
    return this.pipeline.forward(reader, {
      kind: types.DESCRIBE,
      isPortal,
      ...(statement && { statement }),
      portal,
    });
  }

  private close(reader: MessageReader): MaybePromise<boolean> {
    const { isPortal, name } = client.namedOf(reader);
    return this.pipeline.forward(reader, { kind: types.CLOSE, isPortal, name: textOf(name) });
  }

  private copyData(reader: MessageReader): true {
    if (!this.copyIn.isWatching) return this.pass(reader);
    this.copyIn.gather(currentMessage(reader));
    return true;
  }

  private copyEnd(reader: MessageReader): boolean {
    const wasRefused = this.copyIn.isRefused;
    this.copyIn.over();
    if (wasRefused) return true;
    this.pipelineState.copyInEnds();
    return this.pass(reader);
  }

  /**
   * Continues with `next` if the texts are certainly UTF-8, or need not be UTF-8. Refuses the message
   * otherwise.
   */
  private unlessUnreadable(read: ReadInput, next: () => MaybePromise<boolean>): MaybePromise<boolean> {
    const { bytes, mustBeUtf8 } = read;
    if (isAscii(bytes)) return next();
    if (mustBeUtf8 && !isUtf8(bytes)) return this.refuseUnread(read, NOT_UTF8);
    if (!this.pipelineState.isRisky) return next();
    if (!this.pipelineState.isRiskOpen)
      return this.pipelineState.harmless().then(() => this.unlessUnreadable(read, next));
    return this.refuseUnread(read, ENCODING_IN_DOUBT);
  }

  /** Refuses a message that was not judged, and records it unchanged. */
  private refuseUnread(
    { recorded, failing, expected }: Omit<ReadInput, 'bytes' | 'mustBeUtf8'>,
    refused: Refused,
  ): true {
    const kind = expected.kind === types.BIND ? 'values' : 'statement';
    this.session.refuse(refused.message, recorded === '' ? undefined : { content: recorded, kind });
    return this.refuse(failing, { ...expected, refused });
  }

  /** Judges a text that the server executes or prepares. */
  private admitText(text: Text, message: Message, then: Answered, refused?: Refused): MaybePromise<boolean> {
    const { judged, passed } = this.named.origins.input(text);
    return thenMaybe(this.session.admitAhead({ kind: 'statement', text, judged }), (admission) => {
      if (admission.kind === 'forward') passed();
      return this.rule(admission, message, then, refused);
    });
  }

  /** @param refused a reason to refuse the message even though the rules admit it. */
  private rule(admission: Admission, message: Message, { failing, expected }: Answered, refused?: Refused) {
    if (admission.kind === 'refused')
      return this.refuse(failing, { ...expected, refused: refusedBy(admission) });
    if (refused === undefined) return this.pipeline.forward(message, expected);
    this.session.refuse(refused.message);
    return this.refuse(failing, { ...expected, refused });
  }

  private pass({ bytes, start, end }: Message): true {
    this.out.add(bytes, start, end);
    return true;
  }

  private refuse(failing: Buffer, expected: ExpectedAnswer & { readonly refused: Refused }): true {
    this.pipelineState.sent(expected);
    this.out.insert(failing);
    // After the error the server skips all messages up to the next Sync, so the gateway need not judge or
    // record them. After the error of a simple query the server skips nothing.
    this.pipelineState.skipsClient = expected.kind !== types.QUERY;
    return true;
  }
}
