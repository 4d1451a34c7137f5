import { dottedName, isNode, listOf, stringNode, nodeText, type TreeNode } from '../parsing/parse-tree';

/** Object types, other than relations, on which columns, views and whole tables may depend. */
export const DROPPED = {
  OBJECT_TYPE: 'type',
  OBJECT_DOMAIN: 'type',
  OBJECT_SCHEMA: 'schema',
  OBJECT_EXTENSION: 'extension',
  OBJECT_FUNCTION: 'function',
  OBJECT_PROCEDURE: 'function',
  OBJECT_ROUTINE: 'function',
  OBJECT_AGGREGATE: 'function',
  OBJECT_OPERATOR: 'operator',
  OBJECT_COLLATION: 'collation',
  OBJECT_LANGUAGE: 'language',
  OBJECT_FOREIGN_SERVER: 'server',
  OBJECT_FDW: 'wrapper',
} as const;
export type Dropped = (typeof DROPPED)[keyof typeof DROPPED];

/** A name of the form `[schema.]name`. */
export interface ObjectName {
  readonly schema?: string;
  readonly name: string;
}

/**
 * A query to the target's catalog for tables that a statement touches without naming them. A name without a
 * schema stands for all objects with this name. Plain data.
 */
export type Reach =
  /** Everything that DROP removes together with these objects. */
  | { readonly kind: 'dropped'; readonly of: Dropped; readonly names: readonly ObjectName[] }
  /** These tables, their partitions, and tables that reference them. */
  | { readonly kind: 'truncated'; readonly names: readonly ObjectName[] }
  | { readonly kind: 'in schemas'; readonly names: readonly string[] }
  | { readonly kind: 'in tablespace'; readonly name: string }
  /** Objects that these roles own or have privileges on. With `isDropped`, also their dependent objects. */
  | { readonly kind: 'owned'; readonly roles: readonly string[]; readonly isDropped: boolean }
  /** Tables that were clustered before, which CLUSTER without a name clusters again. */
  | { readonly kind: 'clustered' }
  | { readonly kind: 'all' };

/** Returns the query for the objects that a DROP removes; undefined if the catalog cannot find them. */
export function droppedBy(node: TreeNode): Reach | undefined {
  const of = DROPPED[(nodeText(node, 'removeType') ?? '') as keyof typeof DROPPED] as Dropped | undefined;
  const names = listOf(node['objects']).map((object) => objectName(object));
  return of === undefined || names.length === 0 || names.includes(undefined)
    ? undefined
    : { kind: 'dropped', of, names: names.filter((name) => name !== undefined) };
}

export function truncatedBy(node: TreeNode): Reach | undefined {
  const names = listOf(node['relations']).map((relation) => {
    const range = isNode(relation) && isNode(relation['RangeVar']) ? relation['RangeVar'] : {};
    return named(['schemaname', 'relname'].flatMap((key) => nodeText(range, key) ?? []));
  });
  return names.includes(undefined)
    ? undefined
    : { kind: 'truncated', names: names.filter((name) => name !== undefined) };
}

/** Returns the query for objects of roles; undefined for roles that only the session knows (CURRENT_USER). */
export function ownedBy(node: TreeNode, isDropped: boolean): Reach | undefined {
  const roles = listOf(node['roles']).map((role) => {
    const spec = isNode(role) && isNode(role['RoleSpec']) ? role['RoleSpec'] : {};
    return spec['roletype'] === 'ROLESPEC_CSTRING' ? nodeText(spec, 'rolename') : undefined;
  });
  return roles.includes(undefined)
    ? undefined
    : { kind: 'owned', roles: roles.filter((role) => role !== undefined), isDropped };
}

/** Returns the name of an object without its arguments. */
function objectName(object: unknown): ObjectName | undefined {
  if (!isNode(object)) return undefined;
  const single = stringNode(object);
  if (single !== undefined) return { name: single };
  const typeName = isNode(object['TypeName']) ? dottedName(object['TypeName']['names']) : undefined;
  const withArgs = isNode(object['ObjectWithArgs'])
    ? dottedName(object['ObjectWithArgs']['objname'])
    : undefined;
  return named(typeName ?? withArgs ?? (object['List'] === undefined ? [] : (dottedName(object) ?? [])));
}

function named(names: readonly string[]): ObjectName | undefined {
  const [name, schema] = [names.at(-1), names.at(-2)];
  if (name === undefined) return undefined;
  return schema === undefined ? { name } : { schema, name };
}
