import { defElems, field, isNode, listOf, nodeText, type TreeNode } from '../parsing/parse-tree';

/**
 * Kinds of statements, as a `sql_statement` rule names them. Values are only added, never removed or
 * changed, because a stored rule must keep its meaning. Statements of the kind `other_sessions` show what
 * other sessions of the server do, or end them. The server allows this, because all people use the account
 * of the connection. Statements of the kind `set_role` change the role of the session.
 */
export const STATEMENT_KINDS = [
  'select',
  'insert',
  'update',
  'delete',
  'merge',
  'truncate',
  'copy',
  'copy_program',
  'copy_file',
  'create',
  'alter',
  'drop',
  'import_foreign_schema',
  'comment',
  'security_label',
  'refresh',
  'grant',
  'revoke',
  'set',
  'reset',
  'show',
  'discard',
  'load',
  'do',
  'call',
  'prepare',
  'execute',
  'deallocate',
  'explain',
  'declare_cursor',
  'fetch',
  'close',
  'lock',
  'vacuum',
  'analyze',
  'cluster',
  'reindex',
  'checkpoint',
  'listen',
  'notify',
  'unlisten',
  'begin',
  'commit',
  'rollback',
  'savepoint',
  'release',
  'prepare_transaction',
  'other',
  'other_sessions',
  'set_role',
] as const;
export type StatementKind = (typeof STATEMENT_KINDS)[number];

type Kinds = readonly StatementKind[];

/** `…Stmt` nodes that only contain other nodes. They have no kind of their own. */
const CARRIERS = new Set([
  'RawStmt',
  'SetOperationStmt',
  'ReturnStmt',
  'PLAssignStmt',
  'ReplicaIdentityStmt',
]);

/** Nodes whose kind does not follow from the first word of their name (`Create…`, `Alter…`, `Drop…`). */
const NAMED: Readonly<Record<string, Kinds>> = {
  SelectStmt: ['select'],
  InsertStmt: ['insert'],
  UpdateStmt: ['update'],
  DeleteStmt: ['delete'],
  TruncateStmt: ['truncate'],
  CompositeTypeStmt: ['create'],
  DefineStmt: ['create'],
  IndexStmt: ['create'],
  RuleStmt: ['create'],
  ViewStmt: ['create'],
  ImportForeignSchemaStmt: ['import_foreign_schema', 'create'],
  RenameStmt: ['alter'],
  ReassignOwnedStmt: ['alter'],
  CommentStmt: ['comment'],
  SecLabelStmt: ['security_label'],
  RefreshMatViewStmt: ['refresh'],
  VariableShowStmt: ['show'],
  ConstraintsSetStmt: ['set'],
  LoadStmt: ['load'],
  DoStmt: ['do'],
  CallStmt: ['call'],
  PrepareStmt: ['prepare'],
  ExecuteStmt: ['execute'],
  DeallocateStmt: ['deallocate'],
  ExplainStmt: ['explain'],
  DeclareCursorStmt: ['declare_cursor'],
  FetchStmt: ['fetch'],
  ClosePortalStmt: ['close'],
  LockStmt: ['lock'],
  ClusterStmt: ['cluster'],
  ReindexStmt: ['reindex'],
  CheckPointStmt: ['checkpoint'],
  ListenStmt: ['listen'],
  NotifyStmt: ['notify'],
  UnlistenStmt: ['unlisten'],
};

const TRANSACTION: Readonly<Record<string, StatementKind>> = {
  TRANS_STMT_BEGIN: 'begin',
  TRANS_STMT_START: 'begin',
  TRANS_STMT_COMMIT: 'commit',
  TRANS_STMT_COMMIT_PREPARED: 'commit',
  TRANS_STMT_ROLLBACK: 'rollback',
  TRANS_STMT_ROLLBACK_TO: 'rollback',
  TRANS_STMT_ROLLBACK_PREPARED: 'rollback',
  TRANS_STMT_SAVEPOINT: 'savepoint',
  TRANS_STMT_RELEASE: 'release',
  TRANS_STMT_PREPARE: 'prepare_transaction',
};

const MERGE_ACTION: Readonly<Record<string, StatementKind>> = {
  CMD_INSERT: 'insert',
  CMD_UPDATE: 'update',
  CMD_DELETE: 'delete',
};

