import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../../gate/session';
import type { MaybePromise } from '../../../kernel/async/maybe-promise';
import { type BinaryCopy, mayBeCopy } from '../../../languages/postgresql/binary-copy';
import type { SessionTypes } from '../binary/type-catalog';
import type { CopyDescription, ExpectedAnswer, PipelineState, Statement } from './pipeline-state';
import type { OpenTypes } from './open-types';
import * as client from '../wire/client-messages';
import type { Message } from '../wire/client-messages';
import type { Column } from '../wire/columns';
import type { Spans } from '../wire/spans';
import { CLOSE, DESCRIBE, EXECUTE, PARSE, QUERY, SYNC } from '../wire/types';

/**
 * Finds the columns of COPY data in binary form, which do not contain their types. The gateway prepares a
 * SELECT of the same columns on the client's own connection, right before the COPY and in its transaction.
 * Only there do names resolve as in the COPY: temporary tables, the search path, uncommitted changes. Nothing
 * is executed, and the client sees no answer.
 */
export class CopyColumns {
  /** A random statement name, which no client uses by chance. */
  private readonly name = Buffer.from(`columns of COPY ${randomBytes(8).toString('hex')}`);

  constructor(
    private readonly session: Pick<Session, 'judgesInput' | 'screensOutput'>,
    private readonly pipelineState: PipelineState,
    private readonly out: Spans,
    private readonly types: Pick<SessionTypes, 'generatedColumns'>,
    private readonly openTypes: OpenTypes,
  ) {}

  /**
   * Forwards a command unchanged. If the command is a binary COPY whose data a rule looks at, first sends a
   * query for its columns.
   */
  forward(message: Message, expected: ExpectedAnswer): MaybePromise<true> {
    const isAlone = expected.kind === QUERY && expected.copied !== undefined;
    const known = isAlone ? this.openTypes.whenKnown() : undefined;
    return known?.then(() => this.forwardNow(message, expected)) ?? this.forwardNow(message, expected);
  }

  private forwardNow({ bytes, start, end }: Message, expected: ExpectedAnswer): true {
    const question = this.question(expected);
    this.pipelineState.sent(question === undefined ? expected : { ...expected, copy: question });
    this.out.add(bytes, start, end);
    // Sends a Sync, because if the query for the columns fails, the server skips even a simple query until a
    // Sync.
    if (question !== undefined && expected.kind === QUERY) this.send(client.sync, { kind: SYNC });
    return true;
  }

  private question({ copied, kind, name }: ExpectedAnswer): CopyDescription | undefined {
    if (copied === undefined || !this.isLookedAt(copied) || !this.pipelineState.isInStepFor(kind))
      return undefined;
    // Describes the portal first, because for a missing portal the Describe fails with the same error as the
    // Execute.
    if (kind === EXECUTE && name !== undefined)
      this.send(client.describe('P', Buffer.from(name)), { kind: DESCRIBE, isPortal: true });
    this.openTypes.beforeCopy();
    const { describedBy, columns } = copied;
    const statement: Statement = { text: describedBy, isRisky: false };
    this.send(client.parse(this.name, describedBy), { kind: PARSE });
    this.send(client.describe('S', this.name), { kind: DESCRIBE, isPortal: false, statement });
    this.send(client.close('S', this.name), { kind: CLOSE });
    return { statement, columns };
  }

  /** @param count the number of columns that the server announced for the data. */
  columnsOf(head: ExpectedAnswer | undefined, count: number): MaybePromise<readonly Column[] | undefined> {
    const { statement, columns: names } = head?.copy ?? {};
    const all = statement?.columns;
    if (all === undefined) return undefined;
    if (names !== undefined && names.length > 0) {
      const named = names.flatMap((name) => all.find((column) => column.name === name) ?? []);
      return named.length === count && names.length === count ? named : undefined;
    }
    if (all.length === count) return all;
    return names === undefined || all.length < count ? undefined : this.withoutGenerated(all, count);
  }

  private async withoutGenerated(
    columns: readonly Column[],
    count: number,
  ): Promise<readonly Column[] | undefined> {
    const known = await this.types.generatedColumns(columns[0]?.table ?? 0);
    // Returns undefined if the transaction has added or removed columns. It may also have made a column stop
    // being generated, which the comparison with `count` detects; an existing column cannot become generated.
    if (known?.size !== columns.length || columns.some(({ attribute }) => !known.has(attribute)))
      return undefined;
    const copied = columns.filter(({ attribute }) => known.get(attribute) === false);
    return copied.length === count ? copied : undefined;
  }

  private isLookedAt({ direction }: BinaryCopy): boolean {
    return direction === 'in' ? this.session.judgesInput : this.session.screensOutput;
  }

  private send(message: Buffer, expected: ExpectedAnswer): void {
    this.pipelineState.sent({ ...expected, isOurs: true });
    this.out.insert(message);
  }
}

/**
 * Returns the binary COPY that a portal executes. If the portal may stand for several statements, all
 * statements that may be a COPY must be the same COPY.
 */
export function binaryCopyOfStatements(statements: readonly Statement[]): BinaryCopy | undefined {
  // `copied` is set only where the statement is a binary COPY.
  if (statements.length === 1) return statements[0]?.copied;
  const possible = statements.filter(({ text }) => mayBeCopy(text));
  const [first, ...others] = possible.map(({ copied }) => copied);
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}
