import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OrganizationsService } from '../auth/organizations.service';
import { AccessSettings } from '../config/groups';
import { messageOf } from '../kernel/app-error';
import { JournalReplay } from '../recording/journal-replay';
import { AbandonedSessions } from '../sessions/abandoned-sessions';
import { OverdueReviews } from './overdue-reviews';

const REPLAY_FIRST_MS = 10_000;

/**
 * Ends what nobody else ends: overdue reviews, sessions of gateways that died, sessions whose review nobody
 * decided, and sessions that somebody asked to be ended. Every gateway looks; each change is one guarded UPDATE, so only one of
 * them makes it.
 */
@Injectable()
export class SessionReaper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SessionReaper.name);
  private isReaping = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly reviews: OverdueReviews,
    private readonly sessions: AbandonedSessions,
    private readonly replay: JournalReplay,
    private readonly organizations: OrganizationsService,
    private readonly settings: AccessSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Before the first request: stores what the last gateway of this machine had recorded, or a part of it.
    await Promise.race([this.replayJournals(), delay(REPLAY_FIRST_MS, undefined, { ref: false })]);
    this.timer = setInterval(() => void this.reap(), this.settings.heartbeatSeconds * 1000);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async reap(): Promise<void> {
    if (this.isReaping) return;
    this.isReaping = true;
    // Each chore by itself: a fault in one must not stop the others.
    await this.attempt((orgId) => this.reviews.expire(orgId));
    await this.attempt((orgId) => this.reviews.settleEnded(orgId));
    await this.attempt((orgId) => this.reviews.endUndecidedSessions(orgId));
    // What a dead gateway recorded is stored before its sessions are ended.
    await this.replayJournals();
    await this.attempt((orgId) => this.sessions.endOrphans(orgId));
    await this.attempt((orgId) => this.sessions.endUnheld(orgId));
    await this.attempt((orgId) => this.sessions.endStopped(orgId));
    this.isReaping = false;
  }

  /** Never rejects. */
  private replayJournals(): Promise<void> {
    return this.replay.replayAll(async (gatewayId) =>
      this.sessions.endSessionsOf(await this.orgId(), gatewayId),
    );
  }

  private async orgId(): Promise<string> {
    return (await this.organizations.defaultOrganization()).id;
  }

  private async attempt(chore: (orgId: string) => Promise<void>): Promise<void> {
    try {
      await chore(await this.orgId());
    } catch (error) {
      this.log.warn(`Open sessions could not be looked after: ${messageOf(error)}`);
    }
  }
}
