import { execFile } from 'node:child_process';
import { Client } from 'pg';
import { eventually } from '../../support/eventually';
import type { Person } from '../../support/gateway';
import { createRule } from '../../support/guardrails';
import { type PsqlResult, PsqlTerminal, psql, variables } from '../../support/psql';
import { connect, secretOf } from '../../support/target';
import { describeWith } from '../../support/tls';
import { type Way, type WirePath, startWirePath } from '../../support/wire-path';

jest.setTimeout(480_000);

/** A database name with all characters that need escaping in SQL or in a URL. */
const ODD = `O'Brien "x" @orders #1 ? 50% é名`;

/** Queries that clients send at their start. Some contain the database name that the client connected to. */
const STARTUP = `
SET DateStyle=ISO; SET client_min_messages=notice;
SELECT set_config('bytea_output','hex',false) FROM pg_show_all_settings() WHERE name = 'bytea_output'; SET client_encoding='UTF-8';
SELECT set_config('bytea_output','hex',false) FROM pg_catalog.pg_settings WHERE name = 'bytea_output';
SET extra_float_digits = 3; SET application_name = 'PostgreSQL JDBC Driver';
SELECT setting FROM pg_settings WHERE name='max_identifier_length';
SHOW TRANSACTION ISOLATION LEVEL;
SELECT current_schema(),session_user;
SELECT version(); SELECT pg_catalog.pg_is_in_recovery();
SELECT string_agg(word, ',') FROM pg_catalog.pg_get_keywords() WHERE word <> ALL ('{a,abs}'::text[]);
SELECT db.datname FROM pg_catalog.pg_database db WHERE datname = :'DBNAME';
SELECT table_catalog, table_schema, table_name FROM information_schema.tables WHERE table_catalog = :'DBNAME' AND table_schema = 'public';
SELECT d.datname, current_catalog FROM pg_stat_activity a JOIN pg_database d ON d.oid = a.datid WHERE a.pid = pg_backend_pid() AND d.datname = :'DBNAME';
`;

