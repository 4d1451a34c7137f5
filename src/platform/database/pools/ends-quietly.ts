import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { endPool } from '../../../kernel/runtime/end-pool';

/**
 * Makes `destroy` wait until running statements have ended and the connections are closed. Otherwise TypeORM
 * would take connections away from running transactions. Requests that wait for a connection would also fail
 * and be logged as faults.
 */
export function endsQuietly(dataSource: DataSource): DataSource {
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = () => endPool((dataSource.driver as PostgresDriver).master as Pool, destroy);
  return dataSource;
}
