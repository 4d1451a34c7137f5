import type { Text } from '../../kernel/long-text';
import type { BinaryCopy } from '../../languages/postgresql/binary-copy';
import type { SettingCall } from './encoding-change';
import type { Refused } from './refusals';
import type { Message } from './wire/client-messages';
import type { Column } from './wire/columns';
import type { RowShape } from './wire/row-text';
import { BIND, COPY_DONE, DESCRIBE, EXECUTE, PARSE, QUERY, SYNC } from './wire/types';

/** A statement that the client had parsed. */
export interface Statement {
  readonly text: Text;
  /** It may change how later texts are read; see encoding-watch. */
  readonly isRisky: boolean;
  /** Calls with which it may set `client_encoding`, depending on its values. */
  readonly settingCalls?: readonly SettingCall[];
  /** Known once it was described. */
  columns?: readonly Column[];
  /** Object ids of the types of its parameters, 0 where it is not known. */
  parameters?: readonly number[];
  /** A Describe of it is on its way. */
  isBeingDescribed?: boolean;
  /** If it is a COPY in binary form. */
  readonly copied?: BinaryCopy | undefined;
}

/** What the gateway asked of a COPY in binary form, whose data do not tell their types. */
export interface CopyDescription {
  /** Has the columns that the data are of, once it is described. */
  readonly statement: Statement;
  /** See `BinaryCopy`. */
  readonly columns: readonly string[] | undefined;
}

/** A query of the gateway on the client's connection, whose result the client does not see. */
export interface OwnQuery {
  /** Takes its only row. */
  readonly take: (row: Message) => void;
  /** It is on its way. */
  isBeingDescribed?: boolean;
}

/** A statement with its values, ready to be run. */
export interface Portal {
  /** Several where it is not known yet which of them it will be; an EXECUTE where SQL prepared it. */
  readonly statements: readonly Statement[];
  /** Of its columns: none (all text), one for all, or one for each; 0 text, 1 binary. */
  readonly formats: readonly number[];
  /** Known once its result was looked at, or it was described. */
  shape?: RowShape;
  /** A Describe of it is on its way. */
  isBeingDescribed?: boolean;
}

/** A message that the server has not answered yet. */
export interface Expected {
  /** Type of the message that the client sent. */
  readonly kind: number;
  /** It was refused, and another one sent in its place that the server refuses too. */
  readonly refused?: Refused;
  readonly name?: string;
  readonly isPortal?: boolean;
  readonly statement?: Statement;
  readonly portal?: Portal | undefined;
  readonly isRisky?: boolean;
  /** The gateway sent it on its own: the client does not see the answer. */
  readonly isOurs?: boolean;
  /** If it is a COPY in binary form, and what was asked about its columns. */
  readonly copied?: BinaryCopy | undefined;
  readonly copy?: CopyDescription | undefined;
  /** If it is the Execute of a query of the gateway. */
  readonly own?: OwnQuery;
  /** Its length, where it is answered at once when its turn has come. */
  readonly bytes?: number;
}

/** Of so many messages without an answer, the answers fill the server's buffer many times: it will send them. */
const MANY = 10_000;
/**
 * So far ahead of the server a client is read, as far as messages that are answered at once tell: what the server says
 * of the first of a long pipeline is said while the client still writes, and the rest has not been read for nothing.
 */
const AHEAD_BYTES = 256 * 1024;
const COMPACT_FROM = 1_024;

/**
 * What the server was sent and has yet to answer, in order: which answer belongs to what, and what it skips after an error.
 * Source: PostgreSQL documentation, "Message Flow": "Extended Query", "Pipelining", "COPY Operations".
 */
