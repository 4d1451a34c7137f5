import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { OrganizationsService } from '../../identity/auth/organization/organizations.service';
import { AccessSettings } from '../../platform/config/groups';
import { ChangeFeed } from '../../platform/database/feed/change-feed';
import { PeriodicTask } from '../../kernel/async/periodic-task';
import { EmergencyRights } from './emergency-rights';

/**
 * Revalidates emergencies when people, groups or connections change (contract: within 5 s), and with each
 * heartbeat, because the change feed may have missed a change.
 */
@Injectable()
export class EmergencySchedule implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(EmergencySchedule.name);
  private readonly task: PeriodicTask;

  constructor(
    rights: EmergencyRights,
    organizations: OrganizationsService,
    private readonly feed: ChangeFeed,
    settings: AccessSettings,
  ) {
    this.task = new PeriodicTask({
      everyMs: settings.heartbeatSeconds * 1000,
      isShared: true,
      work: async () => rights.revalidate((await organizations.defaultOrganization()).id),
      onError: (message) => this.log.warn(`Emergencies could not be checked again: ${message}`),
    });
  }

  onApplicationBootstrap(): void {
    this.feed.subscribe({
      changed: (table) => {
        // Changes in these tables may take away the right to an emergency.
        if (table === 'connections' || table === 'users' || table === 'user_groups') void this.task.run();
      },
      reset: () => void this.task.run(),
    });
    this.task.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }
}
