import type { Connection, Submittable } from 'pg';
import { renderRow } from '../../../src/kernel/text/tabular-text';
import { type Wire, wireOf } from '../../../src/targets/postgres/driver-parts';

/** An error or a notice. */
interface Said {
  readonly message?: string | undefined;
  readonly detail?: string | undefined;
}

/**
 * Runs a text as one simple query, as the gateway does. Keeps all output, also the output before an error.
 * Unlike the gateway's own class, it can be used many times on one connection.
 */
export class TextRun implements Submittable {
  output = '';
  private wire: Wire | undefined;
  private resolve!: () => void;
  readonly done = new Promise<void>((resolve) => (this.resolve = resolve));

  constructor(private readonly text: string) {}

  submit(connection: Connection): void {
    this.wire = wireOf(connection);
    this.wire.query(this.text);
  }

  handleRowDescription(): void {
    // The output keeps only rows, without the names of columns.
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.output += renderRow(fields);
  }

  handleCommandComplete(): void {
    // Ignores the command tag, because it does not prove that the statement had an effect.
  }

  handleEmptyQuery(): void {
    // Ignores the message, as in handleCommandComplete.
  }

  handleCopyInResponse(): void {
    this.wire?.sendCopyFail('there is nothing to copy from');
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.output += chunk.toString();
  }

  handlePortalSuspended(): void {
    // Never called, because only the extended protocol suspends portals.
  }

  /** Adds errors and notices to the output, because the error of a failed conversion contains the value. */
  handleNotice({ message, detail }: Said): void {
    this.output += `${message ?? ''}\n${detail ?? ''}\n`;
  }

  handleError(error: Said): void {
    this.handleNotice(error);
    this.resolve();
  }

  handleReadyForQuery(): void {
    this.resolve();
  }
}
