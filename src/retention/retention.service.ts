import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { OrganizationsService } from '../auth/organizations.service';
import { Settings } from '../config/settings';
import { databaseOutage } from '../database/outage';
import type { Change } from '../http/change';
import { AppError, messageOf } from '../kernel/app-error';
import { LedgerAnchors } from '../session-ledger/ledger-anchors';
import { LedgerWriter } from '../session-ledger/ledger-writer';
import { SessionLedger } from '../session-ledger/session-ledger';
import { Purge } from './purge';
import { PurgeConnection } from './purge-connection';
import type { RetentionRun } from './retention-run.entity';
import { type RunEnd, RetentionRuns } from './retention-runs';
import { type RetentionRunView, type RetentionView, retentionRunView } from './retention.dto';

const MINUTE_MS = 60_000;
/** A gateway that starts has other things to do first. */
const FIRST_AFTER_MS = MINUTE_MS;
/** Of several gateways, each looks this often; one of them has been a little earlier. */
const NEARLY = 0.9;

/** Removes recordings whose retention has ended: now and then, and when an admin asks. One gateway at a time does. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RetentionService.name);
  private readonly stopping = new AbortController();
  private readonly everyMs: number;
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly runs: RetentionRuns,
    private readonly organizations: OrganizationsService,
    private readonly settings: Settings,
    private readonly ledger: SessionLedger,
    private readonly writer: LedgerWriter,
    private readonly anchors: LedgerAnchors,
  ) {
    this.everyMs = settings.RETENTION_EVERY_MINUTES * MINUTE_MS;
  }

  onApplicationBootstrap(): void {
    this.lookIn(Math.min(FIRST_AFTER_MS, this.everyMs));
  }

  /** The batch under way is finished; the rest is for the next run. */
  async beforeApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    clearTimeout(this.timer);
    await this.running;
  }

  status(orgId: string): Promise<RetentionView> {
    return this.runs.status(orgId);
  }

  /** @throws AppError `conflict` while a gateway purges. */
  async start(change: Change): Promise<RetentionRunView> {
    const run = await this.begin(change.actor.orgId, change);
    if (run === undefined)
      throw new AppError('conflict', 'recordings are being removed already; see GET /retention');
    return retentionRunView(run);
  }

  private lookIn(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.lookIn(this.everyMs);
      void this.look();
    }, milliseconds).unref();
  }

  /** Purges if nobody has lately. */
  async look(): Promise<void> {
    try {
      const { id: orgId } = await this.organizations.defaultOrganization();
      const last = await this.runs.lastFinished(orgId);
      if (last === undefined || Date.now() - last.getTime() > this.everyMs * NEARLY)
        await this.begin(orgId, undefined);
    } catch (error) {
      this.log.warn(`Retention could not be looked after: ${messageOf(error)}`);
    }
  }

  /** Resolves once the run is in the book; undefined while another one is under way. */
  private async begin(orgId: string, change: Change | undefined): Promise<RetentionRun | undefined> {
    if (this.stopping.signal.aborted) throw new AppError('unavailable', 'this gateway is stopping');
    const db = await PurgeConnection.open(this.settings.DATABASE_URL);
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

  /** Never rejects: what cannot be written down now is found by the next run. */
  private async finish(db: PurgeConnection, run: RetentionRun): Promise<void> {
    try {
      const end = await this.purge(db, run);
      const ended = await this.runs.end(run, end);
      // So the entries of what was removed are on the audit log.
      if (ended.purged > 0) await this.anchors.anchorNow(run.orgId);
      this.tell(ended);
    } catch (error) {
      this.log.warn(`A run of retention could not be ended: ${messageOf(error)}`);
    } finally {
      await db.close();
    }
  }

  private async purge(db: PurgeConnection, run: RetentionRun): Promise<RunEnd> {
    const purge = new Purge(db, run.orgId, run.id, this.stopping.signal, this.ledger, this.writer);
    try {
      await purge.run();
    } catch (error) {
      this.log.error({ err: error }, 'Recordings whose retention has ended could not be removed');
      return { outcome: 'failed', error: sentenceOf(error) };
    }
    if (this.stopping.signal.aborted) return { outcome: 'stopped', error: null };
    const months = purge.busy.map(({ name }) => name.replace('_', '-')).join(', ');
    const error = months === '' ? null : `In use, and so to be removed by a later run: ${months}.`;
    return { outcome: 'finished', error };
  }

  private tell({ outcome, purged, due, bytes, removed, monthsDropped, heldBack }: RetentionRun): void {
    this.log.log(
      `Retention ${outcome}: ${purged} of ${due} recordings (${bytes} bytes) purged, ${removed} removed, ` +
        `${monthsDropped} months dropped, ${heldBack} held back`,
    );
  }
}

/** For auditors to read: the log has the rest. */
function sentenceOf(error: unknown): string {
  const outage = databaseOutage(error);
  const why =
    outage === undefined ? 'Something went wrong, see the log of the gateway' : `The database ${outage}`;
  return `${why}; the next run goes on.`;
}
