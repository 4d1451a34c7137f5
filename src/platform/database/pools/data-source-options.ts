import pg, { TypeOverrides, types } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { parseJson } from '../../../kernel/json/json';
import { readInPieces } from './driver-stream';
import { migrations } from '../migrations';

const readTypes = new TypeOverrides();
readTypes.setTypeParser(types.builtins.JSON, (text: string) => parseJson(text));
readTypes.setTypeParser(types.builtins.JSONB, (text: string) => parseJson(text));

/**
 * The options of the database connection, for the app and for `ormconfig.ts`.
 * The schema is changed by migrations only, so `synchronize` stays false.
 */
export function dataSourceOptions(url: string, poolSize = 10) {
  return {
    type: 'postgres',
    // The driver is given here, because otherwise TypeORM loads it by its name. In a bundle this is a second
    // copy, whose errors are not instances of our `DatabaseError`.
    driver: pg,
    url,
    applicationName: 'access-gateway',
    migrations: [...migrations],
    migrationsTableName: 'schema_migrations',
    synchronize: false,
    // Neither extension is needed (PostgreSQL 13+ has gen_random_uuid), and
    // managed databases refuse to create them.
    installExtensions: false,
    uuidExtension: 'pgcrypto',
    poolSize,
    extra: {
      onConnect: readInPieces,
      types: readTypes,
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // A lost gateway must not keep row locks: the server ends its transaction.
      idle_in_transaction_session_timeout: 30_000,
    },
  } satisfies DataSourceOptions;
}
