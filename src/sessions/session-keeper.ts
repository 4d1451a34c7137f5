import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { OrganizationsService } from '../auth/organizations.service';
import { Settings } from '../config/settings';
import { ChangeFeed } from '../database/change-feed';
import { EXIT_BLOCKED } from '../gate/ports/session-recorder';
import { messageOf } from '../kernel/app-error';
import { Clock } from '../kernel/clock';
import { ReviewsService } from '../reviews/reviews.service';
import { RecordingsRepository } from './recordings.repository';
import { Session } from './session.entity';

/** A gateway that lost its database connection for a moment must not lose its sessions. */
const MISSED_LOOKS = 3;

/**
 * Sees to it that nothing stays open for ever: sessions of gateways that died, and sessions whose review
 * nobody decided. Every gateway looks; each change is one guarded UPDATE, so only one of them makes it.
 */
@Injectable()
export class SessionKeeper implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(SessionKeeper.name);
  private readonly missed = new Map<string, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectRepository(Session) private readonly sessions: Repository<Session>,
    private readonly recordings: RecordingsRepository,
    private readonly reviews: ReviewsService,
    private readonly organizations: OrganizationsService,
    private readonly feed: ChangeFeed,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.look(), this.settings.HEARTBEAT_SECONDS * 1000);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    try {
      const { id: orgId } = await this.organizations.defaultOrganization();
      await this.reviews.expirePending(orgId);
      await this.endUndecided(orgId);
      await this.endOrphans(orgId);
    } catch (error) {
      this.log.warn(`Open sessions could not be looked after: ${messageOf(error)}`);
    }
  }

  /** Looks at all that wait, not at what expired just now: whoever expired a review may have died before this. */
  private async endUndecided(orgId: string): Promise<void> {
    const waiting = await this.sessions.find({
      select: { id: true },
      where: { orgId, status: 'open', gatewayId: IsNull() },
    });
    if (waiting.length === 0) return;
    const ids = waiting.map((session) => session.id);
    const undecided = await this.reviews.expiredAmong(orgId, ids);
    if (undecided.length > 0)
      await this.end({ orgId, id: In(undecided) }, 'Nobody decided on the review in time.');
  }

  private async endOrphans(orgId: string): Promise<void> {
    const held = await this.sessions
      .createQueryBuilder('session')
      .select('DISTINCT session.gateway_id', 'gatewayId')
      .where({ orgId, status: 'open', gatewayId: Not(IsNull()) })
      .andWhere('session.gateway_id <> :own', { own: this.feed.gatewayId })
      .getRawMany<{ gatewayId: string }>();
    for (const { gatewayId } of held) {
      const looks = (await this.feed.isAlive(gatewayId)) ? 0 : (this.missed.get(gatewayId) ?? 0) + 1;
      this.missed.set(gatewayId, looks);
      if (looks < MISSED_LOOKS) continue;
      this.missed.delete(gatewayId);
      await this.end({ orgId, gatewayId }, 'The gateway stopped while this session was running.');
    }
  }

  private async end(which: object, reason: string): Promise<void> {
    const open = await this.sessions.find({
      select: { id: true, orgId: true, startDate: true },
      where: { ...which, status: 'open' },
    });
    for (const session of open) {
      const time = this.clock.now() - session.startDate.getTime();
      await this.recordings.append(session, [{ time, type: 'e', content: Buffer.from(`${reason}\n`) }]);
      await this.recordings.finish(session, EXIT_BLOCKED);
      this.log.warn(`Session ${session.id} was ended: ${reason}`);
    }
  }
}
