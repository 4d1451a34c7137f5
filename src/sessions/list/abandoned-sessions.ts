import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { LiveSessions } from '../recording/live-sessions';
import { SessionRow } from '../recording/session.entity';
import { SessionEnder } from './session-ender';

/**
 * Consecutive polls that must miss a gateway or a session before it counts as gone. A gateway that loses its
 * database connection for a moment must keep its sessions.
 */
const MISSED_POLLS = 3;
const WAITING_AT_ONCE = 1_000;

/** Counts in how many polls in a row an id was missing. */
class MissedPolls {
  private counts = new Map<string, number>();

  /** Returns ids missing in at least `MISSED_POLLS` consecutive polls. Resets ids that are not missing. */
  record(missing: readonly string[]): string[] {
    this.counts = new Map(missing.map((id) => [id, (this.counts.get(id) ?? 0) + 1]));
    return missing.filter((id) => (this.counts.get(id) ?? 0) >= MISSED_POLLS);
  }
}

/**
 * Finds and ends sessions that are open although no gateway runs them. Every
 * gateway tries; one of them succeeds.
 */
@Injectable()
export class AbandonedSessions {
  private readonly missing = { gateways: new MissedPolls(), sessions: new MissedPolls() };

  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly ender: SessionEnder,
    private readonly live: LiveSessions,
    private readonly feed: ChangeFeed,
  ) {}

  /** Returns ids of sessions that wait for a review, oldest first. */
  async waiting(orgId: string): Promise<string[]> {
    const waiting = await this.sessions.find({
      select: { id: true },
      where: { orgId, status: 'open', gatewayId: IsNull() },
      order: { startDate: 'ASC' },
      take: WAITING_AT_ONCE,
    });
    return waiting.map(({ id }) => id);
  }

  /** Ends the given sessions, if they still wait for a review. */
  async endWaiting(orgId: string, ids: readonly string[], reason: string): Promise<void> {
    if (ids.length > 0) await this.ender.end({ orgId, id: In([...ids]), gatewayId: IsNull() }, reason);
  }

  /** Ends the sessions of dead gateways. */
  async endOrphans(orgId: string): Promise<void> {
    const held = await this.sessions
      .createQueryBuilder('session')
      .select('DISTINCT session.gateway_id', 'gatewayId')
      .where({ orgId, status: 'open', gatewayId: Not(IsNull()) })
      .andWhere('session.gateway_id <> :own', { own: this.feed.gatewayId })
      .getRawMany<{ gatewayId: string }>();
    const gone: string[] = [];
    for (const { gatewayId } of held) if (!(await this.feed.isAlive(gatewayId))) gone.push(gatewayId);
    for (const gatewayId of this.missing.gateways.record(gone)) {
      await this.endSessionsOf(orgId, gatewayId);
    }
  }

  /** Ends the sessions of one dead gateway. */
  async endSessionsOf(orgId: string, gatewayId: string): Promise<void> {
    await this.ender.end({ orgId, gatewayId }, 'The gateway stopped while this session was running.');
  }

  /** Ends sessions that this gateway no longer runs, but that are open because recording their end failed. */
  async endUnheld(orgId: string): Promise<void> {
    const own = await this.sessions.find({
      select: { id: true },
      where: { orgId, status: 'open', gatewayId: this.feed.gatewayId },
    });
    const unheld = own.map((session) => session.id).filter((id) => !this.live.has(id));
    for (const id of this.missing.sessions.record(unheld)) {
      await this.ender.end({ orgId, id }, 'The end of this session could not be recorded when it came.');
    }
  }

  /** Ends the sessions that have a stop request and that no gateway runs. */
  endStopped(orgId: string): Promise<void> {
    return this.ender.endStopped({ orgId });
  }
}
