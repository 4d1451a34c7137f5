import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '../kernel/periodic-task';
import { Clock } from '../kernel/clock';

const EVERY_MS = 10 * 60_000;
const DAY_MS = 86_400_000;
/** A client that nobody allowed anything: it may be waiting for its person. */
const UNUSED_CLIENT_MS = DAY_MS;
/** Longer than an authorization lasts. */
const IDLE_CLIENT_MS = 90 * DAY_MS;

/** Rows that are good for nothing any more. Used codes and refresh tokens stay as long as their authorization, so that a second use is noticed. */
const STATEMENTS = [
  ['authorization_requests', 'expires_at < $1'],
  ['authorizations', 'expires_at < $1'],
  ['authorization_tokens', `kind = 'access' AND expires_at < $1`],
] as const;

/** Removes expired requests, authorizations, tokens and registrations. Any gateway may, at any time. */
@Injectable()
export class ExpiredRows implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ExpiredRows.name);
  private readonly task = new PeriodicTask({
    everyMs: EVERY_MS,
    work: () => this.remove(),
    onError: (message) => this.log.warn(`Expired authorizations could not be removed: ${message}`),
  });

  constructor(
    private readonly database: DataSource,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  async remove(): Promise<void> {
    const now = this.clock.now();
    for (const [table, condition] of STATEMENTS)
      await this.database.query(`DELETE FROM ${table} WHERE ${condition}`, [new Date(now)]);
    await this.database.query(
      'DELETE FROM authorization_clients WHERE (used_at IS NULL AND created_at < $1) OR used_at < $2',
      [new Date(now - UNUSED_CLIENT_MS), new Date(now - IDLE_CLIENT_MS)],
    );
  }
}
