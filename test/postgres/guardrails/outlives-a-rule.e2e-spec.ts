import { describeGuardedPath } from '../../support/describe';
import { type GuardedClient, entries } from '../../support/guarded-path';
import * as wire from '../../support/wire-messages';

const SECRET = 'S3CR3T-9';
const REFUSED = 'E 42501 Not here.';
const READS = {
  input: entries({
    type: 'sql_statement',
    tables: [{ name: 'secrets', access: 'any' }],
    message: 'Not here.',
  }),
};
const OTHER = {
  input: entries({
    type: 'sql_statement',
    tables: [{ name: 'elsewhere', access: 'any' }],
    message: 'Not here.',
  }),
};

/**
 * Tests cursors, prepared statements and other objects that are created before a rule and used after it. They
 * are judged by their origin, or refused if the origin is unknown.
 */
describeGuardedPath('what outlives a rule', ({ path }) => {
  beforeAll(async () => {
    await path.target.query(`CREATE TABLE secrets (token text); INSERT INTO secrets VALUES ('${SECRET}');
      CREATE TABLE notes (body text); INSERT INTO notes VALUES ('hello')`);
  });

  const sql = ({ client }: GuardedClient, ...texts: string[]) =>
    texts.reduce<Promise<string[]>>(async (before, text) => {
      await before;
      return client.ask(wire.query(text));
    }, Promise.resolve([]));
  const bound = ({ client }: GuardedClient, name: string) =>
    client.ask(wire.bind([], { statement: name }), wire.execute(), wire.SYNC);

  /** Statements that run before the rule exists, and SQL that must be refused afterwards. */
  it.each<[string, string[], string]>([
    ['a cursor WITH HOLD', ['DECLARE c CURSOR WITH HOLD FOR TABLE secrets'], 'FETCH ALL FROM c'],
    ['a cursor of the transaction', ['BEGIN', 'DECLARE c CURSOR FOR TABLE secrets'], 'FETCH 1 FROM "c"'],
    [
      'a cursor that is moved',
      ['DECLARE c SCROLL CURSOR WITH HOLD FOR TABLE secrets', 'MOVE 1 IN c'],
      'FETCH PRIOR FROM c; FETCH FIRST FROM c',
    ],
    [
      'a cursor made anew',
      ['DECLARE c CURSOR WITH HOLD FOR TABLE secrets', 'DECLARE c CURSOR FOR SELECT 1'],
      'FETCH ALL FROM c',
    ],
    [
      'a cursor that a block opened',
      ['BEGIN', `DO $$ DECLARE c refcursor := 'c'; BEGIN OPEN c FOR TABLE secrets; END $$`],
      'FETCH ALL FROM c',
    ],
    ['a prepared statement', ['PREPARE p AS TABLE secrets'], 'EXECUTE p'],
    [
      'a prepared statement, explained',
      ['PREPARE p AS TABLE secrets'],
      'EXPLAIN (ANALYZE, VERBOSE) EXECUTE p',
    ],
    [
      'a prepared statement into a table',
      ['PREPARE p AS TABLE secrets'],
      'CREATE TEMP TABLE t AS EXECUTE p; TABLE t',
    ],
    [
      'a prepared statement of a block',
      [`DO $$ BEGIN EXECUTE 'PREPARE p AS TABLE secrets'; END $$`],
      'EXECUTE p',
    ],
    ['a temporary table', ['CREATE TEMP TABLE t AS TABLE secrets'], 'SELECT * FROM t'],
    ['a temporary table, by SELECT INTO', ['SELECT * INTO TEMPORARY t FROM secrets'], 'TABLE pg_temp.t'],
    [
      'a temporary table that is filled',
      ['CREATE TEMP TABLE t (a text)', 'INSERT INTO t TABLE secrets'],
      'COPY t TO STDOUT',
    ],
    [
      'a temporary table without the word',
      ['SET search_path = pg_temp, public', 'CREATE TABLE t AS TABLE secrets'],
      'TABLE t',
    ],
    [
      'a temporary table of a temporary table',
      ['CREATE TEMP TABLE s AS TABLE secrets', 'CREATE TEMP TABLE t AS TABLE s'],
      'TABLE t',
    ],
    ['a temporary table of a block', [`DO $$ BEGIN CREATE TEMP TABLE t AS TABLE secrets; END $$`], 'TABLE t'],
    [
      'a temporary table of a prepared statement',
      ['PREPARE p AS TABLE secrets', 'CREATE TEMP TABLE t AS EXECUTE p'],
      'TABLE t',
    ],
    [
      'a temporary table by MERGE',
      [
        'CREATE TEMP TABLE t (a text)',
        'MERGE INTO t USING secrets ON false WHEN NOT MATCHED THEN INSERT VALUES (token)',
      ],
      'TABLE t',
    ],
    ['a temporary view', ['CREATE TEMP VIEW v AS TABLE secrets'], 'TABLE v'],
    [
      'a temporary function',
      [
        `CREATE FUNCTION pg_temp.f() RETURNS SETOF secrets LANGUAGE plpgsql AS 'BEGIN RETURN QUERY TABLE secrets; END'`,
      ],
      'SELECT pg_temp.f()',
    ],
  ])('%s', async (_, before, after) => {
    const guarded = await path.under({});
    expect(JSON.stringify(await sql(guarded, ...before))).not.toContain('42501');
    await guarded.addRule(READS);
    const answers = await sql(guarded, after);
    expect(answers).toContain(REFUSED);
    expect(JSON.stringify(answers)).not.toContain(SECRET);
  });

  it.each<[string, string[], string]>([
    ['a cursor', ['BEGIN', 'DECLARE c CURSOR FOR TABLE notes'], 'FETCH ALL FROM c'],
    ['a cursor WITH HOLD', ['DECLARE c CURSOR WITH HOLD FOR TABLE notes'], 'FETCH ALL FROM c'],
    ['a prepared statement', ['PREPARE p AS TABLE notes'], 'EXECUTE p'],
    ['a temporary table', ['CREATE TEMP TABLE t AS TABLE notes'], 'TABLE t'],
    ['an ordinary read after a harmless block', ['DO $$ BEGIN PERFORM 1; END $$'], 'TABLE notes'],
  ])('%s that comes from nothing forbidden continues to work', async (_, before, after) => {
    const guarded = await path.under({});
    await sql(guarded, ...before);
    await guarded.addRule(READS);
    expect(await sql(guarded, after)).toContain('D hello');
  });

  it.each<[string, string[], string]>([
    ['a cursor', ['BEGIN', 'DECLARE c CURSOR FOR TABLE notes'], 'FETCH ALL FROM c'],
    ['a prepared statement', ['PREPARE p AS TABLE notes'], 'EXECUTE p'],
    ['a temporary table', ['CREATE TEMP TABLE t AS TABLE notes'], 'TABLE t'],
  ])('%s works under a rule that it does not touch', async (_, before, after) => {
    const guarded = await path.under(OTHER);
    await sql(guarded, ...before);
    expect(await sql(guarded, after)).toContain('D hello');
  });

  it('a statement prepared by a message is the same to EXECUTE, and one prepared by SQL to a Bind', async () => {
    const guarded = await path.under({});
    const { client } = guarded;
    await client.ask(wire.parse('TABLE secrets', 'p'), wire.SYNC);
    await sql(guarded, 'PREPARE q AS TABLE secrets', 'PREPARE r AS TABLE notes');
    await guarded.addRule(READS);
    expect(await sql(guarded, 'EXECUTE p')).toEqual([REFUSED, 'Z I']);
    expect(await bound(guarded, 'q')).toEqual([REFUSED, 'Z I']);
    expect(await bound(guarded, 'r')).toEqual(['2', 'D hello', 'C SELECT 1', 'Z I']);
  });

  it('a cursor of SQL is the same to an Execute, and a portal to FETCH', async () => {
    const guarded = await path.under({});
    const { client } = guarded;
    await sql(
      guarded,
      'DECLARE c CURSOR WITH HOLD FOR TABLE secrets',
      'DECLARE d CURSOR WITH HOLD FOR TABLE notes',
      'BEGIN',
    );
    await client.ask(wire.parse('TABLE secrets'), wire.bind([], { portal: 'p' }), wire.SYNC);
    await guarded.addRule(READS);
    expect(await client.ask(wire.execute('d'), wire.SYNC)).toEqual(['D hello', 'C SELECT 1', 'Z T']);
    expect(await sql(guarded, 'SAVEPOINT s', 'FETCH ALL FROM p')).toEqual([REFUSED, 'Z E']);
    expect(await sql(guarded, 'ROLLBACK TO s')).toEqual(['C ROLLBACK', 'Z T']);
    expect(await client.ask(wire.execute('c'), wire.SYNC)).toEqual([REFUSED, 'Z E']);
  });

  it('objects with a forgotten origin are refused', async () => {
    const guarded = await path.under({});
    await sql(guarded, 'CREATE TEMP TABLE t AS TABLE secrets');
    for (let count = 0; count < 12; count += 1)
      await sql(guarded, `PREPARE p${count} AS SELECT '${'x'.repeat(30_000)}'`);
    await guarded.addRule(READS);
    expect(await sql(guarded, 'TABLE t')).toEqual([REFUSED, 'Z I']);
  });
});
