import { ANY_TABLE } from './facts';
import { defElems, dottedName, isNode, listOf, stringNode, textOf, type TreeNode } from './parse-tree';
import type { NodeEffect, WalkContext } from './walk-context';

/** Objects that are relations: their name is the list of strings itself. */
const RELATIONS = new Set(
  ['TABLE', 'VIEW', 'MATVIEW', 'FOREIGN_TABLE', 'SEQUENCE', 'INDEX'].map((type) => `OBJECT_${type}`),
);
/** Objects that are part of a relation: the last string is the part. */
const PARTS = new Set(
  ['COLUMN', 'TABCONSTRAINT', 'TRIGGER', 'RULE', 'POLICY', 'DEFAULT'].map((type) => `OBJECT_${type}`),
);

function addOwner(names: readonly string[], { facts }: WalkContext): void {
  if (names.length > 1) facts.addTable(names.slice(0, -1), 'both');
}

/** DROP, COMMENT, SECURITY LABEL, ALTER EXTENSION and others name a relation by bare strings, not by a RangeVar. */
const namedObjects: NodeEffect = (node, context) => {
  const type = ['removeType', 'objtype', 'objectType', 'renameType']
    .map((key) => textOf(node, key))
    .find(Boolean);
  if (type === undefined) return;
  for (const object of [...listOf(node['objects']), node['object']]) {
    const names = isNode(object) ? dottedName(object['List'] === undefined ? undefined : object) : undefined;
    if (names === undefined) continue;
    if (RELATIONS.has(type)) context.facts.addTable(names, 'both');
    else if (PARTS.has(type)) addOwner(names, context);
  }
};

function anyTable({ facts }: WalkContext): void {
  facts.addTable([ANY_TABLE], 'both');
}

function anyTableOf(schema: unknown, { facts }: WalkContext): void {
  facts.addTable(typeof schema === 'string' ? [schema, ANY_TABLE] : [ANY_TABLE], 'both');
}

/** With CASCADE, dropping anything but a relation takes columns, or whole tables, of others along. */
const drop: NodeEffect = (node, context) => {
  namedObjects(node, context);
  if (node['behavior'] !== 'DROP_CASCADE' || RELATIONS.has(textOf(node, 'removeType') ?? '')) return;
  if (node['removeType'] !== 'OBJECT_SCHEMA') return anyTable(context);
  for (const schema of listOf(node['objects'])) anyTableOf(stringNode(schema), context);
};

const grant: NodeEffect = (node, context) => {
  if (node['targtype'] !== 'ACL_TARGET_ALL_IN_SCHEMA') return;
  if (node['objtype'] !== 'OBJECT_TABLE' && node['objtype'] !== 'OBJECT_SEQUENCE') return;
  for (const schema of listOf(node['objects'])) anyTableOf(stringNode(schema), context);
};

const publication: NodeEffect = (node, context) => {
  if (node['for_all_tables'] === true) anyTable(context);
  for (const item of listOf(node['pubobjects'])) {
    const spec = isNode(item) ? item['PublicationObjSpec'] : undefined;
    if (isNode(spec) && spec['pubobjtype'] !== 'PUBLICATIONOBJ_TABLE') anyTableOf(spec['name'], context);
  }
};

const ifNothingNamed =
  (name: string): NodeEffect =>
  (node, context) => {
    if (node[name] === undefined) anyTable(context);
  };

/** `OWNED BY table.column`, and the sequence an identity column is given. */
const option: NodeEffect = (node, context) => {
  const names = dottedName(node['arg']);
  if (names === undefined) return;
  if (node['defname'] === 'owned_by') addOwner(names, context);
  if (node['defname'] === 'sequence_name') context.facts.addTable(names, 'both');
};

function reindexed(node: TreeNode, context: WalkContext): void {
  if (node['kind'] === 'REINDEX_OBJECT_SCHEMA') anyTableOf(node['name'], context);
  else if (node['relation'] === undefined) anyTable(context);
}

/** Relations that stand in no RangeVar: named by strings, or not named at all (`*`). */
export const NAMED_TABLES: Readonly<Record<string, NodeEffect>> = {
  DropStmt: drop,
  CommentStmt: namedObjects,
  SecLabelStmt: namedObjects,
  AlterExtensionContentsStmt: namedObjects,
  AlterOwnerStmt: namedObjects,
  AlterObjectSchemaStmt: namedObjects,
  AlterObjectDependsStmt: namedObjects,
  RenameStmt: (node, context) => {
    namedObjects(node, context);
    if (node['renameType'] === 'OBJECT_SCHEMA') anyTableOf(node['subname'], context);
  },
  DefElem: option,
  GrantStmt: grant,
  TruncateStmt: (node, context) => {
    if (node['behavior'] === 'DROP_CASCADE') anyTable(context);
  },
  DropOwnedStmt: (_, context) => anyTable(context),
  DropdbStmt: (_, context) => anyTable(context),
  ReassignOwnedStmt: (_, context) => anyTable(context),
  AlterTableMoveAllStmt: (_, context) => anyTable(context),
  CreateSubscriptionStmt: (_, context) => anyTable(context),
  AlterSubscriptionStmt: (_, context) => anyTable(context),
  CreatedbStmt: (node, context) => {
    if (defElems(node['options']).some((given) => given.name === 'template')) anyTable(context);
  },
  CreatePublicationStmt: publication,
  AlterPublicationStmt: publication,
  VacuumStmt: ifNothingNamed('rels'),
  ClusterStmt: ifNothingNamed('relation'),
  ReindexStmt: reindexed,
};
