import type { Unparseable } from '../../text/unparseable';
import type { Reach } from './reach';
import type { StatementKind } from './statement-kinds';

/**
 * A relation that the statement mentions. `name` is `*` if the statement touches tables that it does not
 * name: tables of `schema`, or of any schema if `schema` is absent.
 */
export interface TableFact {
  readonly schema?: string;
  readonly name: string;
  readonly read: boolean;
  readonly write: boolean;
}

/**
 * A function that the statement calls or mentions, or a dotted name (`x.f`) that PostgreSQL may read as the
 * call `f(x)`.
 */
export interface FunctionFact {
  readonly schema?: string;
  readonly name: string;
}

/** An object that the session keeps after the text that created it has run. The name has no schema. */
export interface SessionObject {
  readonly kind: 'cursor' | 'prepared' | 'table' | 'function';
  readonly name: string;
}

/**
 * Effects of one statement, collected from its whole tree. No list has duplicates. Names are as PostgreSQL
 * resolves them (case folded unless quoted, escapes decoded, cut at 63 bytes).
 */
export interface StatementFacts {
  /** UTF-16 range in the source, `end` exclusive. The last statement reaches to the end of the text. */
  readonly start: number;
  readonly end: number;
  readonly kinds: readonly StatementKind[];
  /** Whether the statement is an UPDATE, DELETE or MERGE with no condition, or with a constant condition. */
  readonly withoutWhere: boolean;
  readonly tables: readonly TableFact[];
  readonly functions: readonly FunctionFact[];
  /** Cursors, prepared statements, tables, views and functions that the statement creates. */
  readonly makes: readonly SessionObject[];
  /**
   * Cursors from which the statement fetches and prepared statements that it executes, if no earlier
   * statement of the text created them.
   */
  readonly uses: readonly SessionObject[];
  /** Reasons why the statement's text does not show its whole effect; empty if it does. */
  readonly hidden: readonly string[];
  /**
   * Queries to the target's catalog that find the tables meant by facts named `*`; undefined if the catalog
   * cannot find all of them.
   */
  readonly reaches?: readonly Reach[];
}

/** Result of parsing a text. It is plain data, so that it can be cloned between threads. */
export type ParsedSql =
  | { readonly kind: 'facts'; readonly statements: readonly StatementFacts[] }
  | Unparseable;

/** Name in a table fact that stands for every table of a schema, or of the database. */
export const ANY_TABLE = '*';

/** Statements that do not change the catalog's data about tables and their dependent objects. */
const KEEPS_CATALOG: ReadonlySet<StatementKind> = new Set<StatementKind>([
  'select',
  'insert',
  'update',
  'delete',
  'merge',
  'truncate',
  'set',
  'reset',
  'show',
  'explain',
  'analyze',
  'vacuum',
  'lock',
  'listen',
  'notify',
  'unlisten',
  'begin',
  'commit',
  'rollback',
  'savepoint',
  'release',
]);

/**
 * Whether the catalog can still be queried for the later statements of the text. False for a statement that
 * changes the catalog, such as `SELECT … INTO`, which creates a table.
 */
export function keepsCatalog({ kinds, hidden, makes }: StatementFacts): boolean {
  return kinds.every((kind) => KEEPS_CATALOG.has(kind)) && hidden.length === 0 && makes.length === 0;
}

/** NAMEDATALEN - 1. PostgreSQL cuts longer names, so two different long names may be the same table. */
const MAX_NAME_BYTES = 63;

/** Maps all spellings of a name to one. Like PostgreSQL, cuts at a whole character, before folding. */
function folded(name: string): string {
  if (name.length * 3 <= MAX_NAME_BYTES) return name.toLowerCase();
  const bytes = Buffer.from(name, 'utf8');
  if (bytes.length <= MAX_NAME_BYTES) return name.toLowerCase();
  let end = MAX_NAME_BYTES;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString('utf8', 0, end).toLowerCase();
}

interface Name {
  readonly schema?: string;
  readonly name: string;
}

/** Whether two names may mean one object. A name without a schema depends on the session's search_path. */
function mayBe(fact: Name, wanted: Name): boolean {
  if (
    fact.schema !== undefined &&
    wanted.schema !== undefined &&
    folded(fact.schema) !== folded(wanted.schema)
  ) {
    return false;
  }
  return folded(fact.name) === folded(wanted.name);
}

/** Whether the mention may refer to the wanted table; true if uncertain. */
export function namesTable(fact: TableFact, wanted: Name): boolean {
  return mayBe(fact.name === ANY_TABLE ? { ...fact, name: wanted.name } : fact, wanted);
}

/** Whether the mention may refer to the wanted function, with any arguments; true if uncertain. */
export function namesFunction(fact: FunctionFact, wanted: Name): boolean {
  return mayBe(fact, wanted);
}
