import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { LiveSessions } from '../recording/live-sessions';
import { LedgerAnchors } from './ledger-anchors';
import { LedgerWriter } from './ledger-writer';

const EVERY_MS = 1_000;
/** Delay from the end of a session to the write of its entry. Sessions that end meanwhile share a batch. */
const SOON_MS = 100;

/**
 * Writes the queued entries of the ledger every second, and soon after a session ended on this gateway. Only
 * one gateway writes at a time. If that gateway dies while it writes, the queue stays unchanged.
 */
@Injectable()
export class LedgerSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(LedgerSchedule.name);
  private readonly task = new PeriodicTask({
    everyMs: EVERY_MS,
    isShared: true,
    work: () => this.writeAll(),
    onError: (message) => this.log.warn(`Sessions could not be sealed: ${message}`),
  });
  private soon: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly writer: LedgerWriter,
    private readonly anchors: LedgerAnchors,
    private readonly organizations: OrganizationsService,
    live: LiveSessions,
  ) {
    // Sessions are sealed soon after their end, because until then an attacker can edit their rows unnoticed.
    live.observe({ starting: () => () => this.writeSoon() });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.soon);
    await this.task.stop();
  }

  private writeSoon(): void {
    if (this.isStopping) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      void this.task.run();
    }, SOON_MS);
  }

  private async writeAll(): Promise<void> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    let isMore = true;
    while (isMore && !this.isStopping) isMore = await this.writer.writeBatch(orgId);
    await this.anchors.anchorPeriodically(orgId);
  }
}
