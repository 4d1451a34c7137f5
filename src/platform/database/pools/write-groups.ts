import { sqlStateOfError } from '../faults/sql-state';

/** A row that waits for its transaction. */
interface WaitingRow<T> {
  readonly row: T;
  done(): void;
  failed(error: unknown): void;
}

/** Settings for writing rows in groups. */
export interface WrittenInGroups<T> {
  /** Rows in one group at most. */
  readonly atMost: number;
  /** Rows of different queues are written concurrently, and rows of one queue in their order. */
  readonly queueOf: (row: T) => string;
  /** Writes the rows in this order, in one transaction. */
  readonly write: (rows: readonly T[]) => Promise<void>;
}

/**
 * Writes rows of concurrent requests in groups: those that come while a transaction of their queue runs share
 * the next one. So many requests cost one round trip and one commit, and one that comes alone does not wait.
 */
export class WriteGroups<T> {
  /** By queue; present while one of its groups is being written. */
  private readonly waiting = new Map<string, WaitingRow<T>[]>();

  constructor(private readonly how: WrittenInGroups<T>) {}

  /** Resolves when the row is committed. Rejects as its transaction does. */
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
      // One row that PostgreSQL refuses must not cost the others their place.
      if (group.length > 1 && isRefusedRow(error))
        for (const waiting of group) await this.writeGroup([waiting]);
      else for (const waiting of group) waiting.failed(error);
      return;
    }
    for (const waiting of group) waiting.done();
  }
}

/** Classes 22 (data exception) and 23 (integrity constraint violation) of SQLSTATE. */
function isRefusedRow(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOfError(error) ?? '');
}
