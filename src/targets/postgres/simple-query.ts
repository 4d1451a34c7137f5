import type { Connection, DatabaseError, Submittable } from 'pg';
import { piecesOf } from '../../kernel/text/pieces';
import { renderRow } from '../../kernel/text/tabular-text';
import { type Wire, wireOf } from './driver-parts';
import type { ResultMark } from '../contract/script-runner';
import { faultHint, statementFault } from './postgres-faults';
import { TargetConnection } from './target-connection';

/** Number of characters after which collected rows are written, so that not each row causes a write. */
const PIECE_CHARACTERS = 16 * 1024;

/** Error: a result is in binary form, which callers and rules cannot read as text. */
export class BinaryOutput extends Error {}

/**
 * One simple query (text of several statements) of the PostgreSQL protocol, read row by row. Never holds a
 * whole result. Pauses the socket while a piece of output is screened and recorded.
 *
 * `pg` calls a `Submittable`'s handlers by these names.
 * Source: PostgreSQL documentation, "Message Flow", simple query and COPY.
 */
export class SimpleQuery implements Submittable {
  private wire: Wire | undefined;
  private piece = '';
  /** Length of the output before `piece`, in UTF-16 code units. */
  private before = 0;
  /** Beginnings and ends of statement results in `piece`. */
  private marks: ResultMark[] = [];
  private chain: Promise<void> = Promise.resolve();
  private pending = 0;
  private hasColumns = false;
  private isRefused = false;

  /**
   * Resolves with whether every statement succeeded, after ReadyForQuery, when `take` has accepted all
   * output. Rejects when the connection is lost, `take` fails, or the output is binary. A message that is too
   * large ends the connection with its TargetFault.
   */
  readonly done: Promise<boolean>;
  private resolve!: (succeeded: boolean) => void;
  private reject!: (error: unknown) => void;

  constructor(
    private readonly text: string,
    private readonly take: (type: 'o' | 'e', text: string, marks: readonly ResultMark[]) => Promise<void>,
  ) {
    this.done = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  submit(connection: Connection): void {
    this.wire = wireOf(connection);
    // When the driver submits a query, all queries before it are answered, so their size limit can be lifted.
    if (connection instanceof TargetConnection) connection.liftLimit();
    this.wire.on('copyOutResponse', ({ binary }) => {
      if (binary) this.refuseBinary();
    });
    this.wire.query(this.text);
  }

  handleRowDescription({ fields }: { fields: { name: string; format: 'text' | 'binary' }[] }): void {
    if (fields.some(({ format }) => format === 'binary')) this.refuseBinary();
    this.hasColumns = true;
    this.mark('rows');
    this.write(renderRow(fields.map((field) => field.name)));
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.write(renderRow(fields));
  }

  handleCommandComplete({ text }: { text: string }): void {
    if (!this.hasColumns) {
      this.mark('command');
      this.write(`${text}\n`);
    }
    this.mark('end');
    this.hasColumns = false;
  }

  handleEmptyQuery(): void {
    // Nothing was executed, so there is nothing to report.
  }

  handleNotice(notice: DatabaseError): void {
    this.flush();
    this.push('e', `${notice.severity ?? 'NOTICE'}: ${notice.message}\n`);
  }

  /**
   * Handles an error, which ends the whole query. After it, the driver reports no further error of the server
   * or of the connection.
   */
  handleError(error: Error & Partial<DatabaseError>): void {
    this.flush();
    const ofServer = error.severity !== undefined;
    if (!ofServer) return this.settle(() => this.reject(error));
    const fault = error as DatabaseError;
    this.push('e', statementFault(fault, faultHint(fault, this.text)));
    // Severities may be translated, so only the server's next message shows whether the session survived.
    this.wire?.once('readyForQuery', () => this.settle(() => this.resolve(false)));
    this.wire?.once('end', () => this.settle(() => this.reject(error)));
  }

  handleCopyInResponse(): void {
    this.wire?.sendCopyFail('a script has no input to copy from');
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    if (!this.hasColumns) this.mark('text');
    this.hasColumns = true;
    this.write(chunk.toString());
  }

  handlePortalSuspended(): void {
    // Only the extended protocol suspends portals.
  }

  handleReadyForQuery(): void {
    this.flush();
    this.settle(() => this.resolve(true));
  }

  /** Delivers the output before the binary result, and discards all output after it. */
  private refuseBinary(): void {
    this.flush();
    this.isRefused = true;
    this.settle(() => this.reject(new BinaryOutput()));
  }

  /** Runs `settle` after `take` has accepted all output. If `take` fails, rejects with its error instead. */
  private settle(settle: () => void): void {
    this.chain.then(settle, this.reject);
  }

  /** Marks the current end of the output as the beginning or the end of a statement's result. */
  private mark(kind: ResultMark['kind']): void {
    this.marks.push({ at: this.before + this.piece.length, kind });
  }

  private write(text: string): void {
    this.piece += text;
    if (this.piece.length >= PIECE_CHARACTERS) this.flush();
  }

  private flush(): void {
    const { piece } = this;
    let { marks } = this;
    if (piece === '' && marks.length === 0) return;
    this.piece = '';
    this.before += piece.length;
    this.marks = [];
    if (piece === '') this.push('o', '', marks);
    // A large row is screened and recorded in pieces, so that other work can run in between.
    for (const bit of piecesOf(piece, 4 * PIECE_CHARACTERS)) {
      this.push('o', bit, marks);
      marks = [];
    }
  }

  /** Passes pieces to `take` in order, one by one. Pauses the socket while pieces wait. */
  private push(type: 'o' | 'e', text: string, marks: readonly ResultMark[] = []): void {
    if (this.isRefused) return;
    this.pending += 1;
    this.wire?.stream.pause();
    this.chain = this.chain
      .then(() => this.take(type, text, marks))
      .finally(() => {
        this.pending -= 1;
        if (this.pending === 0) this.wire?.stream.resume();
      });
    // Rejects at once, and not at the end of the script, to stop the statements after refused output.
    this.chain.catch(this.reject);
  }
}
