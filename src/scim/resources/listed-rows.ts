import type { EntityManager, EntityTarget, ObjectLiteral } from 'typeorm';
import { type StoredPlaces, filterSql } from '../filter/filter-sql';
import type { ListQuery } from './list-query';

/** One page of resources that fulfil a filter, oldest first, and how many there are. */
export interface ListedRows<Row> {
  readonly rows: readonly Row[];
  readonly total: number;
}

/** @param condition what else holds of `listed`; fixed text */
export async function listedRows<Row extends ObjectLiteral>(
  db: EntityManager,
  entity: EntityTarget<Row>,
  places: StoredPlaces,
  { orgId, query, condition }: { orgId: string; query: ListQuery; condition: string },
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
  const found = await db
    .createQueryBuilder(entity, 'found')
    .where('found.id = ANY (:ids)', { ids: ids.map(({ id }) => id) })
    .orderBy({ 'found.createdAt': 'ASC', 'found.id': 'ASC' })
    .getMany();
  return { rows: found, total };
}
