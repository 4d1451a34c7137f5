import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';

/** What every listed table has. */
interface Listed {
  id: string;
  orgId: string;
  createdAt: Date;
}

/** Where a page lies in its list. */
export interface Window {
  readonly offset: number;
  readonly size: number;
}

/**
 * One page of an organization's rows, newest first, and how many rows there are. What it costs depends little on
 * how long the list is: the total of a whole list is kept by triggers (migration RowTotals), pages are found in the
 * table's page index, from the nearer end, and only their own rows are then read.
 *
 * `narrow` may add conditions on `listed`; what they leave is counted.
 */
export async function newestFirst<T extends Listed>(
  table: Repository<T>,
  orgId: string,
  { offset, size }: Window,
  narrow: (builder: SelectQueryBuilder<T>) => void = () => undefined,
): Promise<[rows: T[], total: number]> {
  const rows = table.createQueryBuilder('listed').where('listed.org_id = :orgId', { orgId });
  narrow(rows);
  const isWhole = rows.expressionMap.wheres.length === 1;
  const total = isWhole
    ? await keptTotal(table.manager, orgId, table.metadata.tableName)
    : await rows.getCount();
  const count = Math.min(size, total - offset);
  if (count <= 0) return [[], total];
  const behind = total - offset - count;
  const [order, skipped] = offset <= behind ? (['DESC', offset] as const) : (['ASC', behind] as const);
  const page = rows
    .clone()
    .select('listed.id')
    .orderBy({ 'listed.createdAt': order, 'listed.id': order })
    .offset(skipped)
    .limit(count);
  const found = await table
    .createQueryBuilder('found')
    .where(`found.id = ANY (ARRAY(${page.getQuery()}))`, page.getParameters())
    .orderBy({ 'found.createdAt': 'DESC', 'found.id': 'DESC' })
    .getMany();
  return [found, total];
}

async function keptTotal(db: EntityManager, orgId: string, table: string): Promise<number> {
  const [kept] = await db.query<{ total: string }[]>(
    'SELECT total FROM row_totals WHERE org_id = $1 AND table_name = $2',
    [orgId, table],
  );
  return Number(kept?.total ?? 0);
}
