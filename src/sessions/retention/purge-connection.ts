import { Client } from 'pg';
import { withRetries } from '../../platform/database/faults/retry';

/** Key of the advisory lock that a purge holds. PostgreSQL releases the lock with the connection. */
const PURGE_LOCK = [18_248, 0] as const;
/** Timeout of a statement. The slowest statement finds due recordings among very many sessions. */
const ANSWER_WITHIN_MS = 300_000;

/** SQL: whether a gateway purges now. It does not acquire the lock, so it blocks no gateway. */
export const IS_PURGING = `
  SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 2
      AND classid = ${PURGE_LOCK[0]} AND objid = ${PURGE_LOCK[1]}
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS purging`;

/** The connection of a purge. A purge that loses its connection also loses the lock, and removes no more. */
export class PurgeConnection {
  private constructor(private readonly client: Client) {}

  /** Connects and acquires the lock. Returns undefined while another gateway purges. */
  static async open(connectionString: string): Promise<PurgeConnection | undefined> {
    const client = new Client({
      connectionString,
      application_name: 'access-gateway retention',
      connectionTimeoutMillis: 5_000,
      query_timeout: ANSWER_WITHIN_MS + 5_000,
      statement_timeout: ANSWER_WITHIN_MS,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // A lost connection is ignored here, because the next statement fails.
    client.on('error', () => undefined);
    const connection = new PurgeConnection(client);
    try {
      await client.connect();
      const [lock] = await connection.query<{ taken: boolean }>(
        'SELECT pg_try_advisory_lock($1, $2) AS taken',
        [...PURGE_LOCK],
      );
      if (lock?.taken === true) return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
    await connection.close();
    return undefined;
  }

  async query<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return (await this.client.query<T>(text, [...values])).rows;
  }

  /** Returns the number of changed rows. */
  async change(text: string, values: readonly unknown[]): Promise<number> {
    return (await this.client.query(text, [...values])).rowCount ?? 0;
  }

  /** Runs the work in a transaction. Retries it after a rollback by the database, such as a deadlock. */
  transaction<T>(work: () => Promise<T>): Promise<T> {
    return withRetries(() => this.once(work));
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    await this.client.query('BEGIN');
    try {
      // The database allows only a transaction with this setting to delete chunks.
      await this.client.query("SET LOCAL access_gateway.purging = 'on'");
      const result = await work();
      await this.client.query('COMMIT');
      return result;
    } catch (error) {
      await this.client.query('ROLLBACK').catch(() => undefined);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.client.end().catch(() => undefined);
  }
}
