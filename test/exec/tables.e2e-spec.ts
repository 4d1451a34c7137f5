import { Client } from 'pg';
import { MOST_COLUMNS } from '../../src/targets/contract/table-lister';
import { describeDataPath } from '../support/describe';
import type { Person } from '../support/gateway';
import { createRule, denyWords } from '../support/guardrails';
import { secretOf } from '../support/target';
import { connectReviewed, ruleForScripts } from '../support/waiting-scripts';

interface Listed {
  readonly name: string;
  readonly tables: readonly string[];
}

/** Lists the tables that both the person and the login of the connection may use. */
describeDataPath('the tables of a connection', ({ path }) => {
  const reader = `tables_reader_${process.pid}`;

  beforeAll(async () => {
    await path.target.query(`
      CREATE SCHEMA "Stock's";
      CREATE TABLE "Stock's"."Shelf" (at int NOT NULL, "what is it" varchar(20));
      CREATE VIEW names AS SELECT name FROM customers;
      CREATE TABLE "empty" ();
      CREATE TABLE parts (day date) PARTITION BY RANGE (day);
      CREATE TABLE parts_of_2026 PARTITION OF parts FOR VALUES FROM ('2026-01-01') TO ('2027-01-01');
      CREATE ROLE ${reader} LOGIN PASSWORD 'reader';
      GRANT SELECT (name) ON customers TO ${reader};
      GRANT SELECT ON ALL TABLES IN SCHEMA "Stock's" TO ${reader};`);
  });
  afterAll(() => path.target.query(`DROP OWNED BY ${reader}; DROP ROLE ${reader}`));

  const list = (connection = 'orders', person: Person = 'alice', query = '') =>
    path.gateway.call(person, 'GET', `/connections/${connection}/tables${query}`);
  const namesIn = (answer: Awaited<ReturnType<typeof list>>) =>
    (answer.body.schemas as Listed[]).map(({ name, tables }) => [name, ...tables]);

  // promises: TABLES-1
  it('are listed with their columns, those of the default schema first', async () => {
    const { status, body } = await list();
    expect(status).toBe(200);
    const column = (column_name: string, column_type: string, not_null = false) => ({
      column_name,
      column_type,
      not_null,
    });
    expect(body).toEqual({
      schemas: [
        {
          name: 'public',
          is_default: true,
          tables: ['customers', 'empty', 'names', 'parts'],
          table_columns: [
            {
              table: 'customers',
              columns: [column('id', 'integer', true), column('name', 'text'), column('email', 'text')],
            },
            { table: 'empty', columns: [] },
            { table: 'names', columns: [column('name', 'text')] },
            { table: 'parts', columns: [column('day', 'date')] },
          ],
        },
        {
          name: "Stock's",
          is_default: false,
          tables: ['Shelf'],
          table_columns: [
            {
              table: 'Shelf',
              columns: [column('at', 'integer', true), column('what is it', 'character varying(20)')],
            },
          ],
        },
      ],
      truncated: false,
      session_id: expect.any(String),
    });
  });

  // promises: TABLES-1
  it('are those of a schema or a database, where one is named', async () => {
    expect(namesIn(await list('orders', 'alice', "?schema=Stock's"))).toEqual([["Stock's", 'Shelf']]);
    const { DB = '' } = secretOf(path.target);
    expect(namesIn(await list('orders', 'alice', `?database=${DB}&schema=public`))).toHaveLength(1);
    expect(namesIn(await list('orders', 'alice', '?database=postgres'))).toEqual([]);
    expect(namesIn(await list('orders', 'alice', "?schema=%5C'%20OR%20true--"))).toEqual([]);
    const statuses = ['?schema=', '?database=a%00', '?table=customers'].map(
      async (query) => (await list('orders', 'alice', query)).status,
    );
    expect(await Promise.all(statuses)).toEqual([400, 422, 400]);
  });

  // promises: TABLES-1
  it('are those that the login of the connection may use', async () => {
    const secret = { ...secretOf(path.target), USER: reader, PASS: 'reader' };
    await path.connect('as-reader', { secret });
    // In the other schema, the login may read a table but not use the schema, so the table is not listed.
    expect(namesIn(await list('as-reader'))).toEqual([['public', 'customers']]);
  });

  // promises: TABLES-3
  it('are listed by a script of the caller, which is recorded as what it is', async () => {
    const { body } = await list('orders', 'bob');
    const session = (await path.read(body.session_id)).body;
    expect(session).toMatchObject({
      user: 'bob@example.com',
      connection: 'orders',
      verb: 'exec',
      status: 'done',
      exit_code: 0,
      metadata: { operation: 'listTables' },
    });
    const [input, ...output] = await path.recording(body.session_id);
    expect(input).toEqual(['i', expect.stringMatching(/^WITH listed AS/)]);
    expect(output.map(([, text]) => text).join('')).toContain('public\tt\tcustomers\temail\ttext\tf\n');
  });

  // promises: TABLES-3
  it('are judged and screened by guardrails', async () => {
    const guarded = await path.connect('guarded');
    const mask = {
      rules: [{ type: 'deny_words_list', words: ['email'], pattern_regex: '', action: 'mask' }],
    };
    await createRule(path.gateway, { name: 'masks', output: mask, connection_ids: [guarded] });
    const masked = await list('guarded');
    expect([masked.status, masked.text.includes('email')]).toEqual([200, false]);
    expect(namesIn(masked)[0]).toEqual(['public', 'customers', 'empty', 'names', 'parts']);

    const input = denyWords(['pg_class'], 'The catalog is not for you.');
    await createRule(path.gateway, { name: 'denies', input, connection_ids: [guarded] });
    const denied = await list('guarded');
    expect([denied.status, denied.body.message]).toEqual([
      403,
      expect.stringContaining('The catalog is not for you.'),
    ]);
    const { data } = (await path.gateway.call('admin', 'GET', '/sessions?connection=guarded&limit=1')).body;
    expect(data[0]).toMatchObject({ exit_code: 254, metadata: { operation: 'listTables' } });

    const hidden = await path.connect('hidden-output');
    const output = denyWords(['customers'], 'Not their names.');
    await createRule(path.gateway, { name: 'hides', output, connection_ids: [hidden] });
    const blocked = await list('hidden-output');
    expect([blocked.status, blocked.text.includes('email')]).toEqual([403, false]);
  });

  // promises: TABLES-2
  it('are refused where a script would not run at once, and nobody is asked', async () => {
    await path.connect('unshown', { access_schema: 'disabled' });
    await path.connect('no-scripts', { access_mode_exec: 'disabled' });
    await connectReviewed(path, 'approved-only');
    await path.connect('with-reason');
    const reasoned = {
      connection_names: ['with-reason'],
      reason_required: true,
      skip_review_groups: ['dba'],
    };
    await ruleForScripts(path.gateway, 'with-reason', reasoned);
    await path.gateway.call('admin', 'POST', '/connections', {
      name: 'a-server',
      type: 'application',
      subtype: 'mcpproxy',
      secret: { REMOTE_URL: 'https://mcp.example.com/mcp' },
    });
    const before = await path.countSessions();
    const refused = async (connection: string, person?: Person) => {
      const { status, body } = await list(connection, person);
      return [status, body.message];
    };
    expect(await refused('unshown', 'admin')).toEqual([403, expect.stringContaining('schema')]);
    expect(await refused('no-scripts')).toEqual([403, expect.stringContaining('scripts')]);
    expect(await refused('approved-only')).toEqual([403, expect.stringContaining('approval')]);
    expect(await refused('with-reason', 'bob')).toEqual([422, expect.stringContaining('reason')]);
    expect(await refused('a-server')).toEqual([422, expect.stringContaining('mcpproxy')]);
    expect((await list('orders', 'auditor')).status).toBe(403);
    expect(await path.countSessions()).toBe(before);
    const { body } = await path.gateway.call('admin', 'GET', '/reviews');
    expect(body.pages.total).toBe(0);
  });

  // promises: TABLES-2
  it('are those of a connection that does not exist, for people who may not open it', async () => {
    await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: true } });
    await path.connect('of-dba', { access_groups: ['dba'] });
    const before = await path.countSessions();
    const said = async (connection: string) => {
      const { status, text } = await list(connection);
      return [status, text.replaceAll(connection, '…')];
    };
    expect(await said('of-dba')).toEqual(await said('of-nobody'));
    expect((await said('of-dba'))[0]).toBe(404);
    expect(await path.countSessions()).toBe(before);
    expect((await list('of-dba', 'bob')).status).toBe(200);
    await path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control: false } });
  });

  // promises: TABLES-3
  it('are those of now: a change is seen by the next who asks', async () => {
    await path.target.query('CREATE TABLE of_now (x int)');
    expect(namesIn(await list())[0]).toContain('of_now');
    await path.target.query('DROP TABLE of_now');
    expect(namesIn(await list('orders', 'bob'))[0]).not.toContain('of_now');
  });

  // promises: TABLES-4
  it('are cut where there are too many, and the answer says so', async () => {
    const columns = Array.from({ length: 1_500 }, (_, at) => `a_column_with_the_number_${at} int`).join(', ');
    await path.target.query(
      `CREATE SCHEMA wide; ${Array.from({ length: 7 }, (_, at) => `CREATE TABLE wide.t${at} (${columns})`).join('; ')}`,
    );
    const { body } = await list('orders', 'alice', '?schema=wide');
    const { table_columns: tables } = body.schemas[0] as {
      table_columns: { columns: unknown[] }[];
    };
    expect([body.truncated, tables.reduce((sum, { columns: { length } }) => sum + length, 0)]).toEqual([
      true,
      MOST_COLUMNS,
    ]);
    await path.target.query('DROP SCHEMA wide CASCADE');
  });

  // promises: TABLES-4
  it('are given up when the target does not list them, and their session ends', async () => {
    const locking = new Client({ connectionString: path.target.url });
    await locking.connect();
    try {
      await locking.query('BEGIN; LOCK pg_catalog.pg_attribute IN ACCESS EXCLUSIVE MODE');
      const { status, body } = await list('orders', 'bob');
      expect([status, body.message]).toEqual([422, expect.stringMatching(/^the tables of orders could not/)]);
    } finally {
      await locking.end();
    }
    const { data } = (await path.gateway.call('bob', 'GET', '/sessions?connection=orders&limit=1')).body;
    expect(data[0]).toMatchObject({ status: 'done', metadata: { operation: 'listTables' } });
    expect(data[0].exit_code).not.toBe(0);
  });
});
