import { isCatalogRelation, showsSettings } from './catalog-relations';
import { tellsApart } from './condition';
import { field, isNode, listOf, nodeText, type TreeNode } from '../parsing/parse-tree';
import type { NodeEffect, WalkContext } from './walk-context';

/** Tables of job schedulers. Their rows are code that runs later. */
const JOB_TABLES = new Set(['cron.job', 'pgagent.pga_jobstep', 'pgagent.pga_schedule']);

/** Reports writes to the catalog and to tables of jobs, because such rows are objects, settings or code. */
function hideCatalogueWrites(relation: TreeNode, { facts }: WalkContext): void {
  const schema = nodeText(relation, 'schemaname')?.toLowerCase();
  const name = (nodeText(relation, 'relname') ?? '').toLowerCase();
  if (isCatalogRelation(relation)) facts.hide('writes to the system catalogue');
  // UPDATE pg_settings has the effect of SET.
  if (showsSettings(relation)) facts.addKinds(['set']);
  if (JOB_TABLES.has(`${schema}.${name}`)) facts.hide('writes a job that runs later');
}

const conditional: NodeEffect = (node, context) => {
  hideCatalogueWrites(field(node, 'relation'), context);
  if (!tellsApart(node['whereClause'])) context.facts.withoutWhere = true;
};

/** Handles MERGE. MERGE … ON true WHEN MATCHED THEN DELETE has the effect of DELETE without WHERE. */
const merge: NodeEffect = (node, context) => {
  hideCatalogueWrites(field(node, 'relation'), context);
  if (tellsApart(node['joinCondition'])) return;
  for (const item of listOf(node['mergeWhenClauses'])) {
    const clause = isNode(item) ? field(item, 'MergeWhenClause') : {};
    const changes = clause['commandType'] === 'CMD_UPDATE' || clause['commandType'] === 'CMD_DELETE';
    if (changes && !tellsApart(clause['condition'])) context.facts.withoutWhere = true;
  }
};

/** Handlers of statements that change rows. They report changes without a condition, and hidden effects. */
export const ROW_CHANGES: Readonly<Record<string, NodeEffect>> = {
  InsertStmt: (node, context) => hideCatalogueWrites(field(node, 'relation'), context),
  UpdateStmt: conditional,
  DeleteStmt: conditional,
  MergeStmt: merge,
  CopyStmt: (node, context) => {
    if (node['is_from'] === true) hideCatalogueWrites(field(node, 'relation'), context);
  },
};
