import {
  constantText,
  defElems,
  dottedName,
  field,
  listOf,
  stringNode,
  nodeText,
  type TreeNode,
} from '../parsing/parse-tree';
import { viewHides } from './catalog-relations';
import { isTellingSchema } from './hidden-functions';
import { settingHides } from './hidden-settings';
import { roleKinds } from './statement-kinds';
import type { NodeEffect, WalkContext } from './walk-context';

const always =
  (reason: string): NodeEffect =>
  (_, { facts }) =>
    facts.hide(reason);

function hideSetting(setting: TreeNode, { facts }: WalkContext): void {
  const args = listOf(setting['args']);
  const value = args.length === 1 ? constantText(args[0], facts) : undefined;
  const name = nodeText(setting, 'name') ?? '';
  facts.addKinds(roleKinds(name));
  facts.hide(settingHides(name, value));
}

const settingInside: NodeEffect = (node, context) => hideSetting(field(node, 'setstmt'), context);

/**
 * Reads the body of a function. The body is SQL only if the language is `sql` and the body is a single
 * string. The language name is case-sensitive: `LANGUAGE 'SQL'` is another language.
 */
const functionBody: NodeEffect = (node, context) => {
  const options = defElems(node['options']);
  const bodies = options.filter((option) => option.name === 'as');
  if (bodies.length === 0) return;
  const languages = options
    .filter((option) => option.name === 'language')
    .map((option) => stringNode(option.arg));
  const texts = dottedName(bodies[0]?.arg);
  const [language, text] = [languages[0], texts?.[0]];
  if (
    language !== 'sql' ||
    languages.length > 1 ||
    bodies.length > 1 ||
    texts?.length !== 1 ||
    text === undefined
  ) {
    return context.facts.hide('defines a function in a language other than SQL');
  }
  context.readBody(text);
};

const FOREIGN = 'reads or writes what a foreign server is told in options';

/** Adds kinds for options of file_fdw: `program` has the effect of COPY … FROM PROGRAM. */
function foreignOptions(options: unknown, { facts }: WalkContext): void {
  for (const option of defElems(options)) {
    if (option.name === 'program') facts.addKinds(['copy_program']);
    if (option.name === 'filename') facts.addKinds(['copy_file']);
  }
}

const foreignTable: NodeEffect = (node, context) => {
  context.facts.hide(FOREIGN);
  foreignOptions(node['options'], context);
};

const alteredOptions: NodeEffect = (node, context) => {
  const subtype = nodeText(node, 'subtype');
  if (subtype !== 'AT_GenericOptions' && subtype !== 'AT_AlterColumnGenericOptions') return;
  context.facts.hide(FOREIGN);
  foreignOptions(node['def'], context);
};

const MOVES_FUNCTIONS = 'changes the schema of functions that run what they are given';

const BRINGS_CODE = 'brings in code that is not in this text';

/** Handlers of nodes with an immediate or later effect that the text of the statement does not show. */
export const HIDDEN_EFFECTS: Readonly<Record<string, NodeEffect>> = {
  DoStmt: always('runs a block of procedural code'),
  CreateFunctionStmt: functionBody,
  VariableSetStmt: hideSetting,
  AlterSystemStmt: settingInside,
  AlterRoleSetStmt: settingInside,
  AlterDatabaseSetStmt: settingInside,
  LoadStmt: always(BRINGS_CODE),
  CreateExtensionStmt: always(BRINGS_CODE),
  AlterExtensionStmt: always(BRINGS_CODE),
  CreatePLangStmt: always(BRINGS_CODE),
  RenameStmt: (node, { facts }) => {
    if (node['renameType'] === 'OBJECT_LANGUAGE') facts.hide('changes what a language name stands for');
    if (node['renameType'] === 'OBJECT_SCHEMA' && isTellingSchema(nodeText(node, 'subname') ?? ''))
      facts.hide(MOVES_FUNCTIONS);
  },
  AlterObjectSchemaStmt: (node, { facts }) => {
    if (node['objectType'] === 'OBJECT_EXTENSION') facts.hide(MOVES_FUNCTIONS);
  },
  CreateCastStmt: (node, { facts }) => {
    if (node['context'] === 'COERCION_IMPLICIT') facts.hide('makes calls happen that no text shows');
  },
  ViewStmt: (node, { facts }) => facts.hide(viewHides(node['query'])),
  RuleStmt: (node, { facts }) => {
    if (node['event'] !== 'CMD_SELECT') return;
    for (const action of listOf(node['actions'])) facts.hide(viewHides(action));
  },
  ImportForeignSchemaStmt: always(FOREIGN),
  CreateForeignTableStmt: foreignTable,
  CreateForeignServerStmt: foreignTable,
  AlterForeignServerStmt: foreignTable,
  AlterTableCmd: alteredOptions,
  CreateSubscriptionStmt: always('takes rows from another server'),
  AlterSubscriptionStmt: always('takes rows from another server'),
};
