import type { EntityManager, Repository, SelectQueryBuilder } from 'typeorm';

/** Columns that every listed table has. */
interface Listed {
  id: string;
  orgId: string;
  createdAt: Date;
}

/** Position of a page in its list. */
export interface Window {
  readonly offset: number;
  readonly size: number;
  /** Reverses the order: the oldest rows come first. */
  readonly isOldestFirst?: boolean;
}

/**
 * One page of an organization's rows, newest first unless the window has another order, and the total number
 * of rows. The cost depends little on the length of the list. Triggers maintain the total of the whole list
 * (migration RowTotals). A page is read from the table's page index, starting at the nearer end, so only the
 * rows of the page are read.
 *
 * `narrow` may add conditions on `listed`; then the matching rows are counted.
 */
export async function newestFirst<T extends Listed>(
  table: Repository<T>,
  orgId: string,
  { offset, size, isOldestFirst = false }: Window,
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
  const [wanted, opposite] = isOldestFirst ? (['ASC', 'DESC'] as const) : (['DESC', 'ASC'] as const);
  const [order, skipped] = offset <= behind ? ([wanted, offset] as const) : ([opposite, behind] as const);
  const page = rows
    .clone()
    .select('listed.id')
    .orderBy({ 'listed.createdAt': order, 'listed.id': order })
    .offset(skipped)
    .limit(count);
  const found = await table
    .createQueryBuilder('found')
    .where(`found.id = ANY (ARRAY(${page.getQuery()}))`, page.getParameters())
    .orderBy({ 'found.createdAt': wanted, 'found.id': wanted })
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
