import { DataSource, type QueryRunner } from 'typeorm';
import { messageOf } from '../../../kernel/app-error';
import { dataSourceOptions } from '../pools/data-source-options';
import { migrations } from '../migrations';
import { databaseOutage, poolerAdvice } from '../faults/outage';

/** Key of the advisory lock: any number that nothing else in the database uses. */
const MIGRATION_LOCK = 4_701_180;

/**
 * Migrates the schema. An advisory lock serializes gateways that start at the same time; the second gateway
 * finds nothing to do.
 *
 * This is the first use of the database, so its problems are reported here in plain words.
 *
 * @param allowNewer continues even if the schema is newer than this program, which is otherwise an error.
 */
export async function migrate(url: string, { allowNewer = false } = {}): Promise<string[]> {
  const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize().catch((cause: unknown) => {
    const advice = poolerAdvice(cause);
    if (advice !== undefined)
      throw new Error(
        `A pooler in front of the database refuses the gateway (${reasonOf(cause)}). ${advice}`,
        {
          cause,
        },
      );
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

/** Refuses a newer schema, because this version may ignore its new rules and may not fill its new columns. */
async function refuseNewer({ manager }: QueryRunner): Promise<void> {
  const { newer } = await migrationState(async (sql) => manager.query<MigrationRow[]>(sql));
  if (newer.length === 0) return;
  throw new Error(
    `The database was migrated by a newer version of the gateway than this one (${newer.join(', ')}). Start that version, or set ALLOW_NEWER_SCHEMA=true to start this one anyway.`,
  );
}

interface MigrationRow {
  readonly name: string;
}

/** Names of migrations, in the order in which they run. */
export interface MigrationState {
  /** Migrations of this program that have not run; all of them in an empty database. */
  readonly pending: readonly string[];
  /** Migrations in the database that this program does not know. */
  readonly newer: readonly string[];
  /** The last migration that has run; undefined in an empty database. */
  readonly last: string | undefined;
}

/** Compares the migrations of this program and of the database. @param query runs one reading statement. */
export async function migrationState(
  query: (sql: string) => Promise<MigrationRow[]>,
): Promise<MigrationState> {
  const tables = await query(`SELECT 'found' AS name WHERE to_regclass('schema_migrations') IS NOT NULL`);
  const rows =
    tables.length === 0 ? [] : await query('SELECT name FROM schema_migrations ORDER BY timestamp');
  const done = rows.map(({ name }) => name);
  const known = migrations.map(({ name }) => name);
  return {
    pending: known.filter((name) => !done.includes(name)),
    newer: done.filter((name) => !(known as readonly string[]).includes(name)),
    last: done.at(-1),
  };
}

function reasonOf(error: unknown): string {
  return messageOf(error instanceof AggregateError ? error.errors[0] : error);
}
