import { DataSource, type QueryRunner } from 'typeorm';
import { messageOf } from '../kernel/app-error';
import { dataSourceOptions } from './data-source-options';
import { migrations } from './migrations';
import { databaseOutage } from './outage';

/** Any constant will do, as long as nothing else in the database uses it. */
const MIGRATION_LOCK = 4_701_180;

/**
 * Brings the schema up to date. Gateways that start at once wait for each other on an advisory lock; the
 * one that comes second finds nothing left to do.
 *
 * It is the first to speak to the database, so a database that cannot be used is told here in plain words.
 *
 * @param allowNewer Goes on where the schema is newer than this program; otherwise that is an error.
 */
export async function migrate(url: string, { allowNewer = false } = {}): Promise<string[]> {
  const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize().catch((cause: unknown) => {
    const outage = databaseOutage(cause);
    if (outage === undefined) throw cause;
    throw new Error(`The database of DATABASE_URL ${outage} (${reasonOf(cause)}).`, { cause });
  });
  const lock = dataSource.createQueryRunner();
  try {
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (!allowNewer) await refuseNewer(lock);
    const done = await dataSource.runMigrations({ transaction: 'each' });
    return done.map((migration) => migration.name);
  } finally {
    // Ending the connection frees the lock, also when the statement above failed.
    await lock.release();
    await dataSource.destroy();
  }
}

/** What a newer version added, this one may break: columns it does not fill, rules it does not keep. */
async function refuseNewer({ manager: db }: QueryRunner): Promise<void> {
  const [table] = await db.query<{ exists: boolean }[]>(
    `SELECT to_regclass('schema_migrations') IS NOT NULL AS exists`,
  );
  if (table?.exists !== true) return;
  const newer = await db.query<{ name: string }[]>(
    'SELECT name FROM schema_migrations WHERE name <> ALL ($1) ORDER BY timestamp',
    [migrations.map(({ name }) => name)],
  );
  if (newer.length === 0) return;
  const names = newer.map(({ name }) => name).join(', ');
  throw new Error(
    `The database was migrated by a newer version of the gateway than this one (${names}). Start that version, or set ALLOW_NEWER_SCHEMA=true to start this one all the same.`,
  );
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof AggregateError ? error.errors[0] : error);
}
