import { DataSource, type MigrationInterface } from 'typeorm';
import { dataSourceOptions } from '../../src/platform/database/pools/data-source-options';
import type { TestDatabase } from './database';

/**
 * Reverts the migrations of a database from the newest down to the given one, inclusive. The schema is then
 * as it was before this migration.
 */
export async function undoDownTo(
  { url }: Pick<TestDatabase, 'url'>,
  migration: new () => MigrationInterface,
): Promise<void> {
  const dataSource = await new DataSource(dataSourceOptions(url, 2)).initialize();
  try {
    for (let undone = false; !undone;) {
      const [last] = await dataSource.query<{ name: string }[]>(
        'SELECT name FROM schema_migrations ORDER BY id DESC LIMIT 1',
      );
      if (last === undefined) throw new Error(`${migration.name} was not there to be undone`);
      await dataSource.undoLastMigration({ transaction: 'each' });
      undone = last.name === migration.name;
    }
  } finally {
    await dataSource.destroy();
  }
}