export class PipelineState {
  private entries: Expected[] = [];
  private first = 0;
  /** An error came, and what is sent from now on is skipped until the next Sync. */
  private skips = false;
  /** The server reads COPY data whose end was not sent yet: until then, a Sync means nothing to it. */
  private isCopyingIn = false;
  /** Of Parse and Bind messages on their way, by name. */
  private readonly statements = new Map<string, { readonly statement: Statement; readonly batch: number }>();
  private readonly portals = new Map<string, Portal>();
  /** Counts what ends the skipping after an error. */
  private batch = 0;
  private waiters: (() => void)[] = [];
  private isOver = false;
  private aheadBytes = 0;
  /** Something was sent, and ReadyForQuery did not come since, that may change how later texts are read. */
  isRisky = false;
  /** And no Sync was sent behind it: only the client can have the server tell what came of it. */
  isRiskOpen = false;
  /** Of the COPY data that the server asked for last. */
  private isBinaryCopyIn = false;
  /** Of such data in binary form; undefined where it could not be learned. */
  copyInColumns: readonly Column[] | undefined;
  /** At the last ReadyForQuery, the transaction had failed. */
  isAborted = false;
  /** A result was refused, and the client is told of an error: what it sends until its next Sync goes nowhere. */
  skipsClient = false;

  get head(): Expected | undefined {
    return this.entries[this.first];
  }

  get isIdle(): boolean {
    return this.first === this.entries.length;
  }

  /**
   * Whether that message will be answered, and a simple query whatever becomes of what was sent before: it is skipped
   * where an error before it waits for a Sync.
   */
  isInStepFor(kind: number): boolean {
    if (this.skips) return false;
    return kind !== QUERY || this.isIdle || hasReady(this.entries.at(-1) as Expected);
  }

  /** Whether it is known what the server does with COPY data that come now; see `copyInKnown`. */
  get isCopyInKnown(): boolean {
    return this.isCopyingIn || this.skips || this.isIdle;
  }

  /** In which form the server asks for COPY data; undefined where it does not, and what comes goes nowhere. */
  get copyInForm(): 'binary' | 'text' | undefined {
    if (!this.isCopyingIn) return undefined;
    return this.isBinaryCopyIn ? 'binary' : 'text';
  }

  /** The client has to wait for answers first. */
  get isFull(): boolean {
    return this.entries.length - this.first >= MANY || this.aheadBytes >= AHEAD_BYTES;
  }

  /** Resolves once nothing risky is on its way any more, or only the client can find out; or when the relay is over. */
  harmless(): Promise<void> {
    return this.until(() => !this.isRisky || this.isRiskOpen);
  }

  /** Resolves once everything is answered, or only what the client sends next makes the server answer. */
  settled(): Promise<void> {
    return this.until(() => this.isIdle || !hasReady(this.entries.at(-1) as Expected));
  }

  /** Resolves once a Describe of the statement, or a query of the gateway, is answered, or will not be. */
  described(asked: Statement | OwnQuery): Promise<void> {
    return this.until(() => asked.isBeingDescribed !== true);
  }

  /**
   * Resolves once the server asks for COPY data (what comes next is for those), or will not: it failed, or has answered
   * everything.
   */
  copyInKnown(): Promise<void> {
    return this.until(() => this.isCopyInKnown);
  }

  /** Resolves once the condition holds, or the relay is over: a server that is gone answers nothing more. */
  private async until(holds: () => boolean): Promise<void> {
    while (!this.isOver && !holds()) await new Promise<void>((resolve) => this.waiters.push(resolve));
  }

