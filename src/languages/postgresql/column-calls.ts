import type { FactCollector } from './fact-collector';
import { columnHides } from './hidden-functions';
import { isNode, listOf, stringNode, nodeText, type TreeNode } from './parse-tree';

/** Rows that PostgreSQL names itself; each has the columns of a relation. */
const ROWS_BY_NAME = new Set(['old', 'new', 'excluded']);

function columnsOf(rangeFunction: TreeNode, alias: TreeNode): ReadonlySet<string> {
  const named = listOf(alias['colnames']).map(stringNode);
  const defined = listOf(rangeFunction['coldeflist']).map((item) =>
    isNode(item) && isNode(item['ColumnDef']) ? nodeText(item['ColumnDef'], 'colname') : undefined,
  );
  return new Set([...named, ...defined].filter((name) => name !== undefined));
}

/**
 * Tells the columns of one tree that may be calls: PostgreSQL takes `x.f` as `f(x)` where x has no column f. A row of a
 * relation, a sub-select or a join is of a composite type, which no function that takes a text accepts; a function in FROM
 * may be its own row, and a parameter of a function is whatever it is.
 */
export class ColumnCalls {
  /** Rows of relations and of sub-selects, by the names under which they are known somewhere in the tree. */
  private readonly composite = new Set(ROWS_BY_NAME);
  /** Rows of functions, with the columns that each of them surely has. */
  private readonly functions = new Map<string, ReadonlySet<string>[]>();
  private readonly words: { readonly qualifier: string; readonly name: string; readonly reason: string }[] =
    [];
  /** Names may stand for more than what is written in FROM. */
  private isOpen = false;

  constructor(private readonly facts: FactCollector) {}

  /** A name that somebody gave to rows, in whatever node but a function in FROM. */
  addRows(name: string): void {
    this.composite.add(name);
  }

  addFunctionRows(rangeFunction: TreeNode): void {
    const { alias } = rangeFunction;
    const name = isNode(alias) ? nodeText(alias, 'aliasname') : undefined;
    // Without an alias it is called as its function or type is.
    if (name === undefined || !isNode(alias)) this.isOpen = true;
    else this.functions.set(name, [...(this.functions.get(name) ?? []), columnsOf(rangeFunction, alias)]);
  }

  /** Names of parameters are known in the bodies of functions too. */
  open(): void {
    this.isOpen = true;
  }

  addReference(qualifier: string, name: string): void {
    const hidden = columnHides(name);
    if (hidden === undefined) return;
    if (hidden.isWord) this.words.push({ qualifier, name, reason: hidden.reason });
    else this.facts.hide(hidden.reason);
  }

  /** To be called once the tree was seen. */
  finish(): void {
    for (const { qualifier, name, reason } of this.words)
      if (!this.isColumn(qualifier, name)) this.facts.hide(reason);
  }

  private isColumn(qualifier: string, name: string): boolean {
    if (this.isOpen) return false;
    const rows = this.functions.get(qualifier);
    return rows === undefined ? this.composite.has(qualifier) : rows.every((columns) => columns.has(name));
  }
}
