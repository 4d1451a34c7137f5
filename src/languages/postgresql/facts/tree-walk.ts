import { showsOtherSessions, showsSettings } from './catalog-relations';
import { ColumnCalls } from './column-calls';
import type { Access, FactCollector } from './fact-collector';
import { HIDDEN_EFFECTS } from './hidden-effects';
import { FUNCTION_NAME_FIELDS, mentionFunction, NAMED_FUNCTIONS } from './named-functions';
import { NAMED_TABLES } from './named-tables';
import { SESSION_OBJECTS } from './session-objects';
import { dottedName, field, isNode, nodeText, type TreeNode } from '../parsing/parse-tree';
import { ROW_CHANGES } from './row-changes';
import { ROW_NAMES } from './row-names';
import { kindsOfNode } from './statement-kinds';
import type { NodeEffect, WalkContext } from './walk-context';

/** Maximum depth of function bodies inside function bodies; nobody writes deeper ones by hand. */
const MAX_BODY_DEPTH = 5;

const EFFECTS = new Map<string, NodeEffect[]>();
for (const table of [
  ROW_CHANGES,
  ROW_NAMES,
  NAMED_TABLES,
  NAMED_FUNCTIONS,
  SESSION_OBJECTS,
  HIDDEN_EFFECTS,
]) {
  for (const [name, effect] of Object.entries(table))
    EFFECTS.set(name, [...(EFFECTS.get(name) ?? []), effect]);
}

/** Nodes that only hold a value. Most nodes of a large INSERT are of this type. */
const LEAVES = new Set([
  'A_Const',
  'A_Star',
  'String',
  'Integer',
  'Float',
  'Boolean',
  'BitString',
  'ParamRef',
]);

function targetAccess(name: string, node: TreeNode): Access {
  if (name === 'InsertStmt') {
    const upsert = field(node, 'onConflictClause')['action'] === 'ONCONFLICT_UPDATE';
    return upsert || node['returningClause'] !== undefined ? 'both' : 'write';
  }
  if (name === 'CopyStmt') return node['is_from'] === true ? 'write' : 'read';
  return 'both';
}

const ROW_STATEMENTS = new Set(['InsertStmt', 'UpdateStmt', 'DeleteStmt', 'MergeStmt', 'CopyStmt']);

/**
 * Returns the access to the relations below `node[key]`. It is `read` only if the statement certainly does
 * not write to them, and `both` when uncertain.
 */
function accessBelow(name: string, node: TreeNode, key: string, here: Access): Access {
  if (here === 'definition' || name === 'ViewStmt' || name === 'RuleStmt') return 'definition';
  if (name === 'CreateTableAsStmt' && node['objtype'] === 'OBJECT_MATVIEW') return 'definition';
  if (key === 'intoClause') return 'both';
  if (ROW_STATEMENTS.has(name)) return key === 'relation' ? targetAccess(name, node) : 'read';
  if (name === 'SelectStmt') return 'read';
  return name.endsWith('Stmt') ? 'both' : here;
}

/** Returns the SelectStmt with the rows of INSERT … VALUES, which must not count as a `select`. */
function plainValues(value: unknown): TreeNode | undefined {
  const select = isNode(value) ? value['SelectStmt'] : undefined;
  const plain = isNode(select) && select['valuesLists'] !== undefined && select['op'] === 'SETOP_NONE';
  return plain ? select : undefined;
}

/**
 * Adds the tag `FuncCall` where the parser omits it, which it does in fields that contain only calls. Removes
 * the tag `SelectStmt` from the rows of INSERT … VALUES, so that they do not count as a `select`.
 */
function retagged(name: string, key: string, value: unknown): unknown {
  if (key === 'funccall') return { FuncCall: value };
  return (name === 'InsertStmt' && key === 'selectStmt' && plainValues(value)) || value;
}

/**
 * Walks a parse tree without recursion, because a long chain of operators is a deep tree. It visits every
 * object that is not known to be harmless, whatever its name.
 */
class TreeWalk implements WalkContext {
  private readonly values: unknown[] = [];
  private readonly accesses: Access[] = [];
  readonly columnCalls: ColumnCalls;
  readonly fixedArguments = new Map<TreeNode, readonly string[]>();
  renamesSettings = false;

