import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ForeignTable, foreignTables, sourceFiles, tableOwners } from '../support/table-owners';
import { moduleOf } from '../support/module-of';
import { ROOT } from '../support/root';

const root = join(ROOT, 'src');
const owners = tableOwners(readFileSync(join(root, 'platform/database/README.md'), 'utf8'));

/** Exceptions: SQL that may name tables of other modules. `in`: a file or a folder of `src`. */
const ALLOWED: readonly { readonly in: string; readonly tables: readonly string[]; readonly why: string }[] =
  [
    ...[
      'sessions/list/',
      'sessions/ledger/',
      'sessions/search/',
      'sessions/reading/',
      'sessions/evidence/',
      'sessions/retention/',
    ].map((folder) => ({
      in: folder,
      tables: ['sessions', 'session_chunks', 'session_texts', 'session_guardrail_hits'],
      why: 'the modules about sessions share the row of a session and its recording: RecordingModule exports the tables for them',
    })),
    {
      in: 'sessions/archive/archive-statements.ts',
      tables: ['sessions', 'session_chunks', 'connections'],
      why: 'what moves, and for how long it is locked, is decided by the session and its retention in the statement that claims it',
    },
    {
      in: 'sessions/search/search-branches.ts',
      tables: ['reviews', 'review_groups', 'granted_sessions', 'granted_session_groups'],
      why: 'a page of the list is one walk along the index of each table that bears the start of its session',
    },
    {
      in: 'sessions/retention/purge-statements.ts',
      tables: ['connections'],
      why: 'what is due is decided and locked in one statement, by what the connection says at that moment',
    },
    {
      in: 'sessions/retention/purge-statements.ts',
      tables: ['session_calls', 'session_archives'],
      why: 'calls and objects of a session go with its recording, in the statement that makes it unreadable',
    },
    {
      in: 'access/life/revalidation-candidates.ts',
      tables: [
        'connection_credentials',
        'reviews',
        'users',
        'user_groups',
        'api_keys',
        'connections',
        'organizations',
        'access_request_rules',
      ],
      why: 'with each heartbeat one pass by hashes, where asking each owner takes as many questions as there are credentials; it only reads',
    },
    {
      in: 'access/life/overdue-reviews.ts',
      tables: ['reviews', 'sessions'],
      why: 'one join instead of the ids of all reviews that wait, with each heartbeat; it only reads',
    },
    {
      in: 'approvals/reviews/requests/review-query.ts',
      tables: ['users'],
      why: 'one join instead of a question for each requester of what waits, with each list; it only reads',
    },
    {
      in: 'identity/auth/users/user.dto.ts',
      tables: ['scim_groups'],
      why: 'no SQL: the name of a field',
    },
    {
      in: 'operations/doctor/organization-check.ts',
      tables: ['connections', 'organizations', 'user_groups'],
      why: 'a command of its own, not the gateway: it counts what admins have opened',
    },
    {
      in: 'operations/doctor/ports-check.ts',
      tables: ['evidence_keys'],
      why: 'a command of its own, not the gateway: it asks whether a gateway that serves has the keys of this database',
    },
    {
      in: 'operations/doctor/targets-check.ts',
      tables: ['connections'],
      why: 'a command of its own, not the gateway: it opens the target of each connection',
    },
    {
      in: 'guardrails/rules/compiled-guardrails.ts',
      tables: ['connections'],
      why: 'asked for each command: the rules and the attributes of the connection are read in one statement, at one moment',
    },
    {
      in: 'guardrails/rules/guardrail-warnings.ts',
      tables: ['connections'],
      why: 'connections import guardrails, so a rule cannot ask them what its bindings and attributes reach; it only reads',
    },
    {
      in: 'operations/key-rotation/',
      tables: [
        'connections',
        'portal_sessions',
        'webhooks',
        'upstream_clients',
        'upstream_sign_in_visits',
        'upstream_tokens',
        'ssh_host_keys',
        'ssh_user_ca_keys',
        'sessions',
        'organizations',
        'audit_log',
      ],
      why: 'a command of its own, not the gateway: it seals anew whatever was sealed with an older key',
    },
    {
      in: 'integrations/webhooks/',
      tables: ['outbox'],
      why: 'the queue reads its messages from the outbox, and removes them together: a trigger of the database queues them',
    },
    {
      in: 'integrations/webhooks/delivery-retention.ts',
      tables: ['outbox', 'export_cursors'],
      why: 'an event is removed when neither a delivery nor an export needs it any more, which is asked in one statement',
    },
  ];

function isAllowed({ file, table }: ForeignTable): boolean {
  return ALLOWED.some((allowed) => file.startsWith(allowed.in) && allowed.tables.includes(table));
}

describe('the tables of the database', () => {
  const modules = new Set(sourceFiles(root).map(moduleOf));
  const found = sourceFiles(root).flatMap((file) => foreignTables(root, file, owners));

  it('have an owner each, which is a module', () => {
    const schema = readFileSync(join(root, 'platform/database/schema/schema.sql'), 'utf8');
    const tables = [...schema.matchAll(/^CREATE TABLE (\w+)/gm)].map(([, name = '']) => name);
    expect([...owners.keys()].sort()).toEqual(tables.sort());
    expect([...owners.values()].filter((module) => !modules.has(module))).toEqual([]);
  });

  it('are named by their owners only, except where a reason allows it', () => {
    const others = found.filter((use) => !isAllowed(use));
    expect(others.map(({ file, line, table, owner }) => `${file}:${line} ${table} of ${owner}`)).toEqual([]);
  });

  it('have no exception that is not needed', () => {
    const idle = ALLOWED.filter((allowed) => !found.some(({ file }) => file.startsWith(allowed.in)));
    const unused = ALLOWED.filter((allowed) => !allowed.in.endsWith('/')).flatMap((allowed) =>
      allowed.tables.filter((table) => !found.some((use) => use.file === allowed.in && use.table === table)),
    );
    expect([idle, unused]).toEqual([[], []]);
  });

  it.each([
    ["db.query('SELECT 1 FROM users WHERE id = $1')", ['users']],
    [
      'db.query(`UPDATE reviews AS r SET a = 1 FROM ${x} JOIN sessions AS s ON true`)',
      ['reviews', 'sessions'],
    ],
    ['db.query(`SELECT ${columns} FROM api_keys`)', ['api_keys']],
    ["const found = { table: 'webhooks' };", ['webhooks']],
    ["const found = ['review_groups'];", ['review_groups']],
    ["import { User } from '../../identity/auth/users/user.entity';", ['users']],
    ["import type { User } from '../../identity/auth/users/user.entity';", []],
    ["if (table === 'user_groups') return;", []],
    ["class A { @AnsweredFromMemory('user_groups') list() {} }", []],
    ["throw new AppError('not_found', 'take it from users');", []],
    ["db.query('SELECT 1 FROM attributes')", []],
  ])('are found in %s', (text, tables) => {
    const uses = foreignTables(root, 'connections/attributes/made-up.ts', owners, text);
    expect(uses.map(({ table }) => table)).toEqual(tables);
  });
});
