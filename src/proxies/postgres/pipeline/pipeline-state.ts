import type { Text } from '../../../kernel/text/long-text';
import type { BinaryCopy } from '../../../languages/postgresql/binary-copy';
import type { SettingCall } from './encoding-change';
import { NamedSlots } from './named-slots';
import type { Refused } from './refusals';
import type { Message } from '../wire/client-messages';
import type { Column } from '../wire/columns';
import type { RowShape } from './row-text';
import { BIND, COPY_DONE, DESCRIBE, EXECUTE, PARSE, QUERY, SYNC } from '../wire/types';

/** A statement that the client parsed. */
export interface Statement {
  readonly text: Text;
  /** Whether the statement may change the encoding of later texts; see encoding-watch. */
  readonly isRisky: boolean;
  /** Calls in the statement that may set `client_encoding`, depending on bound values. */
  readonly settingCalls?: readonly SettingCall[];
  /** Columns of the result; set once the statement is described. */
  columns?: readonly Column[];
  /** Object ids of its parameter types; 0 where the type is unknown. */
  parameters?: readonly number[];
  /** Whether a Describe of the statement is in flight. */
  isBeingDescribed?: boolean;
  /** The COPY, if the statement is a COPY in binary form. */
  readonly copied?: BinaryCopy | undefined;
}

/** The gateway's query for the columns of a COPY in binary form, whose data do not contain their types. */
export interface CopyDescription {
  /** The statement that is described. Its `columns` are set once the server has answered. */
  readonly statement: Statement;
  /** See `BinaryCopy`. */
  readonly columns: readonly string[] | undefined;
}

/** A query that the gateway sends on the client's connection. The client does not see its result. */
export interface GatewayQuery {
  /** Receives the only row of the result. */
  readonly take: (row: Message) => void;
  /** Whether the query is in flight. */
  isBeingDescribed?: boolean;
}

/** A statement with bound values, ready to be executed. */
export interface Portal {
  /**
   * The statements that the server may execute. There are several while a Parse in flight may still fail. A
   * statement that the gateway does not know, for example because SQL prepared it, is represented by an
   * `EXECUTE`.
   */
  readonly statements: readonly Statement[];
  /**
   * Format codes of the result's columns: none (all text), one for all, or one for each; 0 text, 1 binary.
   */
  readonly formats: readonly number[];
  /** Shape of the result; set once the result was read or described. */
  shape?: RowShape;
  /** Whether a Describe of the portal is in flight. */
  isBeingDescribed?: boolean;
}

/** A message that was sent to the server and is not answered yet. */
export interface ExpectedAnswer {
  /** Type byte of the client's message. */
  readonly kind: number;
  /** Reason why the client's message was refused. The server got a failing message in its place. */
  readonly refused?: Refused;
  readonly name?: string;
  readonly isPortal?: boolean;
  readonly statement?: Statement;
  readonly portal?: Portal | undefined;
  readonly isRisky?: boolean;
  /** Whether the gateway itself made this message, so that the client must not see the answer. */
  readonly isOurs?: boolean;
  /**
   * The binary COPY that the message executes. `copy` is the gateway's query for the columns of this COPY.
   */
  readonly copied?: BinaryCopy | undefined;
  readonly copy?: CopyDescription | undefined;
  /** The query of the gateway that this Execute runs. */
  readonly own?: GatewayQuery;
  /** Length of the message in bytes. Set only if the server answers the message as soon as it reads it. */
  readonly bytes?: number;
}

/**
 * Maximum number of unanswered messages. Above it, the client is paused. The pause always ends, because the
 * answers to so many messages overflow the server's buffer and are sent even without a Flush.
 */
const MANY = 10_000;
/**
 * Maximum lead of the client over the server: unanswered bytes of messages that the server answers as soon as
 * it reads them. The limit pauses a client that is still writing a long pipeline, so that it gets an error
 * early and the gateway reads fewer useless messages.
 */
const AHEAD_BYTES = 256 * 1024;
const COMPACT_FROM = 1_024;

