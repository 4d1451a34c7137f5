import type { TestDatabase } from './database';

/** A step of what PostgreSQL did for a statement. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs the statement. Returns every step of its plan, the last one, whose rows are the result, first. */
export async function queryPlan(
  database: TestDatabase,
  sql: string,
  values: unknown[] = [],
): Promise<PlanNode[]> {
  const [row] = await database.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`,
    values,
  );
  return flat(row?.['QUERY PLAN'][0].Plan as PlanNode);
}

/** Rows of all its loops, including those that it left out. */
export function rowsRead(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/** Scans of tables, such as `Index Scan on sessions`, with their rows. */
export function scansOf(nodes: readonly PlanNode[]): { kind: string; rows: number }[] {
  return nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => ({ kind: `${node['Node Type']} on ${node['Relation Name']}`, rows: rowsRead(node) }));
}

function flat(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}
