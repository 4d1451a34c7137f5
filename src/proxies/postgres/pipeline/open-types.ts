import { randomBytes } from 'node:crypto';
import type { Text } from '../../../kernel/text/long-text';
import type { SessionTypes } from '../binary/type-catalog';
import { OPEN_TYPES_QUERY, openTypesOf } from '../binary/type-query';
import type { PipelineState, GatewayQuery, Portal, Statement } from './pipeline-state';
import * as client from '../wire/client-messages';
import type { Message } from '../wire/client-messages';
import { onlyCellOf } from '../wire/server-messages';
import type { Spans } from '../wire/spans';
import { BIND, CLOSE, EXECUTE, PARSE } from '../wire/types';

/**
 * Maximum length of a text that is searched, in UTF-16 code units. A longer text counts as creating types.
 */
const SEARCHED = 128 * 1024;
/** Matches statements that may create types. A function that a query calls is not detected. */
const MAKES_TYPES = /\b(?:create|alter|import)\b|(?:^|;)\s*(?:do|call)\b/i;
/**
 * Matches statements that return rows: white space, brackets and comments, then a keyword of such a
 * statement. None of these statements runs in a failed transaction.
 */
const HAS_ROWS =
  /^(?:[\s(]|--[^\n\r]*[\n\r]|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/)*(?:select|with|values|table|insert|update|delete|merge|fetch|call)\b/i;

/**
 * Types that the client's open transaction created. Other sessions do not see them, so the gateway queries
 * them on the client's own connection before a message that may use them, and hides the answer from the
 * client. If the query fails, the client's message after it fails as well.
 */
export class OpenTypes {
  /** Statement and portal names that no client uses by chance. */
  private readonly name = `types of the transaction ${randomBytes(8).toString('hex')}`;
  private asked = 0;
  /** Number of statements so far that may have created types. */
  private made = 0;
  /** Value of `made` up to which all created types are known, or their transaction has ended. */
  private known = 0;
  private last: { readonly query: GatewayQuery; readonly made: number } | undefined;
  /** Caches whether a statement may create types, because it may be executed often. */
  private readonly makes = new WeakMap<object, boolean>();

  constructor(
    private readonly pipelineState: PipelineState,
    private readonly out: Spans,
    private readonly types: Pick<SessionTypes, 'find' | 'takeOpen'>,
    /** Sends the messages in `out`. */
    private readonly send: () => void,
  ) {}

  /** Must be called when a statement is sent to the server to be executed. */
  willRun(statement: Pick<Statement, 'text'>): void {
    let makesTypes = this.makes.get(statement);
    if (makesTypes === undefined) this.makes.set(statement, (makesTypes = mayMakeTypes(statement.text)));
    if (makesTypes) this.made += 1;
  }

  /** Like `willRun`, for a text that is executed once. */
  willRunOnce(text: Text): void {
    if (mayMakeTypes(text)) this.made += 1;
  }

  /**
   * Must be called when nothing is in flight and the transaction has ended. The types of the transaction are
   * then committed or gone.
   */
  transactionEnded(): void {
    this.known = this.made;
  }

  /** Whether types must be queried before this portal is executed, because its result has binary columns. */
  isNeededFor({ statements, formats }: Portal): boolean {
    if (!this.isOpen || !formats.includes(1)) return false;
    return statements.some(({ text }) => typeof text === 'string' && HAS_ROWS.test(text));
  }

  /** Queries types before a portal is executed for which `isNeededFor` is true. */
  beforePortal(): void {
    this.queryOpenTypes();
  }

  /**
   * Resolves once it is known whether a transaction is open. Must be awaited before a simple query for which
   * types are queried, because no Sync follows the types query. Without an open transaction, the server would
   * run both queries in one implicit transaction and report an open transaction in ReadyForQuery.
   */
  whenKnown(): Promise<void> | undefined {
    return this.isOpen && !this.pipelineState.isIdle ? this.pipelineState.settled() : undefined;
  }

  /** Queries types before a COPY in binary form. */
  beforeCopy(): void {
    if (this.isOpen) this.queryOpenTypes();
  }

  /** Queries types if one of the given types is unknown. Resolves once the answer has arrived. */
  async learn(oids: readonly number[]): Promise<void> {
    if (!this.isOpen || oids.every((oid) => oid === 0 || this.types.find(oid) !== undefined)) return;
    await this.pipelineState.settled();
    if (this.pipelineState.isRefusing) return;
    const query = this.queryOpenTypes();
    // Adds a Flush, because without it the server buffers short answers.
    this.out.insert(client.flush);
    this.send();
    await this.pipelineState.described(query);
  }

  private get isOpen(): boolean {
    return this.made > this.known;
  }

  /** Sends the query for types. Reuses a query in flight, unless an error made the server skip it. */
  private queryOpenTypes(): GatewayQuery {
    const { pipelineState, out, made, last } = this;
    if (last?.made === made && last.query.isBeingDescribed === true) return last.query;
    const take = (row: Message): void => {
      this.types.takeOpen(openTypesOf(onlyCellOf(row)));
      this.known = made;
    };
    const query: GatewayQuery = { take };
    this.last = { query, made };
    const name = Buffer.from(`${this.name} ${(this.asked += 1)}`);
    for (const [kind, message] of [
      [PARSE, client.parse(name, OPEN_TYPES_QUERY)],
      [BIND, client.bind(name, name)],
      [EXECUTE, client.execute(name)],
      [CLOSE, client.close('P', name)],
      [CLOSE, client.close('S', name)],
    ] as const) {
      pipelineState.sent({ kind, isOurs: true, ...(kind === EXECUTE && { own: query }) });
      out.insert(message);
    }
    return query;
  }
}

function mayMakeTypes(text: Text): boolean {
  return typeof text !== 'string' || text.length > SEARCHED || MAKES_TYPES.test(text);
}
