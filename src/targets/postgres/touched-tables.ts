import type { Client } from 'pg';
import type { TableFact } from '../../languages/postgresql/facts/facts';
import type { Dropped, ObjectName, Reach } from '../../languages/postgresql/facts/reach';

/** Maximum number of tables to list. */
const MAX_TABLES = 10_000;
const BEGIN = 'BEGIN READ ONLY; SET LOCAL search_path = pg_catalog; SET LOCAL statement_timeout = 3000';

/** The catalog table of each kind of object, with its columns for name and schema. */
const KEPT_IN: Readonly<Record<Dropped, readonly [table: string, name: string, schema?: string]>> = {
  type: ['pg_type', 'typname', 'typnamespace'],
  function: ['pg_proc', 'proname', 'pronamespace'],
  operator: ['pg_operator', 'oprname', 'oprnamespace'],
  collation: ['pg_collation', 'collname', 'collnamespace'],
  schema: ['pg_namespace', 'nspname'],
  extension: ['pg_extension', 'extname'],
  language: ['pg_language', 'lanname'],
  server: ['pg_foreign_server', 'srvname'],
  wrapper: ['pg_foreign_data_wrapper', 'fdwname'],
};

/**
 * An SQL query that selects objects as `(classid, objid, objsubid)`, and the values of its parameters. Class
 * and id identify an object, as in `pg_depend`.
 */
interface Roots {
  readonly sql: string;
  readonly values: readonly unknown[];
  /** Whether dependent objects are touched too. */
  readonly isDropped: boolean;
}

const relations = (where: string): string =>
  `SELECT 'pg_class'::regclass::oid AS classid, c.oid AS objid, 0 AS objsubid FROM pg_class c WHERE ${where}`;
const NAMED = `EXISTS (SELECT FROM unnest($1::text[], $2::text[]) AS wanted(schema, name)
  WHERE wanted.name = named.name AND (wanted.schema IS NULL OR wanted.schema = named.schema))`;

/** Returns the schemas and the names of objects as two arrays. A null schema stands for any schema. */
const sides = (names: readonly ObjectName[]): unknown[] => [
  names.map(({ schema }) => schema ?? null),
  names.map(({ name }) => name),
];

function rootsOf(reach: Reach): Roots {
  switch (reach.kind) {
    case 'dropped':
      return { sql: droppedObjects(reach.of), values: sides(reach.names), isDropped: true };
    case 'truncated':
      return { sql: TRUNCATED, values: sides(reach.names), isDropped: false };
    case 'in schemas':
      return {
        sql: relations('c.relnamespace IN (SELECT oid FROM pg_namespace WHERE nspname = ANY ($1::text[]))'),
        values: [reach.names],
        isDropped: false,
      };
    case 'in tablespace':
      return { sql: relations(IN_TABLESPACE), values: [reach.name], isDropped: false };
    case 'owned':
      return { sql: OWNED, values: [reach.roles], isDropped: reach.isDropped };
    case 'clustered':
      return {
        sql: relations('c.oid IN (SELECT indrelid FROM pg_index WHERE indisclustered)'),
        values: [],
        isDropped: false,
      };
    case 'all':
      return { sql: relations(`c.relkind IN ('r', 'm', 'p', 't')`), values: [], isDropped: false };
  }
}

function droppedObjects(of: Dropped): string {
  const [table, name, schema] = KEPT_IN[of];
  const join = schema === undefined ? '' : `JOIN pg_namespace n ON n.oid = o.${schema}`;
  const named = `SELECT o.${name} AS name, ${schema === undefined ? 'NULL::name' : 'n.nspname'} AS schema`;
  return `SELECT '${table}'::regclass::oid AS classid, o.oid AS objid, 0 AS objsubid FROM ${table} o ${join}
    CROSS JOIN LATERAL (${named}) named WHERE ${NAMED}`;
}

/** Selects the named tables and, recursively, their partitions and the tables with foreign keys to them. */
const TRUNCATED = `
  SELECT 'pg_class'::regclass::oid AS classid, relid AS objid, 0 AS objsubid FROM (
    WITH RECURSIVE truncated(relid) AS (
      SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
        CROSS JOIN LATERAL (SELECT c.relname AS name, n.nspname AS schema) named WHERE ${NAMED}
      UNION
      SELECT next.relid FROM truncated CROSS JOIN LATERAL (
        SELECT conrelid FROM pg_constraint WHERE contype = 'f' AND confrelid = truncated.relid
        UNION ALL
        SELECT inhrelid FROM pg_inherits WHERE inhparent = truncated.relid
      ) next(relid)
    ) SELECT relid FROM truncated) all_of_them`;