  constructor(
    readonly facts: FactCollector,
    readonly known: Set<string> | undefined,
    private readonly parse: (text: string) => unknown,
    private readonly depth: number,
  ) {
    this.columnCalls = new ColumnCalls(facts);
    // In a function body, the x of `x.f` may be a parameter.
    if (depth > 0) this.columnCalls.open();
  }

  run(tree: unknown): void {
    this.push(tree, 'both');
    for (let value = this.values.pop(); value !== undefined; value = this.values.pop()) {
      const access = this.accesses.pop() ?? 'both';
      if (Array.isArray(value)) this.pushAll(value, access);
      else this.enterValue(value as TreeNode, access);
    }
    this.columnCalls.finish();
  }

  readBody(text: string): void {
    if (this.depth >= MAX_BODY_DEPTH) return this.facts.hide('defines functions that are nested too deeply');
    let tree: unknown;
    try {
      tree = text.trim() === '' ? undefined : this.parse(text);
    } catch {
      return this.facts.hide('defines a function whose body cannot be parsed');
    }
    new TreeWalk(this.facts, undefined, this.parse, this.depth + 1).run(tree);
  }

  private push(value: unknown, access: Access): void {
    if (typeof value !== 'object' || value === null) return;
    this.values.push(value);
    this.accesses.push(access);
  }

  private pushAll(items: readonly unknown[], access: Access): void {
    for (let index = items.length - 1; index >= 0; index -= 1) this.push(items[index], access);
  }

  /** Visits an object, such as the tagged node `{ "DeleteStmt": { … } }`. Field names begin in lower case. */
  private enterValue(value: TreeNode, access: Access): void {
    const keys = Object.keys(value);
    const [tag] = keys;
    const inner = tag === undefined || keys.length > 1 || !/^[A-Z]/.test(tag) ? undefined : value[tag];
    if (tag === undefined || !isNode(inner)) this.enter('', value, keys, access);
    else if (!LEAVES.has(tag)) this.enter(tag, inner, Object.keys(inner), access);
  }

  private enter(name: string, node: TreeNode, keys: readonly string[], access: Access): void {
    const relation = nodeText(node, 'relname');
    if (relation !== undefined) this.addRelation(node, relation, access);
    if (name !== 'RangeFunction') this.addAlias(node['alias']);
    if (name.endsWith('Stmt')) this.facts.addKinds(kindsOfNode(name, node));
    for (const effect of EFFECTS.get(name) ?? []) effect(node, this);
    for (let index = keys.length - 1; index >= 0; index -= 1) {
      const key = keys[index] ?? '';
      const value = node[key];
      if (typeof value !== 'object' || value === null) continue;
      if (key === 'intoClause') this.facts.addKinds(['create']);
      if (name !== 'FuncCall' && FUNCTION_NAME_FIELDS.has(key)) mentionFunction(dottedName(value), this);
      this.push(retagged(name, key, value), accessBelow(name, node, key, access));
    }
  }

  private addAlias(alias: unknown): void {
    const name = isNode(alias) ? nodeText(alias, 'aliasname') : undefined;
    if (name !== undefined) this.columnCalls.addRows(name);
  }

  private addRelation(node: TreeNode, relation: string, access: Access): void {
    const schema = nodeText(node, 'schemaname');
    this.columnCalls.addRows(relation);
    this.facts.addTable(schema === undefined ? [relation] : [schema, relation], access);
    if (showsSettings(node)) this.facts.addKinds(['show']);
    if (showsOtherSessions(node)) this.facts.addKinds(['other_sessions']);
  }
}

/**
 * Adds the facts of a statement's tree to `facts`. `known` has the keys of prepared statements and cursors
 * that earlier statements of the text created; this statement adds its own. `parse` reads the bodies of SQL
 * functions and may throw.
 */
export function collectFacts(
  tree: unknown,
  facts: FactCollector,
  known: Set<string>,
  parse: (text: string) => unknown,
): void {
  new TreeWalk(facts, known, parse, 0).run(tree);
}
