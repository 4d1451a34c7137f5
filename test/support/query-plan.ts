import type { TestDatabase } from './database';

/** A node of the plan with which PostgreSQL executed a statement. */
export interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Runs the statement. Returns all nodes of its plan. The first is the top node, which returns the result. */
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

/** Number of rows that a node read in all its loops, including rows that its filter removed. */
export function rowsRead(node: PlanNode): number {
  return (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
}

/** Returns the scans of tables, such as `Index Scan on sessions`, with the number of rows that each read. */
export function scansOf(nodes: readonly PlanNode[]): { kind: string; rows: number }[] {
  return nodes
    .filter((node) => node['Relation Name'] !== undefined)
    .map((node) => ({ kind: `${node['Node Type']} on ${node['Relation Name']}`, rows: rowsRead(node) }));
}

function flat(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(flat)];
}
