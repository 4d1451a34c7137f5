import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerWriter } from '../ledger/ledger-writer';
import type { SessionLedger } from '../ledger/session-ledger';
import { type Month, dropMonth, monthsLongOver } from './month-drop';
import type { PurgeConnection } from './purge-connection';
import type { RetentionRun } from './retention-run.entity';
import { FIND_DUE, FIND_REMOVALS, LOCK_DUE, MARK, REMOVE_CHUNKS, SETTLE } from './purge-statements';

const SESSIONS_AT_ONCE = 100;
/** Maximum chunks in a batch. A chunk has at most a quarter of a megabyte. */
const CHUNKS_AT_ONCE = 1_000;
/** Pause between two batches, in which the database can do other work. */
const PAUSE_MS = 20;
/**
 * Maximum attempts to drop a month. Readers and recorders of other months lock the parent tables for moments,
 * so on a busy gateway some attempts do not get the lock in time.
 */
const DROP_TRIES = 6;
const DROP_PAUSE_MS = 500;

/** Due recordings of a connection whose rows have the same retention (`days`; 0: forever). */
interface DueRecordings {
  readonly id: string;
  readonly days: number;
  readonly due: number;
  readonly held: number;
}

/**
 * One run of the purge, in small transactions. Each transaction leaves a consistent state: if the gateway is
 * killed between two transactions, the next run finds the remaining work.
 */
export class Purge {
  /** Months that could not be dropped because they were in use. */
  readonly busy: Month[] = [];

  constructor(
    private readonly db: PurgeConnection,
    private readonly run: Pick<RetentionRun, 'id' | 'orgId'>,
    private readonly signal: AbortSignal,
    private readonly ledger: SessionLedger,
    private readonly writer: LedgerWriter,
  ) {}

  /** Runs the purge. Resolves early once the signal is aborted. */
  async execute(): Promise<void> {
    const due = await this.db.query<DueRecordings>(FIND_DUE, [this.run.orgId]);
    await this.db.query(
      'UPDATE retention_runs SET due = $2, held_back = $3, updated_at = now() WHERE id = $1',
      [
        this.run.id,
        due.reduce((sum, found) => sum + found.due, 0),
        due.reduce((sum, found) => sum + found.held, 0),
      ],
    );
    for (const found of due) await this.repeat(() => this.mark(found));
    await this.dropMonths();
    await this.repeat(() => this.removeChunks());
  }

  /** Repeats the batch as long as it returns true. */
  private async repeat(batch: () => Promise<boolean>): Promise<void> {
    while (!this.signal.aborted && (await batch())) await this.pause(PAUSE_MS);
  }

  /** Marks the oldest due recordings of a connection as purged: from then on they cannot be read. */
  private mark({ id, days }: DueRecordings): Promise<boolean> {
    return this.db.transaction(async () => {
      const locked = await this.db.query<{ id: string }>(LOCK_DUE, [
        this.run.orgId,
        id,
        days,
        SESSIONS_AT_ONCE,
      ]);
      if (locked.length > 0)
        await this.removeContent(
          this.run.orgId,
          locked.map(({ id }) => id),
        );
      return locked.length === SESSIONS_AT_ONCE;
    });
  }

  /**
   * Removes the texts of sessions. Each session first gets a ledger entry about its end, if it has none, and
   * then one about the removal.
   */
  private async removeContent(orgId: string, ids: string[]): Promise<void> {
    await this.writer.prepare(this.db, ids);
    await this.ledger.lock(this.db, orgId);
    await this.writer.writeOf(this.db, orgId, ids);
    await this.db.query(MARK, [this.run.id, ids]);
    await this.ledger.append(this.db, orgId, await this.ledger.changes(this.db, orgId, ids, 'removed'));
  }

  private async dropMonths(): Promise<void> {
    for (const month of await monthsLongOver(this.db)) {
      for (let tries = 1; !this.signal.aborted; tries++) {
        const fate = await dropMonth(this.db, this.run.id, month);
        if (fate === 'busy' && tries === DROP_TRIES) this.busy.push(month);
        if (fate !== 'busy' || tries === DROP_TRIES) break;
        await this.pause(DROP_PAUSE_MS);
      }
    }
  }

  /**
   * Deletes chunks row by row, because other recordings of the month must be kept. A very long recording
   * takes several batches.
   */
  private async removeChunks(): Promise<boolean> {
    const found = await this.db.query<{ id: string }>(FIND_REMOVALS, [
      this.busy.map(({ least }) => least),
      this.busy.map(({ bound }) => bound),
      SESSIONS_AT_ONCE,
    ]);
    if (found.length === 0) return false;
    const ids = found.map(({ id }) => id);
    await this.db.transaction(async () => {
      const removed = await this.db.change(REMOVE_CHUNKS, [ids, CHUNKS_AT_ONCE]);
      if (removed < CHUNKS_AT_ONCE) await this.db.query(SETTLE, [this.run.id, ids]);
    });
    return true;
  }

  private async pause(milliseconds: number): Promise<void> {
    await delay(milliseconds, undefined, { signal: this.signal }).catch(() => undefined);
  }
}
