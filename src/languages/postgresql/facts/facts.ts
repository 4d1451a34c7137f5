import type { Reach } from './reach';
import type { StatementKind } from './statement-kinds';

/**
 * A relation the statement mentions. `name` is `*` when it reaches tables it
 * does not name (of `schema`, or of any).
 */
export interface TableFact {
  readonly schema?: string;
  readonly name: string;
  readonly read: boolean;
  readonly write: boolean;
}

/**
 * A function the statement calls or mentions, or a dotted name (`x.f`) that
 * PostgreSQL would take as the call `f(x)`.
 */
export interface FunctionFact {
  readonly schema?: string;
  readonly name: string;
}

/** An object of a session that outlives the text that made it. The name has no schema. */
export interface SessionObject {
  readonly kind: 'cursor' | 'prepared' | 'table' | 'function';
  readonly name: string;
}

/**
 * Effects of one statement, over its whole tree. No list has repeats. Names are as PostgreSQL resolved them
 * (case folded unless quoted, escapes decoded, cut at 63 bytes).
 */
export interface StatementFacts {
  /** UTF-16 range in the source, `end` exclusive. The last statement reaches to the end of the text. */
  readonly start: number;
  readonly end: number;
  readonly kinds: readonly StatementKind[];
  /** An UPDATE, DELETE or MERGE whose condition is missing or is the same for every row. */
  readonly withoutWhere: boolean;
  readonly tables: readonly TableFact[];
  readonly functions: readonly FunctionFact[];
  /** Cursors, prepared statements, tables, views and functions that it makes. */
  readonly makes: readonly SessionObject[];
  /**
   * Cursors that it fetches from, and prepared statements that it executes,
   * which no earlier statement of the text made.
   */
  readonly uses: readonly SessionObject[];
  /** Reasons why its text does not show its whole effect; empty when it does. */
  readonly hidden: readonly string[];
  /**
   * Queries for the target's catalog that find the tables for which the facts named `*` stand; undefined
   * where it cannot find all of them.
   */
  readonly reaches?: readonly Reach[];
}

/** Plain data: it may be structured-cloned between threads. */
export type ParsedSql =
  | { readonly kind: 'facts'; readonly statements: readonly StatementFacts[] }
  | { readonly kind: 'unparseable'; readonly reason: string };

/** Stands for every table of a schema, or of the database. */
export const ANY_TABLE = '*';

/** Statements that do not change the part of the catalog that describes tables and what depends on them. */
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
 * Whether later statements of the text can still be asked about.
 * `SELECT … INTO` makes a table, so they cannot.
 */
export function keepsCatalog({ kinds, hidden, makes }: StatementFacts): boolean {
  return kinds.every((kind) => KEEPS_CATALOG.has(kind)) && hidden.length === 0 && makes.length === 0;
}

/** NAMEDATALEN - 1: PostgreSQL cuts longer names, so two long names may be one table. */
const MAX_NAME_BYTES = 63;

/** Maps all spellings of a name to one. Cuts before folding, as PostgreSQL does, at a whole character. */
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

/** A name without a schema may be in any schema, depending on the session's search_path. */
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

/** Whether the mention may refer to that table; true in doubt. */
export function namesTable(fact: TableFact, wanted: Name): boolean {
  return mayBe(fact.name === ANY_TABLE ? { ...fact, name: wanted.name } : fact, wanted);
}

/** Whether the mention may refer to that function, whatever its arguments; true in doubt. */
export function namesFunction(fact: FunctionFact, wanted: Name): boolean {
  return mayBe(fact, wanted);
}
