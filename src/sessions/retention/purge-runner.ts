import { Injectable, Logger } from '@nestjs/common';
import { DatabaseSettings } from '../../platform/config/groups';
import { databaseOutage } from '../../platform/database/faults/outage';
import type { Change } from '../../platform/http/routes/change';
import { messageOf, stoppingError } from '../../kernel/app-error';
import { LedgerAnchors } from '../ledger/ledger-anchors';
import { LedgerWriter } from '../ledger/ledger-writer';
import { SessionLedger } from '../ledger/session-ledger';
import { Purge } from './purge';
import { PurgeConnection } from './purge-connection';
import type { RetentionRun } from './retention-run.entity';
import { type RunEnd, RetentionRuns } from './retention-runs';

/**
 * Runs purges. Only one runs in the whole installation, because it needs an advisory lock of the database.
 */
@Injectable()
export class PurgeRunner {
  private readonly log = new Logger(PurgeRunner.name);
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly runs: RetentionRuns,
    private readonly settings: DatabaseSettings,
    private readonly ledger: SessionLedger,
    private readonly writer: LedgerWriter,
    private readonly anchors: LedgerAnchors,
  ) {}

  /**
   * Starts a run. Resolves once the row of the run exists; the run continues after that.
   * @param change Change by the admin who requested the run; undefined: the schedule started it.
   * @returns undefined while another run is in progress, on any gateway
   * @throws AppError `unavailable` while this gateway stops
   */
  async start(orgId: string, change: Change | undefined): Promise<RetentionRun | undefined> {
    if (this.stopping.signal.aborted) throw stoppingError();
    const db = await PurgeConnection.open(this.settings.url);
    if (db === undefined) return undefined;
    try {
      const run = await this.runs.begin(orgId, change);
      this.running = this.finish(db, run);
      return run;
    } catch (error) {
      await db.close();
      throw error;
    }
  }

  /** Finishes the current batch, and leaves all other work to the next run. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /** Purges, and ends the run. Never rejects, because the next run completes the work after an error. */
  private async finish(db: PurgeConnection, run: RetentionRun): Promise<void> {
    try {
      const end = await this.purge(db, run);
      const ended = await this.runs.end(run, end);
      // Writes the ledger's last entry to the audit log, which then proves the entries about the removal.
      if (ended.purged > 0) await this.anchors.anchorNow(run.orgId);
      this.report(ended);
    } catch (error) {
      this.log.warn(`A run of retention could not be ended: ${messageOf(error)}`);
    } finally {
      await db.close();
    }
  }

  private async purge(db: PurgeConnection, run: RetentionRun): Promise<RunEnd> {
    const purge = new Purge(db, run, this.stopping.signal, this.ledger, this.writer);
    try {
      await purge.execute();
    } catch (error) {
      this.log.error({ err: error }, 'Recordings whose retention has ended could not be removed');
      return { outcome: 'failed', error: sentenceOf(error) };
    }
    if (this.stopping.signal.aborted) return { outcome: 'stopped', error: null };
    const months = purge.busy.map(({ name }) => name.replace('_', '-')).join(', ');
    const error = months === '' ? null : `In use, and so to be removed by a later run: ${months}.`;
    return { outcome: 'finished', error };
  }

  private report({ outcome, purged, due, bytes, removed, monthsDropped, heldBack }: RetentionRun): void {
    this.log.log(
      `Retention ${outcome}: ${purged} of ${due} recordings (${bytes} bytes) purged, ${removed} removed, ` +
        `${monthsDropped} months dropped, ${heldBack} held back`,
    );
  }
}

/** Describes an error in a sentence for auditors. The log has the details. */
function sentenceOf(error: unknown): string {
  const outage = databaseOutage(error);
  const why =
    outage === undefined ? 'Something went wrong, see the log of the gateway' : `The database ${outage}`;
  return `${why}; the next run goes on.`;
}
