import { dottedName, field, isNode, listOf, nodeText, type TreeNode } from '../parsing/parse-tree';

/** The catalog view of settings. Its column `name` contains the names of the settings. */
export const SETTINGS_VIEW = 'pg_settings';

/** Calls whose first argument can have only the values in `values`. */
export interface FixedCalls {
  readonly calls: readonly TreeNode[];
  readonly values: readonly string[];
}

/**
 * Finds calls of `name` in the select list whose first argument is a column that WHERE compares with
 * constants, as in pg_dump's `SELECT set_config(name, '…', false) FROM pg_settings WHERE name = '…'`.
 * PostgreSQL evaluates the select list only for rows that passed WHERE. The source must be `pg_settings`,
 * because its column is compared byte by byte. The column of another table may have a type or a collation
 * in which different texts are equal.
 */
export function fixedCalls(select: TreeNode, name: string): FixedCalls {
  const rows = settingsRows(select['fromClause']);
  const values = rows === undefined ? undefined : valuesOf(rows, select['whereClause']);
  if (rows === undefined || values === undefined) return { calls: [], values: [] };
  const isFixed = (call: TreeNode): boolean => isColumn(listOf(call['args'])[0], rows);
  return { calls: callsIn(select['targetList'], name).filter(isFixed), values };
}

/** Returns the name or alias of `pg_settings` in FROM; undefined if FROM is anything else. */
function settingsRows(from: unknown): string | undefined {
  const items = listOf(from);
  const [item] = items;
  const relation = items.length === 1 && isNode(item) ? field(item, 'RangeVar') : {};
  const alias = field(relation, 'alias');
  const isView =
    nodeText(relation, 'relname') === SETTINGS_VIEW &&
    (nodeText(relation, 'schemaname') ?? 'pg_catalog') === 'pg_catalog' &&
    alias['colnames'] === undefined;
  return isView ? (nodeText(alias, 'aliasname') ?? SETTINGS_VIEW) : undefined;
}

/** Splits a condition at AND into conditions that must all be true. */
function conjunctsOf(condition: unknown): TreeNode[] {
  const found: TreeNode[] = [];
  const open: unknown[] = [condition];
  while (open.length > 0) {
    const next = open.pop();
    if (!isNode(next)) continue;
    const both = field(next, 'BoolExpr');
    if (both['boolop'] === 'AND_EXPR') open.push(...listOf(both['args']));
    else found.push(next);
  }
  return found;
}

/** Finds calls outside subqueries, because in a subquery the same column name may mean another column. */
function callsIn(targets: unknown, name: string): TreeNode[] {
  const found: TreeNode[] = [];
  const open: unknown[] = [targets];
  while (open.length > 0) {
    const next = open.pop();
    if (Array.isArray(next)) for (const item of next) open.push(item);
    if (!isNode(next)) continue;
    for (const [key, value] of Object.entries(next)) {
      if (key === 'SubLink') continue;
      if (key === 'FuncCall' && isNode(value) && dottedName(value['funcname'])?.at(-1) === name)
        found.push(value);
      open.push(value);
    }
  }
  return found;
}

/** Whether the value is the column `name` of the FROM item whose name or alias is `rows`. */
function isColumn(value: unknown, rows: string): boolean {
  const expression = withoutTextCast(value);
  const names = isNode(expression) ? dottedName(field(expression, 'ColumnRef')['fields']) : undefined;
  return names?.at(-1) === 'name' && (names.length === 1 || (names.length === 2 && names[0] === rows));
}

function valuesOf(rows: string, condition: unknown): readonly string[] | undefined {
  for (const each of conjunctsOf(condition)) {
    const values = comparedWith(rows, field(each, 'A_Expr'))?.map(plainText);
    const texts = values?.filter((value) => value !== undefined);
    if (texts !== undefined && texts.length > 0 && texts.length === values?.length) return texts;
  }
  return undefined;
}

/**
 * Returns the values with which the column is compared in `name = 'a'`, `'a' = name`, `name IN ('a', 'b')`
 * or `name = ANY (ARRAY['a', 'b'])`; undefined for other expressions.
 */
function comparedWith(rows: string, expression: TreeNode): readonly unknown[] | undefined {
  const { kind, lexpr, rexpr } = expression;
  if (plainName(expression['name']) !== '=') return undefined;
  if (kind === 'AEXPR_OP' && isColumn(rexpr, rows)) return [lexpr];
  if (!isColumn(lexpr, rows)) return undefined;
  switch (kind) {
    case 'AEXPR_OP':
      return [rexpr];
    case 'AEXPR_IN':
      return listOf(rexpr);
    case 'AEXPR_OP_ANY':
      return isNode(rexpr) ? listOf(field(rexpr, 'A_ArrayExpr')['elements']) : undefined;
    default:
      return undefined;
  }
}

/** Returns a dotted name without the schema `pg_catalog`. */
function plainName(value: unknown): string | undefined {
  return dottedName(value)
    ?.join('.')
    .replace(/^pg_catalog\./, '');
}

/** Returns the text of a string constant, even if cast to text; another cast selects another operator. */
function plainText(value: unknown): string | undefined {
  const expression = withoutTextCast(value);
  const constant = isNode(expression) ? field(field(expression, 'A_Const'), 'sval') : {};
  return nodeText(constant, 'sval');
}

function withoutTextCast(value: unknown): unknown {
  if (!isNode(value) || !isNode(value['TypeCast'])) return value;
  const { arg, typeName } = value['TypeCast'];
  const type = isNode(typeName) ? typeName : {};
  return plainName(type['names']) === 'text' && type['arrayBounds'] === undefined ? arg : value;
}
