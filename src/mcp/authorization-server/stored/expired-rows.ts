import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type BeforeApplicationShutdown,
} from '@nestjs/common';
import { DataSource } from 'typeorm';
import { PeriodicTask } from '../../../kernel/async/periodic-task';
import { Clock } from '../../../kernel/async/clock';

const EVERY_MS = 10 * 60_000;
/** Time for which an unused registration is kept, because a person may still be signing in for it. */
const UNUSED_CLIENT = '1 day';
/** Time since the last use after which a client is removed. It is longer than an authorization lasts. */
const IDLE_CLIENT = '90 days';

/**
 * Tables with the key and the condition of expired rows. Used codes and refresh tokens stay as long as their
 * authorization, so that a second use is detected. Locked rows are removed in a later run.
 */
const STATEMENTS = [
  ['authorization_requests', 'id', 'expires_at < $1'],
  ['authorization_devices', 'id', "expires_at < $1::timestamptz - interval '1 hour'"],
  ['authorizations', 'id', 'expires_at < $1'],
  [
    'authorization_clients',
    'id',
    `(used_at IS NULL AND created_at < $1::timestamptz - interval '${UNUSED_CLIENT}') OR used_at < $1::timestamptz - interval '${IDLE_CLIENT}'`,
  ],
] as const;

/**
 * Deletes expired access tokens. Locks their authorizations first, because tokens may be changed only under
 * this lock.
 */
const ACCESS_TOKENS = `
  DELETE FROM authorization_tokens AS token USING (
    SELECT id FROM authorizations
    WHERE id IN (SELECT authorization_id FROM authorization_tokens WHERE kind = 'access' AND expires_at < $1)
    ORDER BY id FOR UPDATE SKIP LOCKED) AS locked
  WHERE token.authorization_id = locked.id AND token.kind = 'access' AND token.expires_at < $1`;

/**
 * Removes expired requests, authorizations, tokens and registrations. Any gateway can do this at any time.
 */
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

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  async remove(): Promise<void> {
    const now = new Date(this.clock.now());
    for (const [table, key, condition] of STATEMENTS) {
      await this.database.query(
        `DELETE FROM ${table} WHERE ${key} = ANY (ARRAY(
           SELECT ${key} FROM ${table} WHERE ${condition} ORDER BY ${key} FOR UPDATE SKIP LOCKED))`,
        [now],
      );
    }
    await this.database.query(ACCESS_TOKENS, [now]);
  }
}