  sent(expected: Expected): void {
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

  /** What the parameters of a statement are. @returns whether only the gateway asked. */
  tellParameters(parameters: readonly number[]): boolean {
    const { head } = this;
    if (head?.statement !== undefined) head.statement.parameters = parameters;
    return head?.isOurs === true;
  }

  /** A query of the gateway is being answered. */
  get isOwn(): boolean {
    return this.head?.own !== undefined;
  }

  /** A row. @returns whether it answers a query of the gateway, which has taken it. */
  takesOwnRow(row: Message): boolean {
    this.head?.own?.take(row);
    return this.isOwn;
  }

  /** A command is complete. @returns whether it was a query of the gateway. */
  endsOwn(): boolean {
    return this.isOwn && this.answered() !== undefined;
  }

  /** The head is answered. */
  answered(): Expected | undefined {
    const { head } = this;
    if (head === undefined) return undefined;
    this.forget(head);
    this.first += 1;
    // The end of COPY data that nobody asked for.
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

  /** The server asks for COPY data. A Sync that is on its way before their end will mean nothing to it. */
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

  /** The end of COPY data was sent; perhaps before the server asked for them. */
  copyInEnds(): void {
    if (!this.isCopyingIn && !this.skips && !this.isIdle) this.entries.push({ kind: COPY_DONE });
    this.isCopyingIn = false;
  }

  /** The COPY that the last command is was refused: the error that comes of it says so. */
  refuseCopy(refused: Refused): void {
    const index = this.isCopyingIn
      ? this.first
      : this.entries.findLastIndex(({ kind }) => kind === EXECUTE || kind === QUERY);
    const copy = this.entries[index];
    if (copy !== undefined && index >= this.first) this.entries[index] = { ...copy, refused };
  }

  /** An error: of the extended protocol, everything is skipped up to the next Sync, simple queries too. */
  failed(): void {
    this.isCopyingIn = false;
    if (this.head !== undefined && hasReady(this.head)) return;
    let isQuerySkipped = false;
    while (this.head !== undefined && this.head.kind !== SYNC)
      isQuerySkipped = this.answered()?.kind === QUERY || isQuerySkipped;
    this.skips = this.head === undefined;
    // A Sync of ours behind a query of the client: what the server answers to it is the query's answer now.
    if (isQuerySkipped && this.head?.isOurs === true) this.entries[this.first] = { kind: SYNC };
    this.wake();
  }

  /** ReadyForQuery: everything up to what asked for it is answered. @returns what asked for it. */
  becameReady(isAborted = false): Expected | undefined {
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

  /** The answer that is under way was refused. Where a Sync is on its way, the server skips nothing, and neither do we. */
  refuseAnswer(): void {
    this.skipsClient = !this.entries.slice(this.first).some(hasReady);
  }

  /** Nothing will come any more. */
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

  /** The statement of that name whose Parse is on its way. */
  parsing(name: string): Statement | undefined {
    return this.statements.get(name)?.statement;
  }

  /** Whether what is sent now meets that statement, or is skipped with it: there is no Sync between. */
  isSureOf(name: string): boolean {
    return this.statements.get(name)?.batch === this.batch;
  }

  /** The portal of that name whose Bind is on its way. */
  binding(name: string): Portal | undefined {
    return this.portals.get(name);
  }

  /** Whether nothing that was sent behind what is risky will bring a ReadyForQuery. */
  private hasOpenRisk(): boolean {
    if (!this.isRisky) return false;
    const risky = this.entries.findLastIndex(({ isRisky }) => isRisky === true);
    return !this.entries.slice(Math.max(this.first, risky)).some(hasReady);
  }

  private forget(expected: Expected): void {
    const { name, statement, portal, isOurs, bytes = 0 } = expected;
    this.aheadBytes -= bytes;
    beingDescribed(expected, false);
    if (isOurs === true) this.wake();
    if (name === undefined) return;
    if (statement !== undefined && this.parsing(name) === statement) this.statements.delete(name);
    if (portal !== undefined && this.portals.get(name) === portal) this.portals.delete(name);
  }
}

/** Whether its result has binary columns, and nobody asked what they are. */
export function isUndescribed({ statements, formats, shape, isBeingDescribed }: Portal): boolean {
  const isKnown = statements.length === 1 && statements[0]?.columns !== undefined;
  return formats.includes(1) && !isKnown && shape?.columns === undefined && isBeingDescribed !== true;
}

function beingDescribed({ kind, portal, statement, own }: Expected, isBeing: boolean): void {
  const described = own ?? (kind === DESCRIBE ? (portal ?? statement) : undefined);
  if (described !== undefined) described.isBeingDescribed = isBeing;
}

/** Whether it is answered with ReadyForQuery in the end. */
function hasReady({ kind }: Expected): boolean {
  return kind === SYNC || kind === QUERY;
}
