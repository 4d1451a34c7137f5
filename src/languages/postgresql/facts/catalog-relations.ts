import { field, isNode, listOf, nodeText, type TreeNode } from '../parsing/parse-tree';

/** Catalog views that join, aggregate or call functions, so that no view on them is updatable. */
const READ_ONLY = new RegExp(
  '^pg_(stat(io)?_.*|shadow|roles|user|policies|rules|views|tables|matviews|indexes|sequences|stats|stats_ext|stats_ext_exprs|' +
    'locks|cursors|config|aios|available_extensions|available_extension_versions|backend_memory_contexts|file_settings|' +
    'hba_file_rules|ident_file_mappings|prepared_statements|prepared_xacts|publication_tables|replication_origin_status|' +
    'replication_slots|seclabels|shmem_allocations|shmem_allocations_numa|timezone_abbrevs|timezone_names|user_mappings|' +
    'wait_events)$',
);

/** Whether a RangeVar may be a relation of the catalog. With a schema other than `pg_catalog` it is not. */
export function isCatalogRelation(relation: TreeNode): boolean {
  const schema = nodeText(relation, 'schemaname')?.toLowerCase();
  if (schema !== undefined) return schema === 'pg_catalog';
  return (nodeText(relation, 'relname') ?? '').toLowerCase().startsWith('pg_');
}

/** Whether a relation is a catalog view that shows settings, as SHOW does. */
export function showsSettings(relation: TreeNode): boolean {
  return isCatalogRelation(relation) && /^pg_(file_)?settings$/i.test(nodeText(relation, 'relname') ?? '');
}

/** Catalog views that show what other sessions do. Views of extensions may be in any schema. */
const OTHER_SESSIONS =
  /^pg_(stat_(activity|replication|ssl|gssapi|progress_\w+|subscription|wal_receiver)|locks|prepared_xacts)$/;
const OF_EXTENSIONS = /^pg_(stat_statements|stat_monitor|show_plans|wait_sampling_\w+)$/;

export function showsOtherSessions(relation: TreeNode): boolean {
  const name = (nodeText(relation, 'relname') ?? '').toLowerCase();
  return OF_EXTENSIONS.test(name) || (isCatalogRelation(relation) && OTHER_SESSIONS.test(name));
}

/**
 * Clauses of a query that make a view on it read-only. Source: PostgreSQL documentation, CREATE VIEW,
 * "Updatable Views".
 */
const NOT_WRITABLE = [
  'distinctClause',
  'groupClause',
  'havingClause',
  'withClause',
  'limitCount',
  'limitOffset',
  'valuesLists',
];

/** Returns the reason if a view with this query could hide later writes to the catalog; undefined if not. */
export function viewHides(query: unknown): string | undefined {
  const select = isNode(query) ? field(query, 'SelectStmt') : {};
  const [source, ...others] = listOf(select['fromClause']);
  const relation = isNode(source) ? source['RangeVar'] : undefined;
  if (!isNode(relation) || others.length > 0 || !isCatalogRelation(relation)) return undefined;
  if (NOT_WRITABLE.some((clause) => select[clause] !== undefined)) return undefined;
  if (READ_ONLY.test((nodeText(relation, 'relname') ?? '').toLowerCase())) return undefined;
  return 'makes the system catalogue writable by another name';
}
