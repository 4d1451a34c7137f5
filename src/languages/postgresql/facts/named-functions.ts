import {
  constantText,
  defElems,
  dottedName,
  isNode,
  listOf,
  stringNode,
  nodeText,
  type TreeNode,
} from '../parsing/parse-tree';
import { fixedCalls, SETTINGS_VIEW } from './fixed-columns';
import { kindsOfColumn, kindsOfFunction } from './function-kinds';
import { columnHides, functionHides } from './hidden-functions';
import { UNKNOWN_SETTING } from './hidden-settings';
import type { NodeEffect, WalkContext } from './walk-context';

/** Fields of nodes that name a function which is called later. */
export const FUNCTION_NAME_FIELDS: ReadonlySet<string> = new Set([
  'funcname',
  'func_name',
  'handler_name',
  'plhandler',
  'plinline',
  'plvalidator',
  'objname',
  'method',
]);

/** Options of CREATE TYPE, OPERATOR and AGGREGATE that are not functions. */
const NOT_FUNCTIONS = new Set(
  (
    'leftarg rightarg basetype stype mstype subtype element like alignment storage category delimiter collation ' +
    'collatable preferred passedbyvalue internallength initcond minitcond parallel sortop commutator negator ' +
    'hypothetical subtype_opclass multirange_type_name default sspace msspace hashes merges'
  ).split(' '),
);

/** Adds a function and the kinds of statements whose effect it has: `set_config` counts as SET. */
function addFunction(names: readonly string[], { facts }: WalkContext): void {
  facts.addFunction(names);
  facts.addKinds(kindsOfFunction(names.at(-2), names.at(-1) ?? ''));
}

function addColumn(name: string, { facts }: WalkContext): void {
  facts.addFunction([name]);
  facts.addKinds(kindsOfColumn(name));
}

/** Adds a function that is named for a later call. The arguments of that call are unknown. */
export function mentionFunction(names: readonly string[] | undefined, context: WalkContext): void {
  if (names === undefined) return;
  addFunction(names, context);
  context.facts.hide(functionHides(names.at(-2), names.at(-1) ?? ''));
}

/**
 * Returns the name of a function in an option. `sfunc = s.f` is parsed as a type name, `sfunc = 'f'` as a
 * string.
 */
function optionName(arg: unknown): readonly string[] | undefined {
  if (isNode(arg) && isNode(arg['TypeName'])) return dottedName(arg['TypeName']['names']);
  return dottedName(arg);
}

const functionOptions =
  (list: string, only?: string): NodeEffect =>
  (node, context) => {
    for (const { name, arg } of defElems(node[list])) {
      const option = name.toLowerCase();
      if (only === undefined ? !NOT_FUNCTIONS.has(option) : option === only)
        mentionFunction(optionName(arg), context);
    }
  };

/** Functions that accept the name of a sequence as text. A constant name counts as a mention of it. */
const SEQUENCE_FUNCTIONS = new Set(['nextval', 'setval', 'currval']);

function addSequence(call: TreeNode, { facts }: WalkContext): void {
  const parts = constantText(listOf(call['args'])[0], facts)?.match(/"(?:[^"]|"")+"|[^".]+/g);
  const names = parts?.map((part) => part.trim().replace(/^"|"$/g, '').replaceAll('""', '"'));
  if (names !== undefined && names.length > 0) facts.addTable(names, 'both');
}

const call: NodeEffect = (node, context) => {
  const names = dottedName(node['funcname']);
  if (names === undefined) return;
  const name = names.at(-1) ?? '';
  addFunction(names, context);
  const values = context.fixedArguments.get(node);
  context.facts.hide(functionHides(names.at(-2), name, { node, facts: context.facts, values }));
  if (SEQUENCE_FUNCTIONS.has(name.toLowerCase())) addSequence(node, context);
};

/** Stores the fixed arguments of calls in a SELECT. The walk visits a SELECT before its calls. */
const fixesArguments: NodeEffect = (node, context) => {
  const { calls, values } = fixedCalls(node, 'set_config');
  for (const fixed of calls) context.fixedArguments.set(fixed, values);
  hideOtherSettings(context);
};

/** Handles a WITH query that is named `pg_settings`: its rows then replace those of the catalog view. */
const namesRows: NodeEffect = (node, context) => {
  if (nodeText(node, 'ctename') !== SETTINGS_VIEW) return;
  context.renamesSettings = true;
  hideOtherSettings(context);
};

function hideOtherSettings({ renamesSettings, fixedArguments, facts }: WalkContext): void {
  if (renamesSettings && fixedArguments.size > 0) facts.hide(UNKNOWN_SETTING);
}

/**
 * Handles `(x).f`, which PostgreSQL reads as `f(x)` if x has no field f: `('/etc/passwd').pg_read_file`
 * reads the file.
 */
const calledAsField: NodeEffect = (node, context) => {
  for (const step of listOf(node['indirection'])) {
    const name = stringNode(step);
    if (name === undefined) continue;
    addColumn(name, context);
    context.facts.hide(columnHides(name)?.reason);
  }
};

/** Handles `x.f`, which PostgreSQL reads as `f(x)` if x has no column f. */
const calledAsColumn: NodeEffect = (node, context) => {
  const fields = listOf(node['fields']).map(stringNode);
  const [qualifier, name] = fields.slice(-2);
  if (fields.length < 2 || qualifier === undefined || name === undefined) return;
  addColumn(name, context);
  context.columnCalls.addReference(qualifier, name);
};

const DEFINED_BY_FUNCTIONS = new Set(
  ['AGGREGATE', 'OPERATOR', 'TYPE', 'TSPARSER', 'TSTEMPLATE'].map((type) => `OBJECT_${type}`),
);

/** Handlers of nodes that call functions, or name functions in options for a later call. */
export const NAMED_FUNCTIONS: Readonly<Record<string, NodeEffect>> = {
  SelectStmt: fixesArguments,
  CommonTableExpr: namesRows,
  FuncCall: call,
  A_Indirection: calledAsField,
  ColumnRef: calledAsColumn,
  DefineStmt: (node, context) => {
    if (DEFINED_BY_FUNCTIONS.has(nodeText(node, 'kind') ?? '')) functionOptions('definition')(node, context);
  },
  CreateRangeStmt: functionOptions('params'),
  AlterTypeStmt: functionOptions('options'),
  AlterOperatorStmt: functionOptions('options'),
  CreateFdwStmt: functionOptions('func_options'),
  AlterFdwStmt: functionOptions('func_options'),
  CreateFunctionStmt: functionOptions('options', 'support'),
  AlterFunctionStmt: functionOptions('actions', 'support'),
};
