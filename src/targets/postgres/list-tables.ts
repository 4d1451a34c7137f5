import { parseRow } from '../../kernel/text/tabular-text';
import {
  type ListedColumn,
  type ListedTable,
  MOST_COLUMNS,
  MOST_TABLES,
  type TableLister,
  type WantedTables,
} from '../contract/table-lister';

/**
 * Condition for tables, views, materialized views and foreign tables. Includes a partitioned table, but not
 * its partitions.
 */
const LISTED = `c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition`;

/** Condition that excludes the schemas of the server itself. */
const OWN = `n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'`;

const USABLE = `has_schema_privilege(n.oid, 'USAGE') AND (has_table_privilege(c.oid, 'SELECT, INSERT, UPDATE, DELETE')
      OR has_any_column_privilege(c.oid, 'SELECT, INSERT, UPDATE'))`;

const CELLS = 6;

/** Returns a script. It selects one row more than the limit, to detect whether there are more rows. */
function script({ database, schema }: WantedTables): string {
  const wanted = [
    ...(database === undefined ? [] : [` AND current_database() = ${literal(database)}`]),
    ...(schema === undefined ? [] : [` AND n.nspname = ${literal(schema)}`]),
  ].join('');
  return `WITH listed AS (
  SELECT c.oid, n.nspname, c.relname, n.nspname IS NOT DISTINCT FROM current_schema() AS is_default
  FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
  WHERE ${LISTED}
    AND ${OWN}${wanted}
    AND ${USABLE}
  ORDER BY is_default DESC, n.nspname, c.relname LIMIT ${MOST_TABLES + 1})
SELECT nspname AS schema, is_default, relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type, attnotnull AS required
FROM listed LEFT JOIN pg_catalog.pg_attribute ON attrelid = oid AND attnum > 0 AND NOT attisdropped
ORDER BY is_default DESC, nspname, relname, attnum LIMIT ${MOST_COLUMNS + 1}`;
}

function literal(text: string): string {
  // The gateway made sure that the target reads strings as the SQL standard does
  // (README.md), so a backslash needs no escape.
  return `'${text.replaceAll("'", "''")}'`;
}

function read(output: string): ReturnType<TableLister['read']> {
  // Leaves out an incomplete last line, the line of column names, and notices of the server.
  const rows = output
    .split('\n')
    .slice(0, -1)
    .map(parseRow)
    .filter((cells) => cells.length === CELLS && (cells[1] === 't' || cells[1] === 'f'));
  const tables = new Map<string, ListedTable & { readonly columns: ListedColumn[] }>();
  for (const [schema = '', isDefault, name = '', column = '', type = '', required] of rows.slice(
    0,
    MOST_COLUMNS,
  )) {
    const key = JSON.stringify([schema, name]);
    let table = tables.get(key);
    if (table === undefined) {
      if (tables.size === MOST_TABLES) break;
      table = { schema, isInDefaultSchema: isDefault === 't', name, columns: [] };
      tables.set(key, table);
    }
    // A table without columns has one row, in which the column is NULL.
    if (column !== '') table.columns.push({ name: column, type, isRequired: required === 't' });
  }
  const listed = [...tables.values()];
  const last = rows.at(-1);
  const isCut =
    rows.length > MOST_COLUMNS ||
    (last !== undefined && !tables.has(JSON.stringify([last[0] ?? '', last[2] ?? ''])));
  return { tables: listed, isCut };
}

/** Lists the tables of PostgreSQL by its catalog. */
export const postgresTables: TableLister = { script, read };
