import {
  ANY_TABLE,
  type FunctionFact,
  type SessionObject,
  type StatementFacts,
  type TableFact,
} from './facts';
import type { Reach } from './reach';
import { STATEMENT_KINDS, type StatementKind } from './statement-kinds';

/**
 * Access to a mentioned relation. `both` is for statements that do not show a direction, such as DDL.
 * `definition` is like `both`, but stays `definition` for all nodes inside, because a client can write
 * through a view to the tables that the view reads.
 */
export type Access = 'read' | 'write' | 'both' | 'definition';

const KIND_ORDER = new Map(STATEMENT_KINDS.map((kind, index) => [kind, index]));

interface MutableTable {
  schema: string | undefined;
  name: string;
  read: boolean;
  write: boolean;
}

/** Splits a dotted name as PostgreSQL does: `[[database.]schema.]name`. */
function split(names: readonly string[]): { schema: string | undefined; name: string } {
  return { schema: names.at(-2), name: names.at(-1) ?? '' };
}

function keyOf(schema: string | undefined, name: string): string {
  return schema === undefined ? name : `${schema}\u0000${name}`;
}

/** Collects the facts of one statement without repeats. */
export class FactCollector {
  withoutWhere = false;
  /** Whether a fact depends on a constant of the text. A text with another constant may have other facts. */
  dependsOnConstants = false;
  private readonly kinds = new Set<StatementKind>();
  private readonly tables = new Map<string, MutableTable>();
  private readonly functions = new Map<string, FunctionFact>();
  private readonly makes: SessionObject[] = [];
  private readonly uses: SessionObject[] = [];
  private readonly hidden = new Set<string>();
  private readonly reaches: Reach[] = [];
  /** Whether the statement touches tables that it does not name and that no catalog query can find. */
  private isBeyondCatalog = false;

  addKinds(kinds: readonly StatementKind[]): void {
    for (const kind of kinds) this.kinds.add(kind);
  }

  addTable(names: readonly string[], access: Access): void {
    const { schema, name } = split(names);
    const key = keyOf(schema, name);
    let table = this.tables.get(key);
    if (table === undefined) {
      table = { schema, name, read: false, write: false };
      this.tables.set(key, table);
    }
    if (access !== 'write') table.read = true;
    if (access !== 'read') table.write = true;
  }

  /**
   * Adds a mention of any table of the schema, or of the database.
   * @param reach the query that finds the tables in the target's catalog; undefined if no query can find
   * them
   */
  addAnyTable(schema: string | undefined, reach?: Reach): void {
    this.addTable(schema === undefined ? [ANY_TABLE] : [schema, ANY_TABLE], 'both');
    if (reach === undefined) this.isBeyondCatalog = true;
    else if (!this.reaches.includes(reach)) this.reaches.push(reach);
  }

  addFunction(names: readonly string[]): void {
    const { schema, name } = split(names);
    const key = keyOf(schema, name);
    if (!this.functions.has(key)) this.functions.set(key, schema === undefined ? { name } : { schema, name });
  }

  addMade(kind: SessionObject['kind'], name: string): void {
    this.makes.push({ kind, name });
  }

  addUse(kind: SessionObject['kind'], name: string): void {
    this.uses.push({ kind, name });
  }

  /**
   * Adds a reason why the statement has hidden effects. Does nothing for undefined, so that callers can pass
   * the result of a check.
   */
  hide(reason: string | undefined): void {
    if (reason !== undefined) this.hidden.add(reason);
  }

  finish(start: number, end: number): StatementFacts {
    // A tree in which no node has a statement kind is unknown, so it must not look harmless.
    if (this.kinds.size === 0) this.addKinds(['other']);
    return {
      start,
      end,
      kinds: [...this.kinds].sort((a, b) => (KIND_ORDER.get(a) ?? 0) - (KIND_ORDER.get(b) ?? 0)),
      withoutWhere: this.withoutWhere,
      tables: [...this.tables.values()].map(({ schema, ...rest }): TableFact =>
        schema === undefined ? rest : { schema, ...rest },
      ),
      functions: [...this.functions.values()],
      makes: this.makes,
      uses: this.uses,
      hidden: [...this.hidden],
      ...(this.reaches.length > 0 && !this.isBeyondCatalog && { reaches: this.reaches }),
    };
  }
}