/**
 * The messages that the server has yet to answer, in order. Finds out which answer belongs to which message,
 * and what the server skips after an error. Source: PostgreSQL documentation, "Message Flow": "Extended
 * Query", "Pipelining", "COPY Operations".
 */
export class PipelineState {
  private entries: ExpectedAnswer[] = [];
  private first = 0;
  /** Whether the server skips messages until the next Sync, because of an error. */
  private skips = false;
  /** Whether the server reads COPY data whose end was not sent yet. Until then it ignores Sync. */
  private isCopyingIn = false;
  /** Statements and portals whose Parse or Bind is in flight, by name. */
  private readonly statements = new Map<string, { readonly statement: Statement; readonly batch: number }>();
  private readonly portals = new NamedSlots<Portal>();
  /**
   * Number of the current batch of messages. Each Sync and each simple query ends a batch. If a message
   * fails, the server skips the rest of its batch.
   */
  private batch = 0;
  private waiters: (() => void)[] = [];
  private isOver = false;
  private aheadBytes = 0;
  /** Whether a statement that may change the encoding of later texts still waits for its ReadyForQuery. */
  isRisky = false;
  /**
   * Whether no Sync and no simple query follows the risky statement yet. The server reports the outcome of
   * the statement only after the client sends one of them.
   */
  isRiskOpen = false;
  /** Whether the COPY data that the server last requested are in binary form. */
  private isBinaryCopyIn = false;
  /** Columns of COPY data in binary form; undefined where they could not be learned. */
  copyInColumns: readonly Column[] | undefined;
  /** Whether the transaction had failed at the last ReadyForQuery. */
  isAborted = false;
  /**
   * Whether the client's messages are dropped until its next Sync, because a command or a result was refused.
   */
  skipsClient = false;

  get head(): ExpectedAnswer | undefined {
    return this.entries[this.first];
  }

  get isIdle(): boolean {
    return this.first === this.entries.length;
  }

  /**
   * Whether the gateway can send a query of its own before a message of this type. False while the server
   * skips messages. False while the server reads COPY data, because any command breaks the COPY. False for a
   * simple query while earlier messages have no Sync, because after an error the server would skip the query
   * too.
   */
  isInStepFor(kind: number): boolean {
    if (this.skips || this.isCopyingIn) return false;
    return kind !== QUERY || this.isIdle || hasReady(this.entries.at(-1) as ExpectedAnswer);
  }

  /** Whether it is known if the server would read or drop COPY data that are sent now; see `copyInKnown`. */
  get isCopyInKnown(): boolean {
    return this.isCopyingIn || this.skips || this.isIdle;
  }

  /**
   * Format in which the server requested COPY data; undefined if it requested no data and drops what it gets.
   */
  get copyInForm(): 'binary' | 'text' | undefined {
    if (!this.isCopyingIn) return undefined;
    return this.isBinaryCopyIn ? 'binary' : 'text';
  }

  /** Whether the client must be paused until answers arrive. */
  get isFull(): boolean {
    return this.entries.length - this.first >= MANY || this.aheadBytes >= AHEAD_BYTES;
  }

  /**
   * Resolves once no statement that may change the encoding is in flight. Also resolves if its answer needs
   * another message of the client, or if the relay has ended.
   */
  harmless(): Promise<void> {
    return this.until(() => !this.isRisky || this.isRiskOpen);
  }

  /** Resolves once everything is answered, or the remaining answers need another message of the client. */
  settled(): Promise<void> {
    return this.until(
      () => this.isIdle || this.isCopyingIn || !hasReady(this.entries.at(-1) as ExpectedAnswer),
    );
  }

  /**
   * Whether the server certainly refuses a command that is sent now, because the transaction has failed or
   * the server reads COPY data.
   */
  get isRefusing(): boolean {
    return this.isCopyingIn || (this.isIdle && this.isAborted);
  }

  /** Resolves once the Describe of a statement, or a query of the gateway, is answered or was skipped. */
  described(asked: Statement | GatewayQuery): Promise<void> {
    return this.until(() => asked.isBeingDescribed !== true);
  }

