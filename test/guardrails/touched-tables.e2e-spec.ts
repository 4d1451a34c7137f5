import { type StatementFacts, namesTable } from '../../src/languages/postgresql/facts/facts';
import { loadSqlParser, parseSql } from '../../src/languages/postgresql/parser';
import { askTouched } from '../../src/targets/postgres/ask-touched';
import { describeGuardedPath } from '../support/describe';
import { type TestDatabase, freshDatabase } from '../support/database';
import { entries } from '../support/guarded-path';
import { secretOf } from '../support/target';
import { WireClient } from '../support/wire-client';
import * as wire from '../support/wire-messages';

/** SQL that creates tables and the objects that they depend on. Each DROP affects only some of the tables. */
const WORLD = `
  CREATE SCHEMA app; CREATE SCHEMA other; CREATE SCHEMA bare;
  CREATE TYPE app.mood AS ENUM ('a'); CREATE DOMAIN app.card AS text; CREATE TYPE app.pair AS (a int, b app.card);
  CREATE TYPE app.unused AS ENUM ('x'); CREATE DOMAIN other.word AS text; CREATE TYPE app.span AS RANGE (subtype = int8);
  CREATE FUNCTION app.twice(int) RETURNS int LANGUAGE sql IMMUTABLE AS 'SELECT $1 * 2';
  CREATE FUNCTION app.unused(int) RETURNS int LANGUAGE sql AS 'SELECT $1';
  CREATE FUNCTION app.noted() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END';
  CREATE FUNCTION app.same(int, int) RETURNS boolean LANGUAGE sql IMMUTABLE AS 'SELECT $1 = $2';
  CREATE OPERATOR app.=== (LEFTARG = int, RIGHTARG = int, FUNCTION = app.same);
  CREATE COLLATION app.plain (provider = libc, locale = 'C');
  CREATE TABLE secrets (id int PRIMARY KEY, name text, number int DEFAULT 7);
  CREATE TABLE plain (id int PRIMARY KEY, note text);
  CREATE TABLE moods (id int, mood app.mood, moods app.mood[]);
  CREATE TABLE cards (id int, card app.card);
  CREATE TABLE pairs (pair app.pair, parts app.pair[]);
  CREATE TABLE spans (span app.span);
  CREATE TABLE computed (id int DEFAULT app.twice(1), twice int GENERATED ALWAYS AS (app.twice(3)) STORED);
  CREATE TABLE checked (id int CHECK (app.twice(id) > 0));
  CREATE TABLE indexed (id int); CREATE INDEX ON indexed (app.twice(id));
  CREATE TABLE triggered (id int); CREATE TRIGGER noted BEFORE INSERT ON triggered FOR EACH ROW EXECUTE FUNCTION app.noted();
  CREATE TABLE policed (id int); CREATE POLICY p ON policed USING (app.twice(id) > 0);
  CREATE TABLE compared (id int CHECK (id OPERATOR(app.===) id));
  CREATE TABLE collated (name text COLLATE app.plain);
  CREATE TABLE app.inside (id int PRIMARY KEY);
  CREATE TABLE refers (id int REFERENCES app.inside);
  CREATE TABLE refers_again (id int UNIQUE REFERENCES secrets);
  CREATE TABLE and_again (id int REFERENCES refers_again (id));
  CREATE TABLE parent (id int, mood app.mood) PARTITION BY LIST (id);
  CREATE TABLE child PARTITION OF parent FOR VALUES IN (1);
  CREATE TABLE heir () INHERITS (moods);
  CREATE VIEW of_mood AS SELECT mood FROM moods; CREATE VIEW of_view AS SELECT * FROM of_mood;
  CREATE VIEW of_twice AS SELECT app.twice(id) FROM plain;
  CREATE MATERIALIZED VIEW kept AS SELECT card FROM cards;
  CREATE RULE ruled AS ON UPDATE TO plain WHERE app.twice(OLD.id) > 4 DO INSTEAD NOTHING;
  CREATE TABLE clustered (id int PRIMARY KEY); CLUSTER clustered USING clustered_pkey;
  CREATE EXTENSION hstore; CREATE TABLE stored (tags hstore);
  CREATE TABLE worded (word other.word);
  CREATE TABLE hosted (id int); COMMENT ON TABLE hosted IS 'nothing hangs on it';
  CREATE PUBLICATION published FOR TABLE hosted WHERE (id > 0);
  CREATE STATISTICS other.told (dependencies) ON id, name FROM secrets;
`;

