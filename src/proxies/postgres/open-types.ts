import { randomBytes } from 'node:crypto';
import type { Text } from '../../kernel/long-text';
import type { SessionTypes } from './binary/type-catalog';
import { OPEN_TYPES_QUERY, openTypesOf } from './binary/type-query';
import type { PipelineState, OwnQuery, Portal, Statement } from './pipeline-state';
import * as client from './wire/client-messages';
import type { Message } from './wire/client-messages';
import { onlyCellOf } from './wire/server-messages';
import type { Spans } from './wire/spans';
import { BIND, CLOSE, EXECUTE, PARSE } from './wire/types';

/** UTF-16 code units of a text that are searched; a longer one may make types. */
const SEARCHED = 128 * 1024;
/** Statements that may make types. What a function does that a query calls is not seen. */
const MAKES_TYPES = /\b(?:create|alter|import)\b|(?:^|;)\s*(?:do|call)\b/i;
/** All that may stand before the first word of a statement, and words of those that have rows. None of these runs in a failed transaction. */
const HAS_ROWS =
  /^(?:[\s(]|--[^\n\r]*[\n\r]|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*(?:select|with|values|table|insert|update|delete|merge|fetch|call)\b/i;

/**
 * Types that the client's open transaction made. Other sessions do not see them, so the server is asked on the client's own
 * connection, before what may read them, and the client sees no answer. Where the question fails, what was to follow fails as well.
 */
export class OpenTypes {
  /** Names that no client takes by chance. */
  private readonly name = `types of the transaction ${randomBytes(8).toString('hex')}`;
  private asked = 0;
  /** Counts what may have made types. */
  private made = 0;
  /** So much of it is told by an answer, or over. */
  private known = 0;
  private last: { readonly query: OwnQuery; readonly made: number } | undefined;
  /** Whether a statement may make types: it may be run often. */
  private readonly makes = new WeakMap<object, boolean>();

  constructor(
    private readonly inFlight: PipelineState,
    private readonly out: Spans,
    private readonly types: Pick<SessionTypes, 'find' | 'takeOpen'>,
    /** Sends what is in `out`. */
    private readonly send: () => void,
  ) {}

  /** A statement goes to the server, to be run. */
  willRun(statement: Pick<Statement, 'text'>): void {
    const makesTypes = this.makes.get(statement) ?? mayMakeTypes(statement.text);
    this.makes.set(statement, makesTypes);
    if (makesTypes) this.made += 1;
  }

  /** Nothing is on its way, and what was made is committed or gone. */
  transactionEnded(): void {
    this.known = this.made;
  }

  /** Whether to ask before a portal: its result has binary columns. */
  isNeededFor({ statements, formats }: Portal): boolean {
    if (!this.isOpen || !formats.includes(1)) return false;
    return statements.some(({ text }) => typeof text === 'string' && HAS_ROWS.test(text));
  }

  /** Asks, before such a portal. */
  beforePortal(): void {
    this.ask();
  }

  /** Asks, before a COPY in binary form. */
  beforeCopy(): void {
    if (this.isOpen) this.ask();
  }

  /** Asks where one of these is not known; resolves once that is answered. */
  async learn(oids: readonly number[]): Promise<void> {
    if (!this.isOpen || oids.every((oid) => oid === 0 || this.types.find(oid) !== undefined)) return;
    await this.inFlight.settled();
    if (this.inFlight.isIdle && this.inFlight.isAborted) return;
    const query = this.ask();
    // The server keeps short answers to itself until it is asked for them.
    this.out.insert(client.flush);
    this.send();
    await this.inFlight.described(query);
  }

  private get isOpen(): boolean {
    return this.made > this.known;
  }

  /** What is on its way and will be answered is not asked again; what an error had skipped is. */
  private ask(): OwnQuery {
    const { inFlight, out, made, last } = this;
    if (last?.made === made && last.query.isBeingDescribed === true) return last.query;
    const take = (row: Message): void => {
      this.types.takeOpen(openTypesOf(onlyCellOf(row)));
      this.known = made;
    };
    const query: OwnQuery = { take };
    this.last = { query, made };
    const name = Buffer.from(`${this.name} ${(this.asked += 1)}`);
    for (const [kind, message] of [
      [PARSE, client.parse(name, OPEN_TYPES_QUERY)],
      [BIND, client.bind(name, name)],
      [EXECUTE, client.execute(name)],
      [CLOSE, client.close('P', name)],
      [CLOSE, client.close('S', name)],
    ] as const) {
      inFlight.sent({ kind, isOurs: true, ...(kind === EXECUTE && { own: query }) });
      out.insert(message);
    }
    return query;
  }
}

function mayMakeTypes(text: Text): boolean {
  return typeof text !== 'string' || text.length > SEARCHED || MAKES_TYPES.test(text);
}
