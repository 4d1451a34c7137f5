import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { sqlStateOfError } from '../../../platform/database/faults/sql-state';
import { type StoredPlaces, filterSql } from '../filter/filter-sql';
import { ScimFault } from '../values/scim-fault';
import type { ListQuery } from './list-query';

/** One page of the resources that fulfill a filter, oldest first, and their total number. */
export interface ListedRows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/**
 * Timeout after which the database cancels the statement. It is shorter than the timeout of the database
 * driver, because the statement would continue in the database after the driver's timeout.
 */
const FOUND_WITHIN_MS = 5_000;
const QUERY_CANCELED = '57014';

interface Asked {
  readonly orgId: string;
  readonly query: ListQuery;
  /** Additional SQL condition on `listed`: a fixed text that never contains a caller's value. */
  readonly condition: string;
}

/**
 * @throws ScimFault `tooMany` for a filter that takes too long, because some filters use no index and there
 * may be many resources
 */
export async function listedRows<Row extends ObjectLiteral>(
  manager: EntityManager,
  entity: EntityTarget<Row>,
  places: StoredPlaces,
  asked: Asked,
): Promise<ListedRows<Row>> {
  try {
    return await manager.transaction(async (db) => {
      await db.query(
        `SET LOCAL statement_timeout = ${FOUND_WITHIN_MS}; SET LOCAL max_parallel_workers_per_gather = 0`,
      );
      return found(db, entity, places, asked);
    });
  } catch (error) {
    if (sqlStateOfError(error) !== QUERY_CANCELED) throw error;
    throw new ScimFault(400, 'the filter takes too long: compare userName or externalId by eq', 'tooMany');
  }
}

async function found<Row extends ObjectLiteral>(
  db: EntityManager,
  entity: EntityTarget<Row>,
  places: StoredPlaces,
  { orgId, query, condition }: Asked,
): Promise<ListedRows<Row>> {
  const { tableName } = db.connection.getMetadata(entity);
  const filter =
    query.filter === undefined ? { sql: 'TRUE', values: [] } : filterSql(query.filter, places, 2);
  const where = `FROM ${tableName} AS listed WHERE listed.org_id = $1 AND ${condition} AND ${filter.sql}`;
  const [count] = await db.query<{ total: number }[]>(`SELECT count(*)::int AS total ${where}`, [
    orgId,
    ...filter.values,
  ]);
  const total = count?.total ?? 0;
  if (query.count === 0 || query.startIndex > total) return { rows: [], total };
  const ids = await db.query<{ id: string }[]>(
    `SELECT listed.id ${where} ORDER BY listed.created_at, listed.id
     LIMIT ${query.count} OFFSET ${query.startIndex - 1}`,
    [orgId, ...filter.values],
  );
  const rows = await db
    .createQueryBuilder(entity, 'found')
    .where('found.id = ANY (:ids)', { ids: ids.map(({ id }) => id) })
    .orderBy({ 'found.createdAt': 'ASC', 'found.id': 'ASC' })
    .getMany();
  return { rows, total };
}
