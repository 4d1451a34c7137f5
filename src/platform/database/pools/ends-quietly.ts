import type { Pool } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver';
import { endPool } from '../../../kernel/runtime/end-pool';

/**
 * Has `destroy` let running statements end, and wait until the connections are closed. TypeORM takes
 * connections away from running transactions, and what a request without a client then asks would be logged
 * as a fault after the end.
 */
export function endsQuietly(dataSource: DataSource): DataSource {
  const destroy = dataSource.destroy.bind(dataSource);
  dataSource.destroy = () => endPool((dataSource.driver as PostgresDriver).master as Pool, destroy);
  return dataSource;
}
