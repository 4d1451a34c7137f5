import { isCatalogRelation, showsSettings } from './catalog-relations';
import { tellsApart } from './condition';
import { field, isNode, listOf, nodeText, type TreeNode } from '../parsing/parse-tree';
import type { NodeEffect, WalkContext } from './walk-context';

/** Tables whose rows are code that runs later. */
const JOB_TABLES = new Set(['cron.job', 'pgagent.pga_jobstep', 'pgagent.pga_schedule']);

/** Writing catalog rows changes objects and settings (`UPDATE pg_settings`). */
function hideCatalogueWrites(relation: TreeNode, { facts }: WalkContext): void {
  const schema = nodeText(relation, 'schemaname')?.toLowerCase();
  const name = (nodeText(relation, 'relname') ?? '').toLowerCase();
  if (isCatalogRelation(relation)) facts.hide('writes to the system catalogue');
  // UPDATE pg_settings does what SET does.
  if (showsSettings(relation)) facts.addKinds(['set']);
  if (JOB_TABLES.has(`${schema}.${name}`)) facts.hide('writes a job that runs later');
}

const conditional: NodeEffect = (node, context) => {
  hideCatalogueWrites(field(node, 'relation'), context);
  if (!tellsApart(node['whereClause'])) context.facts.withoutWhere = true;
};

/** MERGE … ON true WHEN MATCHED THEN DELETE does the same as DELETE without WHERE. */
const merge: NodeEffect = (node, context) => {
  hideCatalogueWrites(field(node, 'relation'), context);
  if (tellsApart(node['joinCondition'])) return;
  for (const item of listOf(node['mergeWhenClauses'])) {
    const clause = isNode(item) ? field(item, 'MergeWhenClause') : {};
    const changes = clause['commandType'] === 'CMD_UPDATE' || clause['commandType'] === 'CMD_DELETE';
    if (changes && !tellsApart(clause['condition'])) context.facts.withoutWhere = true;
  }
};

/** Statements that change rows: whether they affect every row, and whether the rows are more than data. */
export const ROW_CHANGES: Readonly<Record<string, NodeEffect>> = {
  InsertStmt: (node, context) => hideCatalogueWrites(field(node, 'relation'), context),
  UpdateStmt: conditional,
  DeleteStmt: conditional,
  MergeStmt: merge,
  CopyStmt: (node, context) => {
    if (node['is_from'] === true) hideCatalogueWrites(field(node, 'relation'), context);
  },
};
