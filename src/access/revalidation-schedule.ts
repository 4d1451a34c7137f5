import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { AccessSettings } from '../config/groups';
import { ChangeFeed } from '../database/change-feed';
import { CredentialRevalidation } from './credential-revalidation';

/** Revalidates credentials when their owner changes, and all of them with each heartbeat, for changes that the feed missed. */
@Injectable()
export class RevalidationSchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly credentials: CredentialRevalidation,
    private readonly feed: ChangeFeed,
    private readonly settings: AccessSettings,
  ) {}

  onApplicationBootstrap(): void {
    this.feed.subscribe({
      changed: (table, id) => {
        if (table === 'users' || table === 'user_groups' || table === 'api_keys')
          void this.credentials.revalidate(id);
      },
      reset: () => undefined,
    });
    const everyMs = this.settings.heartbeatSeconds * 1000;
    this.timer = setInterval(() => void this.credentials.revalidateAll(), everyMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }
}
