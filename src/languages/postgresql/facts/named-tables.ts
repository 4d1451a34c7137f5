import {
  defElems,
  dottedName,
  isNode,
  listOf,
  stringNode,
  nodeText,
  type TreeNode,
} from '../parsing/parse-tree';
import { droppedBy, ownedBy, type Reach, truncatedBy } from './reach';
import type { NodeEffect, WalkContext } from './walk-context';

/** Object types that are relations. Their name is a list of strings. */
const RELATIONS = new Set(
  ['TABLE', 'VIEW', 'MATVIEW', 'FOREIGN_TABLE', 'SEQUENCE', 'INDEX'].map((type) => `OBJECT_${type}`),
);
/** Object types that are parts of a relation. The last string of a name is the part. */
const PARTS = new Set(
  ['COLUMN', 'TABCONSTRAINT', 'TRIGGER', 'RULE', 'POLICY', 'DEFAULT'].map((type) => `OBJECT_${type}`),
);

function addOwner(names: readonly string[], { facts }: WalkContext): void {
  if (names.length > 1) facts.addTable(names.slice(0, -1), 'both');
}

/** Handles DROP, COMMENT, SECURITY LABEL and others, which name relations by strings, not by RangeVar. */
const namedObjects: NodeEffect = (node, context) => {
  const type = ['removeType', 'objtype', 'objectType', 'renameType']
    .map((key) => nodeText(node, key))
    .find(Boolean);
  if (type === undefined) return;
  for (const object of [...listOf(node['objects']), node['object']]) {
    const names = isNode(object) ? dottedName(object['List'] === undefined ? undefined : object) : undefined;
    if (names === undefined) continue;
    if (RELATIONS.has(type)) context.facts.addTable(names, 'both');
    else if (PARTS.has(type)) addOwner(names, context);
  }
};

/** Adds a mention of any table, without a catalog query that could find the tables. */
function anyTable({ facts }: WalkContext): void {
  facts.addAnyTable(undefined);
}

function anyTableOf(schema: unknown, { facts }: WalkContext): void {
  facts.addAnyTable(typeof schema === 'string' ? schema : undefined);
}

/**
 * Adds a mention of any table, with the catalog query that finds the tables that are meant. A function body
 * gets no query, because it runs later, when the catalog may have changed.
 */
function reach(question: Reach | undefined, { facts, known }: WalkContext): void {
  const askable = known === undefined ? undefined : question;
  if (askable?.kind === 'in schemas') for (const name of askable.names) facts.addAnyTable(name, askable);
  else facts.addAnyTable(undefined, askable);
}

function reachSchemas(names: readonly unknown[], context: WalkContext): void {
  const schemas = names.filter((name) => typeof name === 'string');
  reach(schemas.length === names.length ? { kind: 'in schemas', names: schemas } : undefined, context);
}

/**
 * With CASCADE, dropping an object other than a relation also drops columns or whole tables that depend on
 * it. An extension always drops its own objects. Without CASCADE, dependent objects make DROP fail.
 */
const drop: NodeEffect = (node, context) => {
  namedObjects(node, context);
  const type = nodeText(node, 'removeType') ?? '';
  if (RELATIONS.has(type)) return;
  if (node['behavior'] === 'DROP_CASCADE' || type === 'OBJECT_EXTENSION') reach(droppedBy(node), context);
};

const grant: NodeEffect = (node, context) => {
  if (node['targtype'] !== 'ACL_TARGET_ALL_IN_SCHEMA') return;
  if (node['objtype'] !== 'OBJECT_TABLE' && node['objtype'] !== 'OBJECT_SEQUENCE') return;
  reachSchemas(
    listOf(node['objects']).map((schema) => stringNode(schema)),
    context,
  );
};

const publication: NodeEffect = (node, context) => {
  if (node['for_all_tables'] === true) anyTable(context);
  for (const item of listOf(node['pubobjects'])) {
    const spec = isNode(item) ? item['PublicationObjSpec'] : undefined;
    if (isNode(spec) && spec['pubobjtype'] !== 'PUBLICATIONOBJ_TABLE') anyTableOf(spec['name'], context);
  }
};

const ifNothingNamed =
  (name: string, question: Reach): NodeEffect =>
  (node, context) => {
    if (node[name] === undefined) reach(question, context);
  };

/** Adds the table of `OWNED BY table.column`, and the sequence that an identity column names. */
const option: NodeEffect = (node, context) => {
  const names = dottedName(node['arg']);
  if (names === undefined) return;
  if (node['defname'] === 'owned_by') addOwner(names, context);
  if (node['defname'] === 'sequence_name') context.facts.addTable(names, 'both');
};

function reindexed(node: TreeNode, context: WalkContext): void {
  if (node['kind'] === 'REINDEX_OBJECT_SCHEMA') reachSchemas([node['name']], context);
  else if (node['kind'] === 'REINDEX_OBJECT_SYSTEM') anyTableOf('pg_catalog', context);
  else if (node['relation'] === undefined) reach({ kind: 'all' }, context);
}

/** Handlers of nodes whose relations have no RangeVar: they are named by strings, or not at all (`*`). */
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
    if (node['renameType'] === 'OBJECT_SCHEMA') reachSchemas([node['subname']], context);
  },
  DefElem: option,
  GrantStmt: grant,
  TruncateStmt: (node, context) => {
    if (node['behavior'] === 'DROP_CASCADE') reach(truncatedBy(node), context);
  },
  DropOwnedStmt: (node, context) => reach(ownedBy(node, true), context),
  DropdbStmt: (_, context) => anyTable(context),
  ReassignOwnedStmt: (node, context) => reach(ownedBy(node, false), context),
  AlterTableMoveAllStmt: (node, context) => {
    const name = nodeText(node, 'orig_tablespacename');
    reach(name === undefined ? undefined : { kind: 'in tablespace', name }, context);
  },
  CreateSubscriptionStmt: (_, context) => anyTable(context),
  AlterSubscriptionStmt: (_, context) => anyTable(context),
  CreatedbStmt: (node, context) => {
    if (defElems(node['options']).some((given) => given.name === 'template')) anyTable(context);
  },
  CreatePublicationStmt: publication,
  AlterPublicationStmt: publication,
  VacuumStmt: ifNothingNamed('rels', { kind: 'all' }),
  ClusterStmt: ifNothingNamed('relation', { kind: 'clustered' }),
  ReindexStmt: reindexed,
};
