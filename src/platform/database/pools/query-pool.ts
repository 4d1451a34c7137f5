import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { withRetries } from '../faults/retry';
import { throwExplained } from '../faults/schema-fault';

/**
 * Runs one statement on the pool of a data source, outside of transactions. For hot paths, because creating a
 * query runner costs as much as the statement. Rejects with errors of the driver.
 */
export function queryPool<T extends object>(
  dataSource: DataSource,
  text: string,
  values: unknown[],
): Promise<T[]> {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  return withRetries(async () => {
    const client = await pool.connect();
    client.on('error', connectionLost);
    try {
      const { rows } = await client.query<T>(text, values);
      return rows;
    } finally {
      client.off('error', connectionLost);
      client.release();
    }
  }).catch((error: unknown) => throwExplained(dataSource, error));
}

/**
 * Ignores the `error` event of a lost connection, because the statement rejects too. The pool itself listens
 * only to idle clients, and without a listener the event would end the process.
 */
function connectionLost(): void {}
