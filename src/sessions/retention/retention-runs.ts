import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type EntityManager, IsNull, Repository } from 'typeorm';
import { AuditService } from '../../platform/audit/audit.service';
import type { Change } from '../../platform/http/routes/change';
import { IS_PURGING } from './purge-connection';
import { type RetentionView, type RetentionRunView, retentionRunView } from './retention.dto';
import { RetentionRun, type RunOutcome } from './retention-run.entity';

const TYPE = 'retention/runs';
const LISTED = 20;
const DIED = 'It was cut off while it was purging; the next run goes on.';

/** The outcome of a run that has ended. */
export interface RunEnd {
  readonly outcome: Exclude<RunOutcome, 'running'>;
  readonly error: string | null;
}

/** The table of purge runs, for `GET /retention` and the audit log. */
@Injectable()
export class RetentionRuns {
  constructor(
    @InjectRepository(RetentionRun) private readonly runs: Repository<RetentionRun>,
    private readonly audit: AuditService,
  ) {}

  /**
   * Starts a run. The caller holds the purge lock, so no other run is active, even if a row has `running`.
   */
  async begin(orgId: string, change: Change | undefined): Promise<RetentionRun> {
    return this.runs.manager.transaction(async (db) => {
      const unfinished = await db.find(RetentionRun, {
        where: { orgId, finishedAt: IsNull() },
        order: { id: 'ASC' },
        lock: { mode: 'for_no_key_update' },
      });
      await db.query(
        `DELETE FROM retention_runs WHERE org_id = $1 AND started_at < now() - interval '30 days'
           AND purged = 0 AND removed = 0 AND months_dropped = 0`,
        [orgId],
      );
      const by = change === undefined ? null : change.actor.email || change.actor.subject;
      const [{ id }] = await db.query<[{ id: string }]>(
        'INSERT INTO retention_runs (org_id, started_by) VALUES ($1, $2) RETURNING id',
        [orgId, by],
      );
      const run = await db.findOneByOrFail(RetentionRun, { orgId, id });
      // Comes last, because a transaction must lock the audit log after everything else.
      for (const died of unfinished)
        await this.close(db, orgId, died.id, { outcome: 'interrupted', error: DIED });
      await change?.record(db, { type: TYPE, id, action: 'create', before: null, after: { started_by: by } });
      return run;
    });
  }

  /** Ends a run. Writes a line to the audit log if the run removed anything. */
  async end({ orgId, id }: RetentionRun, end: RunEnd): Promise<RetentionRun> {
    return this.runs.manager.transaction((db) => this.close(db, orgId, id, end));
  }

  private async close(db: EntityManager, orgId: string, id: string, end: RunEnd): Promise<RetentionRun> {
    const [, changed] = await db.query<[unknown[], number]>(
      `UPDATE retention_runs SET finished_at = now(), updated_at = now(), outcome = $3, error = $4
       WHERE org_id = $1 AND id = $2 AND finished_at IS NULL`,
      [orgId, id, end.outcome, end.error],
    );
    const run = await db.findOneByOrFail(RetentionRun, { orgId, id });
    // `changed` is 0 if this run lost its connection, and a run of another gateway has already ended it.
    if (changed > 0 && run.purged + run.removed + run.monthsDropped > 0) {
      const { purged, bytes, removed, months_dropped, held_back, outcome } = retentionRunView(run);
      const after = { purged, bytes, removed, months_dropped, held_back, outcome };
      await this.audit.ownChange(orgId).record(db, { type: TYPE, id, action: 'delete', before: null, after });
    }
    return run;
  }

  /** Returns the start of the last run, if that run finished. */
  async lastFinished(orgId: string): Promise<Date | undefined> {
    const [run] = await this.runs.find({ where: { orgId }, order: { startedAt: 'DESC' }, take: 1 });
    return run?.outcome === 'finished' ? run.startedAt : undefined;
  }

  async status(orgId: string): Promise<RetentionView> {
    const [{ purging }] = await this.runs.query<[{ purging: boolean }]>(IS_PURGING);
    const [{ waiting }] = await this.runs.query<[{ waiting: number }]>(
      'SELECT count(*)::int AS waiting FROM session_removals WHERE org_id = $1',
      [orgId],
    );
    const found = await this.runs.find({ where: { orgId }, order: { startedAt: 'DESC' }, take: LISTED });
    const runs = found.map((run, place) => withDeath(retentionRunView(run), purging && place === 0));
    const last = runs[0];
    const finished = runs.find((run) => run.outcome !== 'running');
    return {
      running: last?.outcome === 'running',
      started_at: last?.started_at ?? null,
      due: last?.due ?? 0,
      purged: last?.purged ?? 0,
      bytes: last?.bytes ?? 0,
      held_back: last?.held_back ?? 0,
      waiting,
      last_finished_at: finished?.finished_at ?? null,
      last_error: finished?.error ?? null,
      runs,
    };
  }
}

/** Shows a run whose gateway died as `interrupted`. Its row has `running` until the next run begins. */
function withDeath(run: RetentionRunView, mayRun: boolean): RetentionRunView {
  return run.outcome !== 'running' || mayRun ? run : { ...run, outcome: 'interrupted', error: DIED };
}