/** Statements that affect tables without naming them. A statement that fails affects no table. */
const STATEMENTS = [
  'DROP TYPE app.mood CASCADE',
  'DROP TYPE mood CASCADE',
  'DROP TYPE app.unused CASCADE',
  'DROP TYPE app.unused',
  'DROP TYPE app.pair CASCADE',
  'DROP TYPE app.span CASCADE',
  'DROP DOMAIN app.card CASCADE',
  'DROP DOMAIN IF EXISTS app.missing CASCADE',
  'DROP DOMAIN other.word CASCADE',
  'DROP FUNCTION app.twice(int) CASCADE',
  'DROP FUNCTION app.unused(int) CASCADE',
  'DROP FUNCTION app.noted() CASCADE',
  'DROP ROUTINE app.same CASCADE',
  'DROP OPERATOR app.=== (int, int) CASCADE',
  'DROP COLLATION app.plain CASCADE',
  'DROP SCHEMA app CASCADE',
  'DROP SCHEMA other CASCADE',
  'DROP SCHEMA bare CASCADE',
  'DROP SCHEMA bare, other CASCADE',
  'DROP EXTENSION hstore CASCADE',
  'DROP EXTENSION hstore',
  'TRUNCATE app.inside CASCADE',
  'TRUNCATE secrets CASCADE',
  'TRUNCATE parent CASCADE',
  'TRUNCATE plain CASCADE',
  'GRANT SELECT ON ALL TABLES IN SCHEMA app TO PUBLIC',
  'GRANT SELECT ON ALL TABLES IN SCHEMA bare TO PUBLIC',
  'ALTER SCHEMA app RENAME TO renamed',
  'REASSIGN OWNED BY touched_owner TO CURRENT_USER',
  'DROP OWNED BY touched_owner CASCADE',
  'DROP OWNED BY touched_owner',
  'ANALYZE',
];

/** Statements that cannot run in a transaction, with the tables that they are known to affect. */
const ALONE: Readonly<Record<string, readonly string[]>> = {
  CLUSTER: ['clustered'],
  'REINDEX SCHEMA app': ['inside'],
  VACUUM: ['secrets', 'plain', 'inside', 'hosted'],
};

describe('the tables that a statement touches without naming them', () => {
  let target: TestDatabase;
  let client: WireClient;

  beforeAll(async () => {
    await loadSqlParser();
    target = await freshDatabase('empty');
    await target.query(WORLD);
    await target.query(`
      DO $$ BEGIN CREATE ROLE touched_owner; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE TABLE owned (id int PRIMARY KEY); ALTER TABLE owned OWNER TO touched_owner;
      CREATE VIEW of_owned AS SELECT * FROM owned; GRANT SELECT ON hosted TO touched_owner;`);
    client = await WireClient.direct(target);
  });

  afterAll(async () => {
    await client.ask(wire.query('ROLLBACK'));
    client.close();
    await target.query('DROP OWNED BY touched_owner CASCADE');
    await target.drop();
  });

  /** Returns the tables that the server dropped, or locked in a stronger mode than readers use. */
  async function seen(sql: string): Promise<string[]> {
    await client.ask(wire.query('BEGIN'));
    await client.ask(
      wire.query(
        'CREATE TEMPORARY TABLE before ON COMMIT DROP AS SELECT oid, relname, relkind FROM pg_class',
      ),
    );
    await client.ask(wire.query(sql));
    const answers = await client.ask(
      wire.query(`SELECT DISTINCT b.relname FROM pg_locks l JOIN before b ON b.oid = l.relation
        WHERE l.pid = pg_backend_pid() AND l.mode <> 'AccessShareLock' AND b.oid >= 16384 AND b.relkind NOT IN ('i', 'I', 't', 'c')
        UNION SELECT b.relname FROM before b WHERE b.oid >= 16384 AND b.relkind NOT IN ('i', 'I', 't', 'c')
          AND NOT EXISTS (SELECT FROM pg_class c WHERE c.oid = b.oid)`),
    );
    await client.ask(wire.query('ROLLBACK'));
    return answers.filter((line) => line.startsWith('D ')).map((line) => line.slice(2));
  }

  async function told(sql: string): Promise<readonly { schema?: string; name: string }[]> {
    const parsed = parseSql(sql);
    const [statement] = parsed.kind === 'facts' ? parsed.statements : [];
    const { tables, reaches } = statement as StatementFacts;
    const named = tables.filter(({ name }) => name !== '*');
    if (reaches === undefined) {
      expect(named).toEqual(tables);
      return named;
    }
    const touched = await askTouched(() => secretOf(target))(reaches);
    if (touched === undefined) throw new Error('the catalog did not tell');
    return [...named, ...touched];
  }

  it.each(STATEMENTS)('are told, all of them: %s', async (sql) => {
    const facts = await told(sql);
    const touched = await seen(sql);
    // The facts must include every table that the server touched. An extra table only makes more rules match.
    expect(touched.filter((name) => !facts.some((fact) => fact.name === name))).toEqual([]);
  });

  it('are observed on the server, so that the comparison is not empty', async () => {
    expect((await seen('DROP TYPE app.mood CASCADE')).toSorted()).toEqual(
      expect.arrayContaining(['child', 'heir', 'moods', 'of_mood', 'of_view', 'parent']),
    );
    expect(await seen('DROP FUNCTION app.twice(int) CASCADE')).toEqual(
      expect.arrayContaining(['checked', 'computed', 'indexed', 'of_twice', 'plain', 'policed']),
    );
    expect(await seen('TRUNCATE secrets CASCADE')).toEqual(
      expect.arrayContaining(['refers_again', 'and_again']),
    );
    expect(await seen('DROP TYPE app.unused CASCADE')).toEqual([]);
  });

  it.each(Object.entries(ALONE))(
    'are told of what is no part of a transaction: %s',
    async (sql, expected) => {
      const names = (await told(sql)).map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining([...expected]));
    },
  );

  it('do not include unrelated tables', async () => {
    for (const sql of STATEMENTS.filter((each) =>
      /^DROP (TYPE|DOMAIN|FUNCTION|SCHEMA|COLLATION|OPERATOR)/.test(each),
    ))
      expect(
        (await told(sql)).some((fact) =>
          namesTable({ read: true, write: true, ...fact }, { name: 'hosted' }),
        ),
      ).toBe(false);
    expect(await told('DROP TYPE app.unused CASCADE')).toEqual([]);
    expect((await told('DROP DOMAIN other.word CASCADE')).map(({ name }) => name)).toEqual(['worded']);
    expect((await told('CLUSTER')).map(({ name }) => name)).toEqual(['clustered']);
    expect(await told('DROP SCHEMA bare CASCADE')).toEqual([]);
  });
});

