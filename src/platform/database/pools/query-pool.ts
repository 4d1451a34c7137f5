import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { withRetries } from '../faults/retry';
import { throwExplained } from '../faults/schema-fault';

/**
 * Runs one statement on the pool of a data source, outside of transactions, for hot paths: a query runner for
 * each statement costs as much as the statement. Errors are those of the driver.
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
 * The statement rejects, too. A pool listens only while nobody has the client, and without a listener the
 * event would end the process.
 */
function connectionLost(): void {}
