import { DataSource } from 'typeorm';
import { messageOf } from '../kernel/app-error';
import { dataSourceOptions } from './data-source-options';
import { databaseOutage } from './outage';

/** Any constant will do, as long as nothing else in the database uses it. */
const MIGRATION_LOCK = 4_701_180;

/**
 * Brings the schema up to date. Gateways that start at once wait for each other on an advisory lock; the
 * one that comes second finds nothing left to do.
 *
 * It is the first to speak to the database, so a database that cannot be used is told here in plain words.
 */
export async function migrate(url: string): Promise<string[]> {
  const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize().catch((cause: unknown) => {
    const outage = databaseOutage(cause);
    if (outage === undefined) throw cause;
    throw new Error(`The database of DATABASE_URL ${outage} (${reasonOf(cause)}).`, { cause });
  });
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    // Ending the connection frees the lock, also when the statement above failed.
    await lock.release();
    await dataSource.destroy();
  }
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof AggregateError ? error.errors[0] : error);
}
