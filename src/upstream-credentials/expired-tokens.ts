import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '../kernel/periodic-task';

const EVERY_MS = 3_600_000;

/** Removes tokens that expired a day ago, and what is left of attempts that never succeeded. Any gateway may, at any time. */
@Injectable()
export class ExpiredTokens implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ExpiredTokens.name);
  private readonly task = new PeriodicTask({
    everyMs: EVERY_MS,
    work: () => this.remove(),
    onError: (message) => this.log.warn(`Expired tokens of MCP servers could not be removed: ${message}`),
  });

  constructor(private readonly database: DataSource) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  async remove(): Promise<void> {
    // One row at a time is locked: nobody waits for two of them.
    await this.database.query(
      `DELETE FROM upstream_tokens WHERE id = ANY (ARRAY(
         SELECT id FROM upstream_tokens WHERE keep_until < now() - interval '1 day' ORDER BY id FOR UPDATE SKIP LOCKED))`,
    );
  }
}
