import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import { withRetries } from '../../src/platform/database/faults/retry';
import type { TestDatabase } from './database';

/** Name of the migration that simulates a newer version. */
export const NEXT_MIGRATION = 'OfTheNextVersion9999999999999';

/** Statements by which a newer version changes the schema, and the statements that undo the changes. */
export interface NextVersion {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/**
 * Migrates the database as a newer version of the gateway does: runs one more migration after the migrations
 * of this version.
 */
export function migrateByNextVersion(database: Pick<TestDatabase, 'url'>, next: NextVersion): Promise<void> {
  return withNextVersion(database, next, async (dataSource) => {
    await dataSource.runMigrations({ transaction: 'each' });
  });
}

export function undoNextVersion(database: Pick<TestDatabase, 'url'>, next: NextVersion): Promise<void> {
  return withNextVersion(database, next, (dataSource) =>
    dataSource.undoLastMigration({ transaction: 'each' }),
  );
}

async function withNextVersion(
  { url }: Pick<TestDatabase, 'url'>,
  next: NextVersion,
  work: (dataSource: DataSource) => Promise<void>,
): Promise<void> {
  class OfTheNextVersion9999999999999 implements MigrationInterface {
    name = NEXT_MIGRATION;

    async up(runner: QueryRunner): Promise<void> {
      for (const sql of next.up) await runner.query(sql);
    }

    async down(runner: QueryRunner): Promise<void> {
      for (const sql of next.down) await runner.query(sql);
    }
  }
  const options = dataSourceOptions(url, 2);
  const dataSource = await new DataSource({
    ...options,
    migrations: [...options.migrations, OfTheNextVersion9999999999999],
  }).initialize();
  try {
    // Retries, because the migration locks tables in another order than running gateways. In a deadlock, the
    // database may abort the migration.
    await withRetries(() => work(dataSource));
  } finally {
    await dataSource.destroy();
  }
}

/** Renames tables. */
export function renamed(tables: readonly string[]): NextVersion {
  return {
    up: tables.map((table) => `ALTER TABLE ${table} RENAME TO next_${table}`),
    down: tables.map((table) => `ALTER TABLE next_${table} RENAME TO ${table}`),
  };
}

/** Adds a column that every new row must fill. */
export function withRequiredColumn(tables: readonly string[]): NextVersion {
  return {
    up: tables.flatMap((table) => [
      `ALTER TABLE ${table} ADD COLUMN next_required text NOT NULL DEFAULT ''`,
      `ALTER TABLE ${table} ALTER COLUMN next_required DROP DEFAULT`,
    ]),
    down: tables.map((table) => `ALTER TABLE ${table} DROP COLUMN next_required`),
  };
}
