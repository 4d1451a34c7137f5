import { sqlStateOfError } from '../database/sql-state';
import type { NewLine } from './audit-log.entity';

/** Lines in one transaction at most. */
const GROUP = 256;

interface WaitingLine {
  readonly line: NewLine;
  done(): void;
  failed(error: unknown): void;
}

/**
 * Lines of requests that changed nothing else, written in groups: those that come while a transaction of their organization runs
 * share the next one. So the lock of the chain is taken once for many requests.
 */
export class LineGroups {
  /** By organization; present while one of its groups is being written. */
  private readonly waiting = new Map<string, WaitingLine[]>();

  /** @param write appends lines in this order, in one transaction */
  constructor(private readonly write: (lines: readonly NewLine[]) => Promise<void>) {}

  /** Resolves when the line is committed. Rejects as its transaction does. */
  add(line: NewLine): Promise<void> {
    return new Promise<void>((done, failed) => {
      const waiting = this.waiting.get(line.orgId);
      if (waiting !== undefined) {
        waiting.push({ line, done, failed });
        return;
      }
      this.waiting.set(line.orgId, [{ line, done, failed }]);
      void this.writeAll(line.orgId);
    });
  }

  private async writeAll(orgId: string): Promise<void> {
    const waiting = this.waiting.get(orgId) ?? [];
    while (waiting.length > 0) await this.writeGroup(waiting.splice(0, GROUP));
    this.waiting.delete(orgId);
  }

  private async writeGroup(group: readonly WaitingLine[]): Promise<void> {
    try {
      await this.write(group.map(({ line }) => line));
    } catch (error) {
      // One line that PostgreSQL refuses must not cost the others their place.
      if (group.length > 1 && isRefusedLine(error))
        for (const waiting of group) await this.writeGroup([waiting]);
      else for (const waiting of group) waiting.failed(error);
      return;
    }
    for (const waiting of group) waiting.done();
  }
}

/** Classes 22 (data exception) and 23 (integrity constraint violation) of SQLSTATE. */
function isRefusedLine(error: unknown): boolean {
  return /^2[23]/.test(sqlStateOfError(error) ?? '');
}
