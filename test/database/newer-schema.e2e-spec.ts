import { Client } from 'pg';
import { migrate } from '../../src/platform/database/schema/migrate';
import { migrations } from '../../src/platform/database/migrations';
import { describeScoped } from '../support/describe';
import type { Answer } from '../support/gateway';
import {
  NEXT_MIGRATION,
  type NextVersion,
  migrateByNextVersion,
  renamed,
  undoNextVersion,
  withRequiredColumn,
} from '../support/next-version';
import { startWorld } from '../support/operation-world';
import { type Operation, briefly, operations } from '../support/operations';
import { undoDownTo } from '../support/undo-migrations';
import { IS_LONG, someOf } from '../support/volume';

/** Tables that sign-in needs. Without them, no request would reach the other tables. */
const SIGN_IN = ['organizations', 'users', 'user_groups', 'groups', 'api_keys'];
const UNTOUCHED = ['schema_migrations', ...SIGN_IN];
const reads = operations.filter(({ method }) => method === 'GET');

describeScoped('a gateway whose database is migrated by a newer version while it runs', (begin) => {
  const world = begin(startWorld);
  let tables: readonly string[];

  beforeAll(async () => {
    const rows = await world.gateway.database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace
       AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY relname`,
    );
    tables = rows.map(({ name }) => name).filter((name) => !UNTOUCHED.includes(name));
  });

  // Each test makes some webhooks, and there may be only 50. The world needs its own, which is the oldest.
  afterEach(async () => {
    await world.gateway.database.query(
      'DELETE FROM webhooks WHERE id <> (SELECT id FROM webhooks ORDER BY created_at LIMIT 1)',
    );
  });

  /** Sends all operations, each to a resource that was created before the migration. Returns the answers. */
  async function answersOf(
    next: NextVersion,
    asked: readonly Operation[] = operations,
  ): Promise<(readonly [Operation, Answer])[]> {
    const made: (readonly [Operation, string, object | undefined])[] = [];
    for (const operation of asked) {
      const id = await world.make(operation);
      made.push([operation, id, world.body(operation.id, id)]);
    }
    await migrateByNextVersion(world.gateway.database, next);
    try {
      const answers: (readonly [Operation, Answer])[] = [];
      for (const [operation, id, body] of made) {
        const query = briefly(operation.path);
        answers.push([operation, await world.send(operation, { id, body, query })]);
      }
      return answers;
    } finally {
      await undoNextVersion(world.gateway.database, next);
    }
  }

  /** Operations with a 5xx status whose answer does not ask to upgrade the gateway. */
  const failed = (answers: readonly (readonly [Operation, Answer])[]) =>
    answers
      .filter(([, { status }]) => status >= 500)
      .filter(([, { status, headers, text }]) => {
        const isTold =
          status === 503 && headers.get('retry-after') === '30' && /upgrade this gateway/.test(text);
        return !isTold;
      })
      .map(([{ id }, { status, text }]) => `${id}: ${status} ${text}`);

  const unavailable = (answers: readonly (readonly [Operation, Answer])[]) =>
    answers.filter(([, { status }]) => status === 503).length;

  // promises: UPGRADE-3
  it('answers 503 in words where a table is gone, and nothing with 500', async () => {
    const answers = await answersOf(renamed(tables));
    expect(failed(answers)).toEqual([]);
    expect(unavailable(answers)).toBeGreaterThan(operations.length / 2);
  });

  // promises: UPGRADE-3
  it('answers 503 in words where a new column must be filled', async () => {
    const answers = await answersOf(withRequiredColumn(tables));
    expect(failed(answers)).toEqual([]);
    expect(unavailable(answers)).toBeGreaterThan(10);
  });

  // promises: UPGRADE-3
  it('answers 503 in words where nobody can be identified any more', async () => {
    const answers = await answersOf(renamed(SIGN_IN));
    expect(failed(answers)).toEqual([]);
    // Some requests still succeed, because a signed-in user stays signed in for a while.
    expect(unavailable(answers)).toBeGreaterThan(20);
  });

  // promises: UPGRADE-3
  it('stays in service, with a warning, while nothing that it needs has changed', async () => {
    const additions = {
      up: ['ALTER TABLE sessions ADD COLUMN next_column text', 'CREATE TABLE next_table (id integer)'],
      down: ['ALTER TABLE sessions DROP COLUMN next_column', 'DROP TABLE next_table'],
    };
    const answers = await answersOf(additions, reads);
    expect(answers.filter(([, { status }]) => status >= 500).map(([{ id }]) => id)).toEqual([]);
    const ready = answers.find(([{ id }]) => id === 'getReadiness')?.[1];
    expect(ready?.body.warnings).toEqual([expect.stringContaining(NEXT_MIGRATION)]);
  });

  const alone = ['connections', 'sessions', 'reviews', 'users', 'guardrail_rules', 'outbox', 'row_totals'];

  // promises: UPGRADE-3
  it.each(someOf(alone, alone.length))(
    'answers 503 in words, or as before, where %s is gone',
    async (table) => {
      expect(failed(await answersOf(renamed([table]), IS_LONG ? operations : reads))).toEqual([]);
    },
  );

  // promises: UPGRADE-3
  it('says so to clients of PostgreSQL and MCP, too', async () => {
    const { gateway } = world;
    const { body } = await gateway.call('admin', 'POST', '/connections/orders/credentials', {});
    const { username, password, database_name } = body.connection_credentials;
    const enter = async (): Promise<unknown> => {
      const port = Number(gateway.variables['POSTGRES_PROXY_PORT']);
      const way = { host: '127.0.0.1', port, user: username, password, database: database_name };
      const client = new Client(way);
      // Ignored here, because `connect` and `query` reject when the connection is lost.
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query('SELECT 1 AS one')).rows;
      } catch (error) {
        const { code, message } = error as { code?: string; message: string };
        return [code, message];
      } finally {
        await client.end().catch(() => undefined);
      }
    };
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    };
    expect(await enter()).toEqual([{ one: 1 }]);
    const next = renamed(['connections', 'connection_credentials']);
    await migrateByNextVersion(gateway.database, next);
    try {
      expect(await enter()).toEqual([
        '57P03',
        expect.stringMatching(/^This gateway is older than its database/),
      ]);
      const answer = await gateway.call('admin', 'POST', '/mcp/none', initialize, {
        accept: 'application/json, text/event-stream',
      });
      expect([answer.status, answer.headers.get('retry-after'), answer.body]).toEqual([
        503,
        '30',
        {
          jsonrpc: '2.0',
          id: 1,
          error: { code: 503, message: expect.stringMatching(/^this gateway is older than its database/) },
        },
      ]);
    } finally {
      await undoNextVersion(gateway.database, next);
    }
    expect(await enter()).toEqual([{ one: 1 }]);
  });

  // promises: UPGRADE-3
  it('leaves a statement that does not fit what it is, a fault, where the schema is that of the gateway', async () => {
    const { gateway } = world;
    await gateway.database.query('ALTER TABLE attributes RENAME TO next_attributes');
    try {
      const { status, body } = await gateway.call('admin', 'GET', '/attributes?page_size=7');
      expect([status, body]).toEqual([500, { message: 'internal error' }]);
    } finally {
      await gateway.database.query('ALTER TABLE next_attributes RENAME TO attributes');
    }
  });

  // promises: READY-1, UPGRADE-3
  it('is not ready while the schema is older, and says what to do', async () => {
    const { gateway } = world;
    const newest = migrations[migrations.length - 1] as (typeof migrations)[number];
    await undoDownTo(gateway.database, newest);
    try {
      const ready = await gateway.call(null, 'GET', '/readyz');
      expect([ready.status, ready.body]).toEqual([
        503,
        {
          message: `the schema of the database is older than this gateway (${newest.name} not run): restart this gateway, which migrates it`,
        },
      ]);
    } finally {
      await migrate(gateway.database.url);
    }
    expect((await gateway.call(null, 'GET', '/readyz')).body).toEqual({ status: 'ok', warnings: [] });
  });
});
