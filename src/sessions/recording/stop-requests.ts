import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Not, Repository } from 'typeorm';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { LiveSessions } from './live-sessions';
import { SessionRow } from './session.entity';

/** Interval of polls, short enough that a session ends within 2 s of the request. */
const POLL_EVERY_MS = 1_000;

/**
 * Ends the sessions of this gateway whose end was requested (`stop_reason`). The change feed reports the
 * requests. Polls while the feed is down, and after a failed query.
 */
@Injectable()
export class StopRequests implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(StopRequests.name);
  private readonly task = new PeriodicTask({
    everyMs: POLL_EVERY_MS,
    when: () => !this.feed.live,
    work: () => this.abortRequested(),
    onError: (message) => this.log.warn(`Requests to end sessions could not be read: ${message}`),
  });

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
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Reads the requests and ends the sessions. One query runs at a time. Never rejects. */
  obey(): Promise<void> {
    return this.task.run();
  }

  private async abortRequested(): Promise<void> {
    for (const { id, stopReason } of await this.requested()) this.live.abort(id, stopReason ?? '');
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
