import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AccessSettings } from '../../platform/config/groups';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { CredentialRevalidation } from './credential-revalidation';

/**
 * Delay during which changes of users are collected, so that they are checked together: an import changes
 * thousands of users, each in several rows.
 */
const COLLECTED_MS = 100;

/**
 * Revalidates the credentials of changed owners, and with each heartbeat the credentials of all owners,
 * because the change feed may have missed a change.
 */
@Injectable()
export class RevalidationSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(RevalidationSchedule.name);
  private readonly task: PeriodicTask;
  /** Owners that changed and have not been checked. */
  private readonly changed = new Set<string>();
  private soon: NodeJS.Timeout | undefined;
  private isStopping = false;

  constructor(
    private readonly credentials: CredentialRevalidation,
    private readonly feed: ChangeFeed,
    settings: AccessSettings,
  ) {
    this.task = new PeriodicTask({
      everyMs: settings.heartbeatSeconds * 1000,
      work: () => this.credentials.revalidate(),
      onError: (message) => this.log.warn(`Credentials could not be checked again: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.feed.subscribe({
      changed: (table, id) => {
        if (table === 'users' || table === 'user_groups' || table === 'api_keys') this.collect(id);
      },
      reset: () => undefined,
    });
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.soon);
    await this.task.stop();
  }

  private collect(userId: string): void {
    if (this.isStopping) return;
    this.changed.add(userId);
    this.soon ??= setTimeout(() => {
      const owners = [...this.changed];
      this.changed.clear();
      this.soon = undefined;
      // An empty id stands for a change of the whole table.
      void this.credentials.revalidate(owners.includes('') ? undefined : owners);
    }, COLLECTED_MS).unref();
  }
}
