import type { DataSourceOptions } from 'typeorm';
import { migrations } from './migrations';

/**
 * The one place that says how the gateway talks to its database; the app and `ormconfig.ts` both use it.
 * The schema changes by migrations only: `synchronize` stays false.
 */
export function dataSourceOptions(url: string, poolSize = 10) {
  return {
    type: 'postgres',
    url,
    applicationName: 'access-gateway',
    migrations: [...migrations],
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    // Neither extension is needed (PostgreSQL 13+ has gen_random_uuid), and managed databases refuse to create them.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    poolSize,
    extra: {
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // A lost gateway must not hold row locks: the server ends its transaction.
      idle_in_transaction_session_timeout: 30_000,
    },
  } satisfies DataSourceOptions;
}
