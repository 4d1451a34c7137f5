import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '../../../kernel/async/periodic-task';

const EVERY_MS = 3_600_000;

/** Tables with the condition of rows to remove. Sign-in addresses stay for a day after they expire. */
const OVER = [
  ['upstream_tokens', "keep_until < now() - interval '1 day'"],
  ['upstream_sign_ins', "expires_at < now() - interval '1 day'"],
  ['upstream_sign_in_visits', 'expires_at < now()'],
] as const;

/**
 * Removes tokens one day after their `keep_until`, rows without a token whose attempts all failed, and
 * expired sign-ins. Any gateway can do this at any time.
 */
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

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  async remove(): Promise<void> {
    // Each statement skips locked rows, so it waits for no other transaction.
    for (const [table, condition] of OVER)
      await this.database.query(
        `DELETE FROM ${table} WHERE id = ANY (ARRAY(
           SELECT id FROM ${table} WHERE ${condition} ORDER BY id FOR UPDATE SKIP LOCKED))`,
      );
  }
}