const IN_TABLESPACE = `EXISTS (SELECT FROM pg_tablespace t WHERE t.spcname = $1 AND (t.oid = c.reltablespace OR
  c.reltablespace = 0 AND t.oid = (SELECT dattablespace FROM pg_database WHERE datname = current_database())))`;

const OWNED = `
  SELECT d.classid, d.objid, d.objsubid FROM pg_shdepend d
    JOIN pg_roles r ON d.refclassid = 'pg_authid'::regclass AND d.refobjid = r.oid
  WHERE r.rolname = ANY ($1::text[]) AND d.dbid = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/**
 * Selects everything that is dropped with the objects of a DROP: all objects that depend on them, and each
 * object of which a dropped object is a part. If only a column is dropped, objects that depend on other
 * columns of its table remain.
 */
const WITH_DEPENDENTS = `
  SELECT next.* FROM reached r CROSS JOIN LATERAL (
    SELECT d.classid, d.objid, d.objsubid FROM pg_depend d
    WHERE d.refclassid = r.classid AND d.refobjid = r.objid AND (r.objsubid = 0 OR d.refobjsubid = r.objsubid)
    UNION ALL
    SELECT d.refclassid, d.refobjid, d.refobjsubid FROM pg_depend d
    WHERE d.classid = r.classid AND d.objid = r.objid AND d.objsubid = r.objsubid AND d.deptype IN ('i', 'e', 'P', 'S')
  ) next`;

/** Selects the relations among the reached objects, and the relations to which the objects belong. */
const TOUCHED = `
  SELECT objid FROM reached WHERE classid = 'pg_class'::regclass
  UNION SELECT i.indrelid FROM reached r JOIN pg_index i ON r.classid = 'pg_class'::regclass AND i.indexrelid = r.objid
  UNION SELECT i.inhparent FROM reached r JOIN pg_inherits i ON r.classid = 'pg_class'::regclass AND i.inhrelid = r.objid
  UNION SELECT t.oid FROM reached r JOIN pg_class t ON r.classid = 'pg_class'::regclass AND t.reltoastrelid = r.objid
  UNION SELECT unnest(ARRAY[c.conrelid, c.confrelid]) FROM reached r
    JOIN pg_constraint c ON r.classid = 'pg_constraint'::regclass AND c.oid = r.objid
  UNION SELECT t.tgrelid FROM reached r JOIN pg_trigger t ON r.classid = 'pg_trigger'::regclass AND t.oid = r.objid
  UNION SELECT w.ev_class FROM reached r JOIN pg_rewrite w ON r.classid = 'pg_rewrite'::regclass AND w.oid = r.objid
  UNION SELECT p.polrelid FROM reached r JOIN pg_policy p ON r.classid = 'pg_policy'::regclass AND p.oid = r.objid
  UNION SELECT a.adrelid FROM reached r JOIN pg_attrdef a ON r.classid = 'pg_attrdef'::regclass AND a.oid = r.objid
  UNION SELECT s.stxrelid FROM reached r
    JOIN pg_statistic_ext s ON r.classid = 'pg_statistic_ext'::regclass AND s.oid = r.objid
  UNION SELECT p.prrelid FROM reached r
    JOIN pg_publication_rel p ON r.classid = 'pg_publication_rel'::regclass AND p.oid = r.objid`;

/**
 * Returns the tables, views and sequences that a statement touches; undefined if there are too many. Does not
 * see uncommitted changes of the catalog.
 */
export async function touchedTables(client: Client, reach: Reach): Promise<TableFact[] | undefined> {
  const { sql, values, isDropped } = rootsOf(reach);
  await client.query(BEGIN);
  const { rows } = await client.query<{ schema: string; name: string }>(
    `WITH RECURSIVE roots AS (${sql}),
       reached(classid, objid, objsubid) AS (
         SELECT classid, objid, objsubid FROM roots ${isDropped ? `UNION ${WITH_DEPENDENTS}` : ''}
       ),
       touched(relid) AS (${TOUCHED})
     SELECT n.nspname::text AS schema, c.relname::text AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid IN (SELECT relid FROM touched) AND c.relkind NOT IN ('i', 'I', 'c')
     LIMIT ${MAX_TABLES + 1}`,
    [...values],
  );
  await client.query('COMMIT');
  if (rows.length > MAX_TABLES) return undefined;
  return rows.map(({ schema, name }) => ({ schema, name, read: true, write: true }));
}
