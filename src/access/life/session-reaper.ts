import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { AccessSettings } from '../../platform/config/groups';
import { messageOf } from '../../kernel/app-error';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { resultWithin } from '../../kernel/async/timeout';
import { JournalReplay } from '../../sessions/recording/journal-replay';
import { AbandonedSessions } from '../../sessions/list/abandoned-sessions';
import { OverdueReviews } from './overdue-reviews';

const REPLAY_FIRST_MS = 10_000;

/**
 * The reaper: ends overdue reviews, and sessions whose gateway died, whose end could not be recorded, whose
 * review expired undecided, or which have a stop request but no gateway that runs them. It runs on every
 * gateway. Each change is one guarded UPDATE, so only one gateway makes it.
 */
@Injectable()
export class SessionReaper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SessionReaper.name);
  private readonly task: PeriodicTask;
  private isStopping = false;

  constructor(
    private readonly reviews: OverdueReviews,
    private readonly sessions: AbandonedSessions,
    private readonly replay: JournalReplay,
    private readonly organizations: OrganizationsService,
    settings: AccessSettings,
  ) {
    this.task = new PeriodicTask({
      everyMs: settings.heartbeatSeconds * 1000,
      isShared: true,
      work: () => this.reap(),
      onError: (message) => this.warn(message),
    });
  }

  async onApplicationBootstrap(): Promise<void> {
    // Before the first request, store the journal that the previous gateway on this machine left. If this
    // takes longer than `REPLAY_FIRST_MS`, it continues during the first requests.
    await resultWithin(this.replayJournals(), REPLAY_FIRST_MS);
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.task.stop();
  }

  private async reap(): Promise<void> {
    // Run each task separately, so that a fault in one task does not stop the others.
    await this.attempt((orgId) => this.reviews.expire(orgId));
    await this.attempt((orgId) => this.reviews.settleEnded(orgId));
    await this.attempt((orgId) => this.reviews.endUndecidedSessions(orgId));
    // Store the journals of dead gateways first, because their sessions are ended next.
    await this.replayJournals();
    await this.attempt((orgId) => this.sessions.endOrphans(orgId));
    await this.attempt((orgId) => this.sessions.endUnheld(orgId));
    await this.attempt((orgId) => this.sessions.endStopped(orgId));
  }

  /** Stores the journals of dead gateways, and ends their sessions. Never rejects. */
  private replayJournals(): Promise<void> {
    return this.replay.replayAll(async (gatewayId) =>
      this.sessions.endSessionsOf(await this.orgId(), gatewayId),
    );
  }

  private async orgId(): Promise<string> {
    return (await this.organizations.defaultOrganization()).id;
  }

  private async attempt(chore: (orgId: string) => Promise<void>): Promise<void> {
    if (this.isStopping) return;
    try {
      await chore(await this.orgId());
    } catch (error) {
      this.warn(messageOf(error));
    }
  }

  private warn(message: string): void {
    this.log.warn(`The reaper could not end reviews or sessions: ${message}`);
  }
}