// promises: DATABASE-1, DATABASE-2
describeWith('psql', 'script')('the name of the database, as clients see it', () => {
  let path: WirePath;
  /** Name of the database at the target. */
  let own: string;

  beforeAll(async () => {
    path = await startWirePath();
    own = secretOf(path.target)['DB'] ?? '';
  });

  afterAll(() => path.close());

  /** Runs psql without decoration. Requires TLS, because psql would otherwise retry a refusal without TLS. */
  const plain = (way: Way, ...args: string[]): Promise<PsqlResult> =>
    psql(way, ['-At', ...args], { env: { PGSSLMODE: 'require' } });
  /**
   * Returns the name of the database at the target, and the name with which psql connected, or the refusal.
   * @param address a connection string, if `way` does not contain the address in parts
   */
  const seen = async (way: Way, ...address: string[]): Promise<string> => {
    const asked = ['-c', 'SELECT current_database()', '-c', '\\echo :DBNAME'];
    const { stdout, stderr } = await plain(way, ...asked, ...address);
    return stdout + stderr;
  };
  const withToken = async (user: string, database: string, person: Person = 'admin'): Promise<Way> => ({
    ...path.through,
    user,
    database,
    password: await path.gateway.token(person),
  });
  const openedLast = async (): Promise<string | undefined> => {
    const [row] = await path.gateway.database.query<{ connection_name: string }>(
      'SELECT connection_name FROM sessions ORDER BY id DESC LIMIT 1',
    );
    return row?.connection_name;
  };

  describe('with an issued credential', () => {
    it('is the one that is issued, in parts and in the connection string', async () => {
      const { body } = await path.gateway.call('admin', 'POST', '/connections/orders/credentials', {});
      const nowhere = { ...path.through, port: 1, user: 'x', password: 'x', database: 'x' };
      const { connection_string: address, database_name, username } = body.connection_credentials;
      expect([body.connection_name, database_name]).toEqual(['orders', own]);
      const { stdout } = await plain(nowhere, '-c', '\\conninfo', address);
      expect(stdout).toContain(`connected to database "${own}" as user "${username}"`);
      expect(await seen(nowhere, address)).toBe(`${own}\n${own}\n`);
    });

    it('agrees with current_database(), and names tables in three parts as dbt does', async () => {
      expect(path.through.database).toBe(own);
      expect(await seen(path.through)).toBe(`${own}\n${own}\n`);
      const client = new Client({ ...path.through, ssl: { rejectUnauthorized: false } });
      await client.connect();
      try {
        const table = `"${client.database}"."public"."dbt_probe"`;
        await client.query(`create table ${table} as select 1 as a`);
        expect((await client.query(`select * from ${table}`)).rows).toEqual([{ a: 1 }]);
        await client.query(`drop table ${table}`);
      } finally {
        await client.end();
      }
    });

    it('finds the database in the catalog, with a rule on statements, as pgAdmin, DBeaver and pgJDBC ask at their start', async () => {
      const rule = await createRule(path.gateway, {
        name: 'a table',
        connection_ids: [path.connectionId],
        input: {
          rules: [
            {
              type: 'sql_statement',
              tables: [{ name: 'salaries', access: 'any' }],
              message: 'Not that table.',
            },
          ],
        },
      });
      const asked = await path.both(async (way) => {
        const { code, stdout, stderr } = await psql(way, ['-At', '-v', 'ON_ERROR_STOP=1'], {
          input: STARTUP,
        });
        return { code, shown: (stdout + stderr).replaceAll(way.database, 'OWN') };
      });
      expect(asked.code).toBe(0);
      expect(asked.shown.match(/^OWN\|?.*$/gm)).toEqual(['OWN', 'OWN|public|customers', 'OWN|OWN']);
      // Deletes the rule, which would refuse the `DROP DATABASE` of a later test, because it affects every
      // table.
      await path.gateway.call('admin', 'DELETE', `/guardrails/${rule}`);
    });

    it('may be left out, or be the name of the connection, as in strings that were issued before', async () => {
      const { user } = path.through;
      for (const database of [
        'orders',
        path.connectionId,
        user,
        `${own}@orders`,
        `${own}@${path.connectionId}`,
      ])
        expect(await seen({ ...path.through, database })).toBe(`${own}\n${database}\n`);
    });

    it('is the only one that \\c opens: others are refused in words, and the session goes on', async () => {
      const terminal = new PsqlTerminal(path.through);
      try {
        await terminal.until('ready>');
        terminal.type('\\c postgres\r');
        expect(await terminal.until('Previous connection kept')).toContain(
          `FATAL:  These credentials open the database "${own}" of the connection orders only, not "postgres".`,
        );
        terminal.type(`SELECT 'still ' || 'here';\r`);
        await terminal.until('still here');
        for (const database of [own, '-', 'orders', `"${own}@orders"`]) {
          terminal.type(`\\c ${database}\r`);
          await terminal.until('You are now connected to database');
          terminal.type("SELECT 'in ' || current_database();\r");
          await terminal.until(`in ${own}`);
        }
        await terminal.leave();
      } finally {
        terminal.kill();
      }
    });

    it('is what createdb and dropdb need as their maintenance database', async () => {
      const run = (program: string, ...args: string[]): Promise<string> =>
        new Promise((resolve) => {
          const env = { ...variables(path.through), PGDATABASE: '' };
          execFile(program, args, { env }, (_, stdout, stderr) => resolve(stdout + stderr));
        });
      const made = `${own}_made`;
      expect(await run('createdb', made)).toContain(
        `of the connection orders only, not "template1".\nHINT:  Connect to "${own}", also where a client asks for a maintenance database.`,
      );
      expect(await run('createdb', `--maintenance-db=${own}`, made)).toBe('');
      expect(await run('dropdb', `--maintenance-db=${own}`, made)).toBe('');
    });

    it('may have any characters', async () => {
      await path.target.query(`CREATE DATABASE "${ODD.replaceAll('"', '""')}"`);
      try {
        const secret = { ...secretOf(path.target), DB: ODD };
        await connect(path.gateway, path.target, 'odd', { secret });
        const { body } = await path.gateway.call('admin', 'POST', '/connections/odd/credentials', {});
        const { connection_string: address } = body.connection_credentials;
        expect(await seen(path.through, address)).toBe(`${ODD}\n${ODD}\n`);
        const way = await path.issue('odd');
        for (const database of [ODD, `${ODD}@odd`])
          expect(await seen({ ...way, database })).toBe(`${ODD}\n${database}\n`);
        for (const [user, database] of [
          ['odd', ODD],
          ['me', `${ODD}@odd`],
          ['me', ODD],
        ] as const)
          expect(await seen(await withToken(user, database))).toBe(`${ODD}\n${database}\n`);
      } finally {
        await path.gateway.call('admin', 'DELETE', '/connections/odd');
        await path.target.query(`DROP DATABASE "${ODD.replaceAll('"', '""')}" WITH (FORCE)`);
      }
    });
  });

  // promises: DATABASE-3, DATABASE-4, DATABASE-5
  describe('with a token', () => {
    const refused = async (user: string, database: string, person: Person = 'admin'): Promise<string> =>
      (await seen(await withToken(user, database, person))).replace(/^psql: error: .*? failed: /, '').trim();

    it('is given beside the connection as user name, or before it, or alone', async () => {
      for (const [user, database] of [
        ['orders', own],
        ['me', `${own}@orders`],
        ['me', own],
        ['me', 'orders'],
        ['orders', 'orders'],
      ] as const)
        expect(await seen(await withToken(user, database))).toBe(`${own}\n${database}\n`);
      const { host, port } = path.through;
      const way = await withToken('unused', 'unused');
      for (const [address, database] of [
        [`postgres://orders@${host}:${port}/${own}`, own],
        [`postgres://me@${host}:${port}/${own}@orders`, `${own}@orders`],
        [`postgres://me@${host}:${port}/${own}%40orders`, `${own}@orders`],
      ] as const)
        expect(await seen(way, address)).toBe(`${own}\n${database}\n`);
    });

    it('leads \\c to no other connection while the user name is that of a connection', async () => {
      expect(await refused('orders', 'postgres')).toBe(
        'FATAL:  The connection orders opens its own database only, which is not named "postgres".\nHINT:  Connect to "orders": the name of the connection opens it too.',
      );
      expect(await refused('me', 'postgres@orders')).toContain('is not named "postgres".');
      expect(await refused('me', 'postgres')).toBe('FATAL:  there is no connection named postgres');
    });

    it('is refused with the choices where several connections have it, as far as the person may open them', async () => {
      const setControl = (access_control: boolean) =>
        path.gateway.call('admin', 'PATCH', '/organization', { features: { access_control } });
      await path.connect('elsewhere', { access_groups: ['dba'] });
      await path.connect('hidden', { access_groups: ['nobody'] });
      await setControl(true);
      await path.gateway.call('admin', 'PATCH', '/connections/orders', { access_groups: ['*'] });
      try {
        // Bob is in the group `dba` and sees two connections. Alice sees one, and nothing of the others.
        await eventually('bob sees two', async () => (await refused('me', own, 'bob')).startsWith('FATAL'));
        expect(await refused('me', own, 'bob')).toBe(
          `FATAL:  2 connections have the database "${own}"; connect to one of "${own}@elsewhere", "${own}@orders".\nHINT:  Or give the connection's name as the user name.`,
        );
        expect(await seen(await withToken('me', own, 'alice'))).toBe(`${own}\n${own}\n`);
        for (const [user, database] of [
          ['elsewhere', own],
          ['me', `${own}@elsewhere`],
        ] as const) {
          expect(await seen(await withToken(user, database, 'bob'))).toBe(`${own}\n${database}\n`);
          expect(await openedLast()).toBe('elsewhere');
        }
        expect(await refused('me', `${own}@elsewhere`, 'alice')).toBe(
          `FATAL:  there is no connection named ${own}@elsewhere`,
        );
      } finally {
        await setControl(false);
        for (const name of ['elsewhere', 'hidden'])
          await path.gateway.call('admin', 'DELETE', `/connections/${name}`);
      }
    });

    it('is that of the secret as it is now', async () => {
      await path.connect('moved', { secret: { ...secretOf(path.target), DB: 'before' } });
      const opens = async (database: string): Promise<boolean> =>
        (await refused('moved', database)).startsWith('FATAL:  The connection moved');
      expect(await opens('after')).toBe(true);
      await path.gateway.call('admin', 'PATCH', '/connections/moved', {
        secret: { DB: secretOf(path.twin)['DB'] },
      });
      const now = secretOf(path.twin)['DB'] ?? '';
      await eventually(
        'it has moved',
        async () => (await seen(await withToken('me', now))) === `${now}\n${now}\n`,
      );
      expect(await openedLast()).toBe('moved');
      expect(await opens('before')).toBe(true);
      await path.gateway.call('admin', 'DELETE', '/connections/moved');
    });
  });
});
