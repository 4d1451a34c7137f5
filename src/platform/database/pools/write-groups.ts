import { sqlStateOfError } from '../faults/sql-state';

/** A row that waits for its transaction. */
interface WaitingRow<T> {
  readonly row: T;
  done(): void;
  failed(error: unknown): void;
}

/** Settings for writing rows in groups. */
export interface WrittenInGroups<T> {
  /** Maximum number of rows in one group. */
  readonly atMost: number;
  /** Name of the queue of a row. Queues are written concurrently, and rows of one queue in order. */
  readonly queueOf: (row: T) => string;
  /** Writes the rows in this order, in one transaction. */
  readonly write: (rows: readonly T[]) => Promise<void>;
}

/**
 * Writes the rows of concurrent requests in groups. Rows that arrive while a transaction of their queue runs
 * share the next transaction. So many requests cost one round trip and one commit. A single row does not wait
 * for others.
 */
export class WriteGroups<T> {
  /** Waiting rows by queue. A queue has an entry while one of its groups is written. */
  private readonly waiting = new Map<string, WaitingRow<T>[]>();

  constructor(private readonly how: WrittenInGroups<T>) {}

  /** Resolves when the row is committed. Rejects with the error of its transaction. */
  add(row: T): Promise<void> {
    return new Promise<void>((done, failed) => {
      const queue = this.how.queueOf(row);
      const waiting = this.waiting.get(queue);
      if (waiting !== undefined) {
        waiting.push({ row, done, failed });
        return;
      }
      const first = [{ row, done, failed }];
      this.waiting.set(queue, first);
      void this.writeAll(queue, first);
    });
  }

  private async writeAll(queue: string, waiting: WaitingRow<T>[]): Promise<void> {
    while (waiting.length > 0) await this.writeGroup(waiting.splice(0, this.how.atMost));
    this.waiting.delete(queue);
  }

  private async writeGroup(group: readonly WaitingRow<T>[]): Promise<void> {
    try {
      await this.how.write(group.map(({ row }) => row));
    } catch (error) {
      // Writes each row separately, so that the rows that PostgreSQL accepts are still written.
      if (group.length > 1 && isRefusedRow(error))
        for (const waiting of group) await this.writeGroup([waiting]);
      else for (const waiting of group) waiting.failed(error);
      return;
    }
    for (const waiting of group) waiting.done();
  }
}

/** Whether PostgreSQL refused a row: SQLSTATE class 22 (data exception) or 23 (integrity constraint). */
function isRefusedRow(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOfError(error) ?? '');
}
