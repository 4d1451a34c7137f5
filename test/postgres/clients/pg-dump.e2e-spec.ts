import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRule } from '../../support/guardrails';
import { psql, variables } from '../../support/psql';
import { entries } from '../../support/guarded-path';
import {
  type SystemPostgres,
  describeWithSystemPostgres,
  startSystemPostgres,
} from '../../support/system-postgres';
import { connect } from '../../support/target';
import { type Way, type WirePath, startWirePath } from '../../support/wire-path';

jest.setTimeout(240_000);

const TABLES = `
  CREATE TABLE customers (id bigint PRIMARY KEY, name text, tags text[], born date);
  CREATE TABLE orders (id serial PRIMARY KEY, customer_id bigint REFERENCES customers, note jsonb);
  CREATE VIEW named AS SELECT name FROM customers;
  CREATE FUNCTION twice(int) RETURNS int LANGUAGE sql AS 'SELECT $1 * 2';
  INSERT INTO customers VALUES (1, 'Müller', '{a,b}', '2000-01-01'), (2, E'O''Neil\\t\\\\', NULL, NULL);
  INSERT INTO orders (customer_id, note) SELECT 1, '{"n": 1}' FROM generate_series(1, 50);
  COMMENT ON TABLE orders IS 'größe';
`;

// promises: PROXY-1
describeWithSystemPostgres('pg_dump with a rule on statements', () => {
  let server: SystemPostgres;
  let path: WirePath;
  let through: Way;
  let folder: string;

  beforeAll(async () => {
    [server, path, folder] = await Promise.all([
      startSystemPostgres(),
      startWirePath(),
      mkdtemp(join(tmpdir(), 'gateway-dump-')),
    ]);
    await server.query('CREATE DATABASE source');
    await server.query('CREATE DATABASE restored');
    await server.query(TABLES, 'source');
    const { host, port } = server.way;
    const ids = await Promise.all(
      ['source', 'restored'].map((name) =>
        connect(path.gateway, { url: `postgres://app:none@${host}:${port}/${name}` } as never, name),
      ),
    );
    const rules = entries({ type: 'sql_statement', kinds: ['drop', 'grant'], message: 'Not here.' });
    await createRule(path.gateway, { name: 'statements', connection_ids: ids, input: rules });
    through = await path.issue('source');
  });

  afterAll(async () => {
    await path.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const dump = async (way: Way, ...args: string[]): Promise<string> => {
    const { stdout } = await promisify(execFile)('pg_dump', args, { env: variables(way) });
    return stdout.replaceAll(/^\\(un)?restrict .*$/gm, '');
  };

  it.each([
    [[]],
    [['--inserts']],
    [['--schema-only', '--create']],
    [['--data-only', '--serializable-deferrable']],
  ])('writes what it writes without the gateway: %p', async (args) => {
    const expected = await dump({ ...server.way, database: 'source' }, ...args);
    const named = args.includes('--create') ? expected : expected;
    expect(await dump(through, ...args)).toBe(named);
    expect(expected).toContain('orders');
  });

  it('writes a file that psql restores through the gateway', async () => {
    const file = join(folder, 'dump.sql');
    await promisify(execFile)('pg_dump', ['-f', file], { env: variables(through) });
    const restored = await psql(await path.issue('restored'), ['-v', 'ON_ERROR_STOP=1', '-q', '-f', file]);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    const read = 'SELECT name, tags, born FROM customers ORDER BY id';
    expect(await server.query(read, 'restored')).toEqual(await server.query(read, 'source'));
    expect(await server.query('SELECT count(*) FROM orders', 'restored')).toEqual([{ count: '50' }]);
  });

  it('does not weaken the rule', async () => {
    const refused = await psql(through, ['-c', 'DROP TABLE orders']);
    expect(refused.stderr).toContain('Not here.');
    const hidden = "SELECT set_config(name, 'off', false) FROM pg_settings WHERE name LIKE 'standard_conf%'";
    expect((await psql(through, ['-c', hidden])).stderr).toContain('Not here.');
  });

  it('reads a script with a byte order mark and CRLF from psql as without it', async () => {
    const file = join(folder, 'bom.sql');
    await writeFile(file, '\uFEFFselect 1 as one;\r\nselect 2 as two;\r\n');
    const [direct, seen] = [await psql({ ...server.way }, ['-f', file]), await psql(through, ['-f', file])];
    expect(seen).toEqual(direct);
    expect(seen.stdout).toContain('two');
  });

  it.each(['UNICODE', 'unicode', 'utf-8', 'UTF 8', 'Utf_8'])(
    'keeps the session at %s, a name of UTF8',
    async (name) => {
      const text = `SET client_encoding TO '${name}'; SHOW client_encoding; SELECT 'é' AS letter;`;
      const seen = await psql(through, [], { input: text });
      expect(seen).toEqual(await psql(server.way, [], { input: text }));
      expect(seen.stdout).toContain('é');
    },
  );

  // promises: PROXY-9
  it.each([[[]], [['--inserts']], [['--data-only', '-Fd', '-j', '2']]])(
    'is refused where a rule masks rows, unless it runs under another name: %p',
    async (args) => {
      const word = { type: 'deny_words_list', words: ['Neil'], action: 'mask' };
      const [host, port] = [server.way.host, server.way.port];
      const name = `masked${args.length}`;
      const id = await connect(
        path.gateway,
        { url: `postgres://app:none@${host}:${port}/source` } as never,
        name,
      );
      await createRule(path.gateway, { name, connection_ids: [id], output: entries(word) });
      const way = await path.issue(name);
      const run = (env: NodeJS.ProcessEnv, ...more: string[]) =>
        promisify(execFile)('pg_dump', [...args, ...more], { env: { ...variables(way), ...env } });
      const into = (folderName: string) =>
        args.includes('-Fd') ? ['-f', join(folder, `${name}-${folderName}`)] : [];
      const refused = (await run({}, ...into('refused')).catch((error: unknown) => error)) as {
        code: number;
        stderr: string;
      };
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain('A guardrail masks values of this result');
      const masked = await run({ PGAPPNAME: 'masked copy' }, '-v', ...into('masked'));
      if (!args.includes('-Fd')) expect(masked.stdout).toContain('****');
      expect(masked.stderr).toContain('1 match was masked in this result: it is no copy of the data.');
      const untouched = await run({}, '--exclude-table-data=customers', ...into('rest'));
      expect(untouched.stderr).toBe('');
    },
  );
});
