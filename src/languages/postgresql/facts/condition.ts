import { isNode } from '../parsing/parse-tree';

/** Nodes whose value can differ between rows or calls. A condition without such nodes is constant. */
const DISCERNING = new Set(['ColumnRef', 'FuncCall', 'SubLink', 'ParamRef', 'CurrentOfExpr']);

/**
 * Whether a condition can be true for some rows and false for others. A missing condition, `true`, `1 = 1`
 * and `'a' IN ('a')` cannot. An unknown node counts as constant, so that the statement is reported rather
 * than trusted.
 */
export function tellsApart(expression: unknown): boolean {
  const open: unknown[] = [expression];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) {
      for (const item of value) open.push(item);
    } else if (isNode(value)) {
      for (const key of Object.keys(value)) {
        if (DISCERNING.has(key)) return true;
        open.push(value[key]);
      }
    }
  }
  return false;
}
