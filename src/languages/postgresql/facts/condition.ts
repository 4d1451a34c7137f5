import { isNode } from '../parsing/parse-tree';

/** Nodes whose value can differ between rows or calls. A condition without any of them is constant. */
const DISCERNING = new Set(['ColumnRef', 'FuncCall', 'SubLink', 'ParamRef', 'CurrentOfExpr']);

/**
 * Whether a condition can differ between rows. No condition, `true`, `1 = 1` and `'a' IN ('a')` cannot. An
 * unknown node counts as one that cannot, so that the statement is reported rather than trusted.
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