/** `CREATE ROLE … IN ROLE` and `ALTER GROUP … ADD USER` grant memberships without the word GRANT. */
const MEMBERSHIP_OPTIONS = new Set(['rolemembers', 'adminmembers', 'addroleto']);

function changesMembership(node: TreeNode): boolean {
  return defElems(node['options']).some((option) => MEMBERSHIP_OPTIONS.has(option.name));
}

function copyKinds(node: TreeNode): Kinds {
  const kinds: StatementKind[] = ['copy'];
  if (node['is_program'] === true) kinds.push('copy_program');
  else if (node['filename'] !== undefined) kinds.push('copy_file');
  // COPY moves rows like INSERT or SELECT, so a rule against INSERT or SELECT also applies to COPY.
  if (isNode(node['relation'])) kinds.push(node['is_from'] === true ? 'insert' : 'select');
  return kinds;
}

function mergeKinds(node: TreeNode): Kinds {
  const actions = listOf(node['mergeWhenClauses']).flatMap((clause) => {
    if (!isNode(clause)) return [];
    const kind = MERGE_ACTION[nodeText(field(clause, 'MergeWhenClause'), 'commandType') ?? ''];
    return kind === undefined ? [] : [kind];
  });
  return ['merge', ...actions];
}

function grantKinds(node: TreeNode): Kinds {
  return [node['is_grant'] === true ? 'grant' : 'revoke'];
}

function vacuumKinds(node: TreeNode): Kinds {
  if (node['is_vacuumcmd'] !== true) return ['analyze'];
  return defElems(node['options']).some((option) => option.name === 'analyze')
    ? ['vacuum', 'analyze']
    : ['vacuum'];
}

/** Returns the additional kinds of a statement that changes this setting. */
export function roleKinds(setting: string): Kinds {
  return /^(role|session_authorization)$/i.test(setting) ? ['set_role'] : [];
}

/** For each node whose kinds depend on its content: a function that returns the kinds. */
const BY_CONTENT: Readonly<Record<string, (node: TreeNode) => Kinds>> = {
  // An upsert changes existing rows, so a rule against UPDATE must apply.
  InsertStmt: (node) =>
    field(node, 'onConflictClause')['action'] === 'ONCONFLICT_UPDATE' ? ['insert', 'update'] : ['insert'],
  MergeStmt: mergeKinds,
  CopyStmt: copyKinds,
  GrantStmt: grantKinds,
  GrantRoleStmt: grantKinds,
  AlterDefaultPrivilegesStmt: (node) => ['alter', ...grantKinds(field(node, 'action'))],
  CreateRoleStmt: (node) => (changesMembership(node) ? ['create', 'grant'] : ['create']),
  AlterRoleStmt: (node) => {
    if (!changesMembership(node)) return ['alter'];
    return ['alter', node['action'] === -1 ? 'revoke' : 'grant'];
  },
  TransactionStmt: (node) => [TRANSACTION[nodeText(node, 'kind') ?? ''] ?? 'other'],
  VacuumStmt: vacuumKinds,
  VariableSetStmt: (node) => [nodeText(node, 'kind')?.startsWith('VAR_RESET') === true ? 'reset' : 'set'],
  // DISCARD ALL has the effect of SET SESSION AUTHORIZATION DEFAULT.
  DiscardStmt: (node) => (nodeText(node, 'target') === 'DISCARD_ALL' ? ['discard', 'set_role'] : ['discard']),
};

function byFirstWord(nodeName: string): Kinds {
  if (nodeName.startsWith('Create')) return ['create'];
  if (nodeName.startsWith('Alter')) return ['alter'];
  if (nodeName.startsWith('Drop')) return ['drop'];
  return ['other'];
}

/**
 * Returns the kinds of one statement node by its name in PostgreSQL's tree, and by its content if the kind
 * depends on it. An unknown name has the kind `other`.
 */
export function kindsOfNode(nodeName: string, node: TreeNode): Kinds {
  if (CARRIERS.has(nodeName)) return [];
  return BY_CONTENT[nodeName]?.(node) ?? NAMED[nodeName] ?? byFirstWord(nodeName);
}
