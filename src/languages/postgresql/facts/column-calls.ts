import type { FactCollector } from './fact-collector';
import { columnHides } from './hidden-functions';
import { isNode, listOf, stringNode, nodeText, type TreeNode } from '../parsing/parse-tree';

/** Row names that PostgreSQL itself defines. Each row has the columns of a relation. */
const ROWS_BY_NAME = new Set(['old', 'new', 'excluded']);

function columnsOf(rangeFunction: TreeNode, alias: TreeNode): ReadonlySet<string> {
  const named = listOf(alias['colnames']).map(stringNode);
  const defined = listOf(rangeFunction['coldeflist']).map((item) =>
    isNode(item) && isNode(item['ColumnDef']) ? nodeText(item['ColumnDef'], 'colname') : undefined,
  );
  return new Set([...named, ...defined].filter((name) => name !== undefined));
}

/**
 * Finds the columns of one tree that may be function calls, because PostgreSQL reads `x.f` as `f(x)` where x
 * has no column f. If x is a row of a relation, a sub-select or a join, it has a composite type, which no
 * function with a text parameter accepts. If x is a function in FROM or a parameter, it may have any type.
 */
export class ColumnCalls {
  /** Names of rows of relations and sub-selects, anywhere in the tree. */
  private readonly composite = new Set(ROWS_BY_NAME);
  /** For each row name of a function in FROM, the columns that the row certainly has. */
  private readonly functions = new Map<string, ReadonlySet<string>[]>();
  private readonly words: { readonly qualifier: string; readonly name: string; readonly reason: string }[] =
    [];
  /** Whether a row name may mean unknown rows. Then no `x.f` is certainly a column. */
  private isOpen = false;

  constructor(private readonly facts: FactCollector) {}

  /** Adds a row name. Rows of functions in FROM use `addFunctionRows` instead. */
  addRows(name: string): void {
    this.composite.add(name);
  }

  addFunctionRows(rangeFunction: TreeNode): void {
    const { alias } = rangeFunction;
    const name = isNode(alias) ? nodeText(alias, 'aliasname') : undefined;
    // Without an alias, the row has the name of its function or type.
    if (name === undefined || !isNode(alias)) {
      this.isOpen = true;
      return;
    }
    const rows = this.functions.get(name);
    if (rows === undefined) this.functions.set(name, [columnsOf(rangeFunction, alias)]);
    else rows.push(columnsOf(rangeFunction, alias));
  }

  /** Marks that row names may mean unknown rows, such as the parameters of a function. */
  open(): void {
    this.isOpen = true;
  }

  addReference(qualifier: string, name: string): void {
    const hidden = columnHides(name);
    if (hidden === undefined) return;
    if (hidden.isWord) this.words.push({ qualifier, name, reason: hidden.reason });
    else this.facts.hide(hidden.reason);
  }

  /** Must be called after the whole tree was visited. */
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
