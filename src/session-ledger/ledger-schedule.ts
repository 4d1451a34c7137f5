import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OrganizationsService } from '../auth/organizations.service';
import { messageOf } from '../kernel/app-error';
import { LiveSessions } from '../recording/live-sessions';
import { LedgerAnchors } from './ledger-anchors';
import { LedgerWriter } from './ledger-writer';

const EVERY_MS = 1_000;
/** After a session ended on this gateway. Sessions that end within that time share a batch. */
const SOON_MS = 100;

/**
 * Empties the queue of the ledger: every second, and soon after a session ended here. One gateway at a time writes. A
 * gateway that dies while it writes leaves the queue as it was.
 */
@Injectable()
export class LedgerSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(LedgerSchedule.name);
  private timer: NodeJS.Timeout | undefined;
  private soon: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private isStopping = false;
  /** The last message that was logged: the same fault is logged once. */
  private fault: string | undefined;

  constructor(
    private readonly writer: LedgerWriter,
    private readonly anchors: LedgerAnchors,
    private readonly organizations: OrganizationsService,
    live: LiveSessions,
  ) {
    // The less time until a session is sealed, the less can be done to its row before.
    live.observe({ starting: () => () => this.writeSoon() });
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.writeQueued(), EVERY_MS);
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    clearTimeout(this.soon);
    await this.running;
  }

  private writeSoon(): void {
    if (this.isStopping) return;
    this.soon ??= setTimeout(() => {
      this.soon = undefined;
      void this.writeQueued();
    }, SOON_MS);
  }

  /** Never rejects. One run at a time, however often it is called. */
  private writeQueued(): Promise<void> {
    this.running ??= this.writeAll()
      .then(() => (this.fault = undefined))
      .catch((error: unknown) => this.report(messageOf(error)))
      .then(() => (this.running = undefined));
    return this.running;
  }

  private report(fault: string): void {
    if (fault !== this.fault) this.log.warn(`Sessions could not be sealed: ${fault}`);
    this.fault = fault;
  }

  private async writeAll(): Promise<void> {
    const { id: orgId } = await this.organizations.defaultOrganization();
    let isMore = true;
    while (isMore && !this.isStopping) isMore = await this.writer.writeBatch(orgId);
    await this.anchors.anchorPeriodically(orgId);
  }
}