describeGuardedPath('a rule about a table', ({ path }) => {
  const REFUSED = ['E 42501 Not that table.', 'Z I'];
  const rules = {
    input: entries({
      type: 'sql_statement',
      tables: [{ name: 'secrets', access: 'any' }],
      message: 'Not that table.',
    }),
  };

  beforeAll(async () => {
    await path.target.query(`
      CREATE TYPE mine AS ENUM ('a'); CREATE TYPE theirs AS ENUM ('a'); CREATE TYPE nobodys AS ENUM ('a');
      CREATE TABLE secrets (id int, kind theirs); CREATE TABLE free (kind mine);
      CREATE VIEW shown AS SELECT kind FROM secrets`);
  });

  it('passes statements that do not touch it, and refuses those that do, in both protocols', async () => {
    const { client } = await path.under(rules);
    const extended = (sql: string) => [wire.parse(sql), wire.bind([]), wire.execute(), wire.SYNC];
    for (const form of [(sql: string) => [wire.query(sql)], extended]) {
      await path.target.query("DROP TYPE IF EXISTS brief CASCADE; CREATE TYPE brief AS ENUM ('a')");
      expect((await client.ask(...form('DROP TYPE brief CASCADE'))).slice(-2)).toEqual([
        'C DROP TYPE',
        'Z I',
      ]);
      expect(await client.ask(...form('DROP TYPE theirs CASCADE'))).toEqual(REFUSED);
      expect((await client.ask(...form('CLUSTER'))).at(-1)).toBe('Z I');
      expect((await client.ask(...form('CLUSTER'))).join()).toContain('C CLUSTER');
      expect(await client.ask(...form('VACUUM'))).toEqual(REFUSED);
      expect(await client.ask(...form('DROP SCHEMA public CASCADE'))).toEqual(REFUSED);
    }
    expect(await path.target.query('SELECT kind FROM secrets')).toEqual([]);
  });

  it('is strict where the session has uncommitted changes of the catalog', async () => {
    const { client } = await path.under(rules);
    await client.ask(wire.query('BEGIN'));
    expect(await client.ask(wire.query('SELECT 1'))).toContain('D 1');
    expect((await client.ask(wire.query('DROP TYPE mine CASCADE'))).slice(-2)).toEqual([
      'C DROP TYPE',
      'Z T',
    ]);
    expect(await client.ask(wire.query('DROP TYPE nobodys CASCADE'))).toEqual([REFUSED[0], 'Z E']);
    await client.ask(wire.query('ROLLBACK'));
    expect((await client.ask(wire.query('DROP TYPE nobodys CASCADE'))).slice(-2)).toEqual([
      'C DROP TYPE',
      'Z I',
    ]);
    const text = "CREATE TYPE fresh AS ENUM ('a'); DROP TYPE fresh CASCADE";
    expect(await client.ask(wire.query(text))).toEqual(REFUSED);
  });

  it('holds for scripts in the same way', async () => {
    const { connection } = await path.under(rules);
    const run = async (script: string) =>
      (await path.gateway.call('admin', 'POST', '/sessions', { connection, script })).body;
    await path.target.query("CREATE TYPE scripted AS ENUM ('a')");
    expect(await run('DROP TYPE theirs CASCADE')).toMatchObject({
      output_status: 'blocked',
      output: 'Not that table.',
    });
    expect(await run('SELECT 1; DROP TYPE scripted CASCADE')).toMatchObject({ output_status: 'success' });
    expect(await run('CREATE TABLE x (a int); DROP TYPE mine CASCADE')).toMatchObject({
      output_status: 'blocked',
    });
  });

  it('is strict where the catalog cannot be queried', async () => {
    const ask = askTouched(() => {
      throw new Error('no secret');
    });
    expect(await ask([{ kind: 'all' }])).toBeUndefined();
  });
});
