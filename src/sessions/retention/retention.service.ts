import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { RetentionSettings } from '../../platform/config/groups';
import type { Change } from '../../platform/http/routes/change';
import { AppError } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { PurgeRunner } from './purge-runner';
import { RetentionRuns } from './retention-runs';
import { type RetentionRunView, type RetentionView, retentionRunView } from './retention.dto';

const MINUTE_MS = 60_000;
/** Delay of the first run, because the gateway has more urgent work after its start. */
const FIRST_AFTER_MS = MINUTE_MS;
/** Fraction of the period after which a run is due. It is below 1, because the gateways' clocks differ. */
const NEARLY = 0.9;

/**
 * Removes recordings whose retention has ended, on a schedule and when an admin requests it. Only one gateway
 * does so at the same time.
 */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RetentionService.name);
  private readonly everyMs: number;
  private readonly task: PeriodicTask;

  constructor(
    private readonly runs: RetentionRuns,
    private readonly runner: PurgeRunner,
    private readonly organizations: OrganizationsService,
    settings: RetentionSettings,
  ) {
    this.everyMs = settings.everyMinutes * MINUTE_MS;
    this.task = new PeriodicTask({
      everyMs: this.everyMs,
      firstAfterMs: Math.min(FIRST_AFTER_MS, this.everyMs),
      work: () => this.purgeIfDue(),
      onError: (message) => this.log.warn(`The schedule of retention failed: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    const idle = this.task.stop();
    await this.runner.stop();
    await idle;
  }

  status(orgId: string): Promise<RetentionView> {
    return this.runs.status(orgId);
  }

  /** @throws AppError `conflict` while a gateway purges. */
  async start(change: Change): Promise<RetentionRunView> {
    const run = await this.runner.start(change.actor.orgId, change);
    if (run === undefined)
      throw new AppError('conflict', 'a retention run is already in progress; see GET /retention');
    return retentionRunView(run);
  }

  /** Starts a run, unless the last run finished and began within the period. @throws if the query fails. */
  async purgeIfDue(): Promise<void> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    const last = await this.runs.lastFinished(orgId);
    if (last === undefined || Date.now() - last.getTime() > this.everyMs * NEARLY)
      await this.runner.start(orgId, undefined);
  }
}
