import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { ChangeFeed } from '../database/change-feed';
import { messageOf } from '../kernel/app-error';
import { LiveSessions } from './live-sessions';
import { SessionRow } from './session.entity';

/** Who asks for the end of a session may expect it within 2 s. */
const POLL_EVERY_MS = 1_000;

/**
 * Ends the sessions of this gateway that somebody asked to be ended (`stop_reason`). The change feed tells of such
 * requests. While the feed is down, and after a failed query, this polls.
 */
@Injectable()
export class StopRequests implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(StopRequests.name);
  private isRunning = false;
  /** A request came in during a query, or the last query failed. */
  private isPending = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    @InjectRepository(SessionRow) private readonly sessions: Repository<SessionRow>,
    private readonly live: LiveSessions,
    private readonly feed: ChangeFeed,
  ) {
    feed.subscribe({
      changed: (table, id) => {
        if (table === 'sessions' && live.has(id)) void this.obey();
      },
      reset: () => void this.obey(),
    });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.poll(), POLL_EVERY_MS);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  /** Reads the requests and obeys them. One query at a time, however often it is called. */
  async obey(): Promise<void> {
    this.isPending = true;
    if (this.isRunning) return;
    this.isRunning = true;
    try {
      while (this.isPending) {
        this.isPending = false;
        for (const { id, stopReason } of await this.requested()) this.live.abort(id, stopReason ?? '');
      }
    } catch (error) {
      this.isPending = true;
      this.log.warn(`Requests to end sessions could not be read: ${messageOf(error)}`);
    }
    this.isRunning = false;
  }

  private async poll(): Promise<void> {
    if (!this.feed.live || this.isPending) await this.obey();
  }

  private async requested(): Promise<SessionRow[]> {
    const { orgIds } = this.live;
    if (orgIds.length === 0) return [];
    return this.sessions.find({
      select: { id: true, stopReason: true },
      where: {
        orgId: In(orgIds),
        gatewayId: this.feed.gatewayId,
        status: Not('done'),
        stopReason: Not(IsNull()),
      },
    });
  }
}
