import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Session } from '../../gate/session';
import type { MaybePromise } from '../../kernel/maybe-promise';
import { type BinaryCopy, mayBeCopy } from '../../languages/postgresql/binary-copy';
import type { SessionTypes } from './binary/type-catalog';
import type { CopyDescription, Expected, PipelineState, Statement } from './pipeline-state';
import type { OpenTypes } from './open-types';
import * as client from './wire/client-messages';
import type { Message } from './wire/client-messages';
import type { Column } from './wire/columns';
import type { Spans } from './wire/spans';
import { CLOSE, DESCRIBE, EXECUTE, PARSE, QUERY, SYNC } from './wire/types';

/**
 * Learns which columns data of COPY in binary form have: the data do not tell. The server is asked on the client's own connection, right
 * before the COPY and in its transaction, by preparing a SELECT of them, because only there do names mean what they will
 * mean to the COPY: temporary tables, the search path, what is not committed. Nothing is run, and the client sees no answer.
 */
export class CopyColumns {
  /** A name that no client takes by chance. */
  private readonly name = Buffer.from(`columns of COPY ${randomBytes(8).toString('hex')}`);

  constructor(
    private readonly session: Pick<Session, 'judgesInput' | 'screensOutput'>,
    private readonly inFlight: PipelineState,
    private readonly out: Spans,
    private readonly types: Pick<SessionTypes, 'generatedColumns'>,
    private readonly openTypes: OpenTypes,
  ) {}

  /** Sends a command as it came; if it is such a COPY and a rule looks at its data, with a question before it. */
  forward({ bytes, start, end }: Message, expected: Expected): true {
    const question = this.question(expected);
    this.inFlight.sent(question === undefined ? expected : { ...expected, copy: question });
    this.out.add(bytes, start, end);
    // If the question fails, the server skips a simple query, too, and goes on at a Sync.
    if (question !== undefined && expected.kind === QUERY) this.send(client.sync, { kind: SYNC });
    return true;
  }

  private question({ copied, kind, name }: Expected): CopyDescription | undefined {
    if (copied === undefined || !this.isLookedAt(copied) || !this.inFlight.isInStepFor(kind))
      return undefined;
    // Where there is no such portal, it is this that fails, with the error that the Execute would have.
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

  /** @param count how many columns the server says that the data have. */
  columnsOf(head: Expected | undefined, count: number): MaybePromise<readonly Column[] | undefined> {
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
    // The columns may have been changed in the client's transaction. A column can stop being generated, but not begin to.
    if (known?.size !== columns.length || columns.some(({ attribute }) => !known.has(attribute)))
      return undefined;
    const copied = columns.filter(({ attribute }) => known.get(attribute) === false);
    return copied.length === count ? copied : undefined;
  }

  private isLookedAt({ direction }: BinaryCopy): boolean {
    return direction === 'in' ? this.session.judgesInput : this.session.screensOutput;
  }

  private send(message: Buffer, expected: Expected): void {
    this.inFlight.sent({ ...expected, isOurs: true });
    this.out.insert(message);
  }
}

/** The COPY that a portal is for sure, if it is one in binary form; of several statements that it may be of, all have to agree. */
export function binaryCopyOfStatements(statements: readonly Statement[]): BinaryCopy | undefined {
  const possible = statements.filter(({ text }) => mayBeCopy(text));
  const [first, ...others] = possible.map(({ copied }) => copied);
  return others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}
