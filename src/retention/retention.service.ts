import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { OrganizationsService } from '../auth/organizations.service';
import { RetentionSettings } from '../config/groups';
import type { Change } from '../http/change';
import { AppError, messageOf } from '../kernel/app-error';
import { PurgeRunner } from './purge-runner';
import { RetentionRuns } from './retention-runs';
import { type RetentionRunView, type RetentionView, retentionRunView } from './retention.dto';

const MINUTE_MS = 60_000;
/** A gateway that starts has other things to do first. */
const FIRST_AFTER_MS = MINUTE_MS;
/** Every gateway has this schedule, and their clocks differ: a run that is nearly a period old is due. */
const NEARLY = 0.9;

/** Removes recordings whose retention has ended, on a schedule and when an admin asks. One gateway at a time does. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(RetentionService.name);
  private readonly everyMs: number;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly runs: RetentionRuns,
    private readonly runner: PurgeRunner,
    private readonly organizations: OrganizationsService,
    settings: RetentionSettings,
  ) {
    this.everyMs = settings.everyMinutes * MINUTE_MS;
  }

  onApplicationBootstrap(): void {
    this.scheduleIn(Math.min(FIRST_AFTER_MS, this.everyMs));
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearTimeout(this.timer);
    await this.runner.stop();
  }

  status(orgId: string): Promise<RetentionView> {
    return this.runs.status(orgId);
  }

  /** @throws AppError `conflict` while a gateway purges. */
  async start(change: Change): Promise<RetentionRunView> {
    const run = await this.runner.start(change.actor.orgId, change);
    if (run === undefined)
      throw new AppError('conflict', 'recordings are being removed already; see GET /retention');
    return retentionRunView(run);
  }

  private scheduleIn(milliseconds: number): void {
    this.timer = setTimeout(() => {
      this.scheduleIn(this.everyMs);
      void this.purgeIfDue();
    }, milliseconds).unref();
  }

  /** Starts a run if none has finished within the period. Never rejects. */
  async purgeIfDue(): Promise<void> {
    try {
      const { id: orgId } = await this.organizations.defaultOrganization();
      const last = await this.runs.lastFinished(orgId);
      if (last === undefined || Date.now() - last.getTime() > this.everyMs * NEARLY)
        await this.runner.start(orgId, undefined);
    } catch (error) {
      this.log.warn(`The schedule of retention failed: ${messageOf(error)}`);
    }
  }
}
