import type { SessionObject } from './facts';
import { dottedName, field, nodeText, type TreeNode } from '../parsing/parse-tree';
import type { NodeEffect, WalkContext } from './walk-context';

/** Returns the key of an object within its session. Objects of different kinds may have the same name. */
export function sessionKey({ kind, name }: SessionObject): string {
  return `${kind} ${name}`;
}

function make(kind: SessionObject['kind'], name: string | undefined, { facts, known }: WalkContext): void {
  if (name === undefined) return;
  facts.addMade(kind, name);
  known?.add(sessionKey({ kind, name }));
}

function use(object: SessionObject, hidden: string, { facts, known }: WalkContext): void {
  if (known?.has(sessionKey(object)) === true) return;
  facts.addUse(object.kind, object.name);
  facts.hide(hidden);
}

const relation =
  (...path: string[]): NodeEffect =>
  (node, context) => {
    const named = path.reduce<TreeNode>((inside, key) => field(inside, key), node);
    make('table', nodeText(named, 'relname'), context);
  };

const into = relation('intoClause', 'rel');

/** Handlers of nodes that create objects which a session keeps, and of nodes that use these objects. */
export const SESSION_OBJECTS: Readonly<Record<string, NodeEffect>> = {
  DeclareCursorStmt: (node, context) => make('cursor', nodeText(node, 'portalname'), context),
  FetchStmt: (node, context) =>
    use(
      { kind: 'cursor', name: nodeText(node, 'portalname') ?? '' },
      'fetches from a cursor declared elsewhere',
      context,
    ),
  PrepareStmt: (node, context) => make('prepared', nodeText(node, 'name') ?? '', context),
  ExecuteStmt: (node, context) =>
    use(
      { kind: 'prepared', name: nodeText(node, 'name') ?? '' },
      'executes a statement prepared elsewhere',
      context,
    ),
  CreateStmt: relation('relation'),
  CreateTableAsStmt: relation('into', 'rel'),
  SelectStmt: into,
  ViewStmt: relation('view'),
  CreateFunctionStmt: (node, context) => make('function', dottedName(node['funcname'])?.at(-1), context),
};
