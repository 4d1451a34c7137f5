import { DataSource, type QueryRunner } from 'typeorm';
import { messageOf } from '../kernel/app-error';
import { dataSourceOptions } from './data-source-options';
import { migrations } from './migrations';
import { databaseOutage } from './outage';

/** Key of the advisory lock; any number that nothing else in the database uses. */
const MIGRATION_LOCK = 4_701_180;

/**
 * Migrates the schema. Gateways that start at once are serialized by an advisory lock; the
 * second one finds nothing to do.
 *
 * This is the first use of the database, so problems with it are reported here in plain words.
 *
 * @param allowNewer continues even if the schema is newer than this program, which is otherwise an error.
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
    // Ending the connection releases the lock, even when the statement above failed.
    await lock.release();
    await dataSource.destroy();
  }
}

/** A newer schema may have columns that this version does not fill, and rules that it does not follow. */
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
    `The database was migrated by a newer version of the gateway than this one (${names}). Start that version, or set ALLOW_NEWER_SCHEMA=true to start this one anyway.`,
  );
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof AggregateError ? error.errors[0] : error);
}
