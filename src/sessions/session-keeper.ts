import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { Settings } from '../config/settings';
import { ChangeFeed } from '../database/change-feed';
import { messageOf } from '../kernel/app-error';
import { ReviewExecutions } from '../reviews/review-executions';
import { ReviewsService } from '../reviews/reviews.service';
import { JournalReplay } from '../recording/journal-replay';
import { LiveSessions } from '../recording/live-sessions';
import { SessionEnder } from './session-ender';
import { Session } from '../recording/session.entity';

/** A gateway that lost its database connection for a moment must not lose its sessions. */
const MISSED_LOOKS = 3;
const WAITING_AT_ONCE = 1_000;
const REPLAY_FIRST_MS = 10_000;

/** Counts looks in a row at which something was missing. */
class MissedLooks {
  private counts = new Map<string, number>();

  /** What has been missing often enough by now. What is not missing any more starts anew. */
  looked(missing: readonly string[]): string[] {
    this.counts = new Map(missing.map((id) => [id, (this.counts.get(id) ?? 0) + 1]));
    return missing.filter((id) => (this.counts.get(id) ?? 0) >= MISSED_LOOKS);
  }
}

/**
 * Sees to it that nothing stays open for ever: sessions of gateways that died, sessions whose review nobody
 * decided, and sessions that somebody asked to be ended. Every gateway looks; each change is one guarded UPDATE, so only one of them makes it.
 */
@Injectable()
export class SessionKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SessionKeeper.name);
  private readonly missing = { gateways: new MissedLooks(), sessions: new MissedLooks() };
  private isLooking = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly ender: SessionEnder,
    private readonly replay: JournalReplay,
    private readonly live: LiveSessions,
    private readonly reviews: ReviewsService,
    private readonly executions: ReviewExecutions,
    private readonly organizations: OrganizationsService,
    private readonly feed: ChangeFeed,
    private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    // Before anybody can ask: what this machine's last gateway had recorded is there, unless it is very much.
    await Promise.race([this.replayJournals(), delay(REPLAY_FIRST_MS, undefined, { ref: false })]);
    this.timer = setInterval(() => void this.look(), this.settings.HEARTBEAT_SECONDS * 1000);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (this.isLooking) return;
    this.isLooking = true;
    // Each by itself: what keeps one from being done must not keep the others.
    await this.attempt((orgId) => this.executions.expire(orgId));
    await this.attempt((orgId) => this.executions.follow(orgId));
    await this.attempt((orgId) => this.endUndecided(orgId));
    await this.replayJournals();
    await this.attempt((orgId) => this.endOrphans(orgId));
    await this.attempt((orgId) => this.endUnheld(orgId));
    await this.attempt((orgId) => this.ender.endStopped({ orgId }));
    this.isLooking = false;
  }

  /** Never rejects. */
  private replayJournals(): Promise<void> {
    return this.replay.replayAll(async (gatewayId) => {
      const { id: orgId } = await this.organizations.defaultOrganization();
      await this.endSessionsOf(orgId, gatewayId);
    });
  }

  private async endSessionsOf(orgId: string, gatewayId: string): Promise<void> {
    await this.ender.end({ orgId, gatewayId }, 'The gateway stopped while this session was running.');
  }

  private async attempt(chore: (orgId: string) => Promise<void>): Promise<void> {
    try {
      await chore((await this.organizations.defaultOrganization()).id);
    } catch (error) {
      this.log.warn(`Open sessions could not be looked after: ${messageOf(error)}`);
    }
  }

  /**
   * Those whose review was ended by a gateway that could not end them with it: one of the version before this, which
   * did the two one after the other.
   */
  private async endUndecided(orgId: string): Promise<void> {
    const waiting = await this.sessions.find({
      select: { id: true },
      where: { orgId, status: 'open', gatewayId: IsNull() },
      order: { startDate: 'ASC' },
      take: WAITING_AT_ONCE,
    });
    if (waiting.length === 0) return;
    const ids = waiting.map((session) => session.id);
    const undecided = await this.reviews.expiredAmong(orgId, ids);
    if (undecided.length > 0) {
      const which = { orgId, id: In(undecided), gatewayId: IsNull() };
      await this.ender.end(which, 'Nobody decided on the review in time.');
    }
  }

  private async endOrphans(orgId: string): Promise<void> {
    const held = await this.sessions
      .createQueryBuilder('session')
      .select('DISTINCT session.gateway_id', 'gatewayId')
      .where({ orgId, status: 'open', gatewayId: Not(IsNull()) })
      .andWhere('session.gateway_id <> :own', { own: this.feed.gatewayId })
      .getRawMany<{ gatewayId: string }>();
    const gone: string[] = [];
    for (const { gatewayId } of held) if (!(await this.feed.isAlive(gatewayId))) gone.push(gatewayId);
    for (const gatewayId of this.missing.gateways.looked(gone)) {
      await this.endSessionsOf(orgId, gatewayId);
    }
  }

  /** Rows of this very gateway that nobody holds any more: their end could not be written when it came. */
  private async endUnheld(orgId: string): Promise<void> {
    const own = await this.sessions.find({
      select: { id: true },
      where: { orgId, status: 'open', gatewayId: this.feed.gatewayId },
    });
    const unheld = own.map((session) => session.id).filter((id) => !this.live.has(id));
    for (const id of this.missing.sessions.looked(unheld)) {
      await this.ender.end({ orgId, id }, 'The end of this session could not be recorded when it came.');
    }
  }
}
