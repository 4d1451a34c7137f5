import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AccessSettings } from '../config/groups';
import { ChangeFeed } from '../database/change-feed';
import { PeriodicTask } from '../kernel/periodic-task';
import { CredentialRevalidation } from './credential-revalidation';

/** Revalidates credentials when their owner changes, and all of them with each heartbeat, for changes that the feed missed. */
@Injectable()
export class RevalidationSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(RevalidationSchedule.name);
  private readonly task: PeriodicTask;

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
        if (table === 'users' || table === 'user_groups' || table === 'api_keys')
          void this.credentials.revalidate(id);
      },
      reset: () => undefined,
    });
    this.task.start();
  }

  onApplicationShutdown(): void {
    void this.task.stop();
  }
}
