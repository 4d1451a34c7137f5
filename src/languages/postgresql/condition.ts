import { isNode } from './parse-tree';

/** What a condition must mention, somewhere, to be able to differ from row to row or from call to call. */
const DISCERNING = new Set(['ColumnRef', 'FuncCall', 'SubLink', 'ParamRef', 'CurrentOfExpr']);

/**
 * Whether an expression tells anything apart: no expression and `true`, `1 = 1`, `'a' IN ('a')` do not. An unknown
 * node counts as telling nothing, so that it is reported rather than trusted.
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
