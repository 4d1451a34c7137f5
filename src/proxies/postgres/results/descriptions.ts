import type { Session } from '../../../gate/session';
import { type MaybePromise, thenMaybe } from '../../../kernel/async/maybe-promise';
import type { ExpectedAnswer, PipelineState, Portal } from '../pipeline/pipeline-state';
import { screenColumnNames } from './server-messages-screening';
import type { SessionPrinting } from '../binary/session-printing';
import type { Message } from '../wire/client-messages';
import { type Column, columnsOf, inFormats, withColumnNames } from '../wire/columns';
import { HEAD_BYTES } from '../wire/message';
import { PLAIN, type RowShape } from '../pipeline/row-text';
import { QUERY } from '../wire/types';

/**
 * Maximum number of cached descriptions of a session. When the cache is full, all entries are dropped. The
 * cache exists because drivers describe the same few statements many times.
 */
const REMEMBERED = 32;
const REMEMBERED_BYTES = 2 * 1024;

/** A cached RowDescription. */
interface Described {
  readonly columns: readonly Column[];
  readonly names: readonly string[];
  /** The rules that last allowed these column names to be shown unchanged. */
  clearedBy?: object | undefined;
}

/** Keeps the descriptions of results: how to read rows, and which column names may be shown. */
export class Descriptions {
  /** Shape of the rows of a simple query. */
  private shape: RowShape = PLAIN;
  private readonly known = new Map<string, Described>();

  constructor(
    private readonly session: Session,
    private readonly pipelineState: PipelineState,
    private readonly printing: SessionPrinting,
  ) {}

  /** Returns the shape of the rows that answer this message. */
  shapeOf(head: ExpectedAnswer | undefined): RowShape {
    const portal = head?.portal;
    if (portal === undefined) {
      if (head?.kind !== QUERY) return PLAIN;
      this.shape = this.printed(this.shape);
      return this.shape;
    }
    portal.shape = this.printed(portal.shape ?? shapeOfStatement(portal));
    return portal.shape;
  }

  /** Returns the shape with the current print settings of the session. */
  private printed(shape: RowShape): RowShape {
    const printing = this.session.screensOutput ? this.printing.strict : this.printing.lenient;
    return shape.printing === printing ? shape : { ...shape, printing };
  }

  /** Handles the answer to a Describe that the gateway sent itself. */
  ofOwn(message: Message): true {
    const { columns } = this.read(message);
    this.noteColumns(this.pipelineState.answered(), columns);
    return true;
  }

  private noteColumns(head: ExpectedAnswer | undefined, columns: readonly Column[]): void {
    if (head?.portal !== undefined) head.portal.shape = { columns, formats: head.portal.formats };
    else if (head?.statement !== undefined) head.statement.columns = columns;
  }

  /** Handles the RowDescription at the start of a simple query's result. @returns the column names. */
  ofResult(message: Message): readonly string[] {
    const { columns, names } = this.read(message);
    this.shape = { columns, formats: [] };
    return names;
  }

  /** Handles the answer to a Describe. @returns a replacement if column names must not be shown. */
  ofDescribe(message: Message): MaybePromise<Buffer | undefined> {
    const known = this.read(message);
    const { columns, names } = known;
    this.noteColumns(this.pipelineState.answered(), columns);
    const { rules } = this.session;
    if (known.clearedBy !== undefined && known.clearedBy === rules) return undefined;
    return thenMaybe(screenColumnNames(this.session, names), (shown) => {
      if (shown.some((name, index) => name !== names[index]))
        return withColumnNames(message.bytes, message.start + HEAD_BYTES, message.end, shown);
      known.clearedBy = rules;
      return undefined;
    });
  }

  private read({ bytes, start, end }: Message): Described {
    if (end - start > REMEMBERED_BYTES) return described(bytes, start, end);
    const key = bytes.toString('latin1', start, end);
    const known = this.known.get(key);
    if (known !== undefined) return known;
    if (this.known.size >= REMEMBERED) this.known.clear();
    const read = described(bytes, start, end);
    this.known.set(key, read);
    return read;
  }
}

function shapeOfStatement({ statements, formats }: Portal): RowShape {
  const known = statements.length === 1 ? statements[0]?.columns : undefined;
  return { formats, columns: known && inFormats(known, formats) };
}

function described(bytes: Buffer, start: number, end: number): Described {
  const columns = columnsOf(bytes, start + HEAD_BYTES, end);
  return { columns, names: columns.map(({ name }) => name) };
}