  /**
   * Resolves once the server has requested COPY data, or certainly will not request them, because the COPY
   * failed or everything is answered.
   */
  copyInKnown(): Promise<void> {
    return this.until(() => this.isCopyInKnown);
  }

  /** Resolves once the condition holds, or the relay has ended and the server sends no more answers. */
  private async until(holds: () => boolean): Promise<void> {
    while (!this.isOver && !holds()) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  sent(expected: ExpectedAnswer): void {
    if (expected.kind === SYNC) {
      if (this.isCopyingIn) return;
      this.skips = false;
    } else if (this.skips) return;
    if (expected.isRisky === true) this.isRisky = true;
    this.isRiskOpen = !hasReady(expected) && (this.isRiskOpen || expected.isRisky === true);
    this.entries.push(expected);
    if (hasReady(expected)) this.batch += 1;
    const { kind, name, statement, portal, bytes = 0 } = expected;
    this.aheadBytes += bytes;
    beingDescribed(expected, true);
    if (name === undefined) return;
    if (kind === PARSE && statement !== undefined)
      this.statements.set(name, { statement, batch: this.batch });
    if (kind === BIND && portal !== undefined) this.portals.set(name, portal);
  }

  /**
   * Handles the parameter types of the described statement.
   * @returns whether the gateway, not the client, requested them.
   */
  tellParameters(parameters: readonly number[]): boolean {
    const { head } = this;
    if (head?.statement !== undefined) head.statement.parameters = parameters;
    return head?.isOurs === true;
  }

  /** Whether the server's next answer is for a query of the gateway. */
  get isOwn(): boolean {
    return this.head?.own !== undefined;
  }

  /**
   * Passes a row to the gateway's query if the row answers one. @returns whether the row answers a query of
   * the gateway.
   */
  takesOwnRow(row: Message): boolean {
    this.head?.own?.take(row);
    return this.isOwn;
  }

  /** Handles the end of a command. @returns whether the command was a query of the gateway. */
  endsOwn(): boolean {
    return this.isOwn && this.answered() !== undefined;
  }

  /** Removes and returns the first message, because it is answered. */
  answered(): ExpectedAnswer | undefined {
    const { head } = this;
    if (head === undefined) return undefined;
    this.forget(head);
    this.first += 1;
    // The end of COPY data that the server did not request gets no answer.
    while (this.head?.kind === COPY_DONE) this.first += 1;
    if (this.first === this.entries.length) {
      this.entries = [];
      this.first = 0;
      this.wake();
    } else if (this.first >= COMPACT_FROM) {
      this.entries = this.entries.slice(this.first);
      this.first = 0;
    }
    return head;
  }

  /**
   * Handles the server's request for COPY data. The server ignores each Sync in flight before the end of the
   * data.
   */
  copyInBegan(isBinary: boolean, columns?: readonly Column[]): void {
    this.isBinaryCopyIn = isBinary;
    this.copyInColumns = columns;
    const begin = this.first + 1;
    const following = this.entries.slice(begin);
    const end = following.findIndex(({ kind }) => kind === COPY_DONE);
    this.isCopyingIn = end === -1;
    const during = this.isCopyingIn ? following : following.slice(0, end);
    const kept = during.filter(({ kind }) => kind !== SYNC);
    this.entries.splice(begin, during.length + (this.isCopyingIn ? 0 : 1), ...kept);
    this.isRiskOpen = this.hasOpenRisk();
    this.wake();
  }

  /** Handles the end of COPY data. The client may send the end before the server has requested the data. */
  copyInEnds(): void {
    if (!this.isCopyingIn && !this.skips && !this.isIdle) this.entries.push({ kind: COPY_DONE });
    this.isCopyingIn = false;
  }

  /**
   * Sets the error for the refused COPY: the COPY that the server reads now, or the last one in the queue.
   */
  refuseCopy(refused: Refused): void {
    const index = this.isCopyingIn
      ? this.first
      : this.entries.findLastIndex(({ kind }) => kind === EXECUTE || kind === QUERY);
    const copy = this.entries[index];
    if (copy !== undefined && index >= this.first) this.entries[index] = { ...copy, refused };
  }

  /**
   * Handles an error. In the extended protocol the server skips everything up
   * to the next Sync, simple queries too.
   */
  failed(): void {
    this.isCopyingIn = false;
    if (this.head !== undefined && hasReady(this.head)) return;
    let isQuerySkipped = false;
    while (this.head !== undefined && this.head.kind !== SYNC)
      isQuerySkipped = this.answered()?.kind === QUERY || isQuerySkipped;
    this.skips = this.head === undefined;
    // The server skipped a simple query, so the client gets the answer to the gateway's own Sync in place of
    // the answer to this query.
    if (isQuerySkipped && this.head?.isOurs === true) this.entries[this.first] = { kind: SYNC };
    this.wake();
  }

  /**
   * Handles ReadyForQuery, which the server sends for a Sync or a simple query. All messages before it are
   * answered too.
   * @returns the Sync or simple query
   */
  becameReady(isAborted = false): ExpectedAnswer | undefined {
    this.isAborted = isAborted;
    this.isCopyingIn = false;
    this.skips = false;
    while (this.head !== undefined && !hasReady(this.head)) this.answered();
    const asked = this.answered();
    if (this.isRisky)
      this.isRisky = this.entries.some(({ isRisky }, index) => isRisky === true && index >= this.first);
    this.wake();
    return asked;
  }

  /**
   * Handles a refused answer. Drops the client's messages until its next Sync. If a Sync or a simple query is
   * already in flight, drops none, because the refusal affects only the messages before it.
   */
  refuseAnswer(): void {
    this.skipsClient = !this.entries.slice(this.first).some(hasReady);
  }

  /** Ends all waiting, because the server will send no more answers. */
  release(): void {
    this.isOver = true;
    for (const expected of this.entries.slice(this.first)) beingDescribed(expected, false);
    this.isRisky = false;
    this.wake();
  }

  private wake(): void {
    if (this.waiters.length === 0) return;
    for (const resolve of this.waiters.splice(0)) resolve();
  }

  /** Returns the statement with this name whose Parse is in flight. */
  parsing(name: string): Statement | undefined {
    return this.statements.get(name)?.statement;
  }

  /**
   * Whether a message sent now certainly uses the statement that `parsing` returns. If its Parse fails, the
   * server skips the message too, because no Sync lies between them.
   */
  isSureOf(name: string): boolean {
    return this.statements.get(name)?.batch === this.batch;
  }

  /** Returns the portal with this name whose Bind is in flight. */
  binding(name: string): Portal | undefined {
    return this.portals.get(name);
  }

  /**
   * Whether no Sync and no simple query was sent as, or after, the last message that may change the encoding.
   */
  private hasOpenRisk(): boolean {
    if (!this.isRisky) return false;
    const risky = this.entries.findLastIndex(({ isRisky }) => isRisky === true);
    return !this.entries.slice(Math.max(this.first, risky)).some(hasReady);
  }

  private forget(expected: ExpectedAnswer): void {
    const { name, statement, portal, isOurs, bytes = 0 } = expected;
    this.aheadBytes -= bytes;
    beingDescribed(expected, false);
    if (isOurs === true) this.wake();
    if (name === undefined) return;
    if (statement !== undefined && this.parsing(name) === statement) this.statements.delete(name);
    if (portal !== undefined && this.portals.get(name) === portal) this.portals.delete(name);
  }
}

/** Whether the portal's result has binary columns that are neither described nor being described. */
export function isUndescribed({ statements, formats, shape, isBeingDescribed }: Portal): boolean {
  const isKnown = statements.length === 1 && statements[0]?.columns !== undefined;
  return formats.includes(1) && !isKnown && shape?.columns === undefined && isBeingDescribed !== true;
}

function beingDescribed({ kind, portal, statement, own }: ExpectedAnswer, isBeing: boolean): void {
  const described = own ?? (kind === DESCRIBE ? (portal ?? statement) : undefined);
  if (described !== undefined) described.isBeingDescribed = isBeing;
}

/** Whether the server's answer ends with ReadyForQuery. */
function hasReady({ kind }: ExpectedAnswer): boolean {
  return kind === SYNC || kind === QUERY;
}
