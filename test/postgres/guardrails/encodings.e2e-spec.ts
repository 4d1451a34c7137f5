import { describeGuardedPath } from '../../support/describe';
import { blockWord } from '../../support/guarded-path';
import { secretOf } from '../../support/target';
import { shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

const latin = (sql: string) => Buffer.from(sql, 'latin1');

/** Rules read UTF-8. No client can make the target read its bytes in another encoding than the gateway. */
describeGuardedPath('another client_encoding', ({ path }) => {
  beforeAll(async () => {
    await path.target.query(`
      CREATE TABLE ran (id int);
      CREATE FUNCTION quietly(encoding text) RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN RETURN set_config('client_encoding', encoding, false); END $$;
      CREATE TABLE kept (line text);
      INSERT INTO kept VALUES ('Müller')`);
  });

  const rules = { input: blockWord('Schäfer', 'Not here.'), output: blockWord('Müller', 'Not for you.') };

  it.each([
    ['SET', 'SET client_encoding TO LATIN1'],
    ['SET NAMES', "SET NAMES 'LATIN1'"],
    ['set_config', "SELECT set_config('client_encoding', 'LATIN1', false)"],
    ['SET among others', "INSERT INTO ran VALUES (9); SET client_encoding TO 'SJIS'; SELECT 1"],
  ])('by %s is refused alone, and the session goes on', async (_, sql) => {
    const { client, session } = await path.under(rules);
    const refused = [expect.stringMatching(/^E 0A000 .*client_encoding cannot be set to/)];
    expect(await client.ask(wire.query(sql))).toEqual([...refused, 'Z I']);
    expect(await client.ask(wire.query('BEGIN'))).toEqual(['C BEGIN', 'Z T']);
    const pipeline = [wire.parse(sql), wire.bind(), wire.execute(), wire.parse('SELECT 2'), wire.SYNC];
    expect(await client.ask(...pipeline)).toEqual([...refused, 'Z E']);
    expect(await client.ask(wire.query('ROLLBACK'))).toEqual(['C ROLLBACK', 'Z I']);
    expect(await client.ask(wire.query("SELECT 'schön'"))).toContain('D schön');
    expect(await path.target.query('SELECT id FROM ran')).toEqual([]);
    expect((await path.recording(await session())).slice(0, 2)).toEqual([
      ['i', sql],
      [
        'e',
        expect.stringMatching(/^client_encoding cannot be set to .*: the gateway reads texts in UTF8 only/),
      ],
    ]);
  });

  it('by set_config with bound values is refused alone', async () => {
    const { client } = await path.under(rules);
    const call = [wire.parse('SELECT set_config($1, $2, false)', 's'), wire.SYNC];
    await client.ask(...call);
    const run = (encoding: string) => [
      wire.bind(['client_encoding', encoding], { statement: 's' }),
      wire.execute(),
      wire.SYNC,
    ];
    expect(await client.ask(...run('LATIN1'))).toEqual([expect.stringMatching(/^E 0A000 .* LATIN1/), 'Z I']);
    expect(await client.ask(...run('UTF8'))).toContain('D UTF8');
  });

  it('that a rule forbids is refused with the words of the rule', async () => {
    const { client } = await path.under({ input: blockWord('LATIN1', 'No Latin.') });
    expect(await client.ask(wire.query('SET client_encoding TO LATIN1'))).toEqual([
      'E 42501 No Latin.',
      'Z I',
    ]);
  });

  it('that a role has for itself, or that is reset, is UTF8 all the same', async () => {
    await path.target.query(`ALTER DATABASE "${secretOf(path.target)['DB']}" SET client_encoding TO LATIN1`);
    try {
      const { client } = await path.under(rules);
      for (const sql of [
        'RESET client_encoding',
        'SET client_encoding TO DEFAULT',
        'DISCARD ALL',
        'SET NAMES',
      ])
        expect((await client.ask(wire.query(sql))).at(-1)).toBe('Z I');
      expect(await client.ask(wire.query("SELECT 'schön'"))).toContain('D schön');
    } finally {
      await path.target.query(`ALTER DATABASE "${secretOf(path.target)['DB']}" RESET client_encoding`);
    }
  });

  it.each([
    ['a function', "SELECT quietly('LATIN1')"],
    ['DO', "DO $$ BEGIN PERFORM quietly('LATIN1'); END $$"],
    ['pg_settings', "UPDATE pg_settings SET setting = 'LATIN1' WHERE name = 'client_encoding'"],
  ])('by %s ends the session before anything more is read', async (_, sql) => {
    const { client, session } = await path.under(rules);
    client.send(wire.query(sql), wire.query(latin("SELECT 'nothing'")));
    const messages = shown(await client.until('never'));
    expect(messages.at(-1)).toMatch(/^E 0A000 .*UTF8 only/);
    expect(messages.join()).not.toContain('nothing');
    expect((await path.read(await session())).body).toMatchObject({ status: 'done', exit_code: 254 });
  });

  it.each([
    ['a statement', [wire.parse(latin("INSERT INTO ran SELECT 1 WHERE 'Ã¼' = 'Ã¼'"))]],
    [
      'a value',
      [wire.parse('INSERT INTO ran SELECT 1 WHERE $1 = $1'), wire.bind([latin('Ã¼')]), wire.execute()],
    ],
  ])('for %s in the same pipeline is uncertain, and refused', async (_, messages) => {
    const { client } = await path.under(rules);
    const set = [wire.parse("DO $$ BEGIN PERFORM quietly('LATIN1'); END $$"), wire.bind(), wire.execute()];
    const reset = [wire.parse('SET client_encoding TO UTF8'), wire.bind(), wire.execute()];
    const answers = await client.ask(...set, ...messages, ...reset, wire.SYNC);
    expect(answers).toContainEqual(expect.stringMatching(/^E 0A000 .*ASCII only/));
    expect(answers.at(-1)).toBe('Z I');
    expect(await path.target.query('SELECT id FROM ran')).toEqual([]);
  });

  it('behind other commands: later messages are not read before', async () => {
    const { client } = await path.under(rules);
    client.send(
      wire.query('SELECT pg_sleep(0.3)'),
      wire.query("SELECT pg_sleep(0.3); DO $$ BEGIN PERFORM quietly('LATIN1'); END $$"),
      wire.query(latin("INSERT INTO ran SELECT 3 WHERE 'Ã¼' <> 'Schäfer'").subarray(0)),
    );
    expect(shown(await client.until('never')).at(-1)).toMatch(/^E (0A000|22021)/);
    expect(await path.target.query('SELECT id FROM ran')).toEqual([]);
  });

  it('of a statement prepared by SQL is uncertain too', async () => {
    const { client } = await path.under({});
    await client.ask(wire.query('PREPARE p AS SELECT set_config(lower($1), $2, false)'));
    const run = [wire.bind(['client_encoding', 'LATIN1'], { statement: 'p' }), wire.execute()];
    const answers = await client.ask(...run, wire.parse("SELECT 'Ã¼'"), wire.SYNC);
    expect(answers).toContainEqual(expect.stringMatching(/^E 0A000 .*ASCII only/));
  });

  it('that is reset within one command delivers nothing that the rules could not read', async () => {
    const { client } = await path.under(rules);
    const quietly = (sql: string) =>
      `DO $do$ BEGIN PERFORM quietly('LATIN1'); END $do$; ${sql}; SET client_encoding TO UTF8`;
    for (const sql of [
      'SELECT line FROM kept',
      'COPY kept TO STDOUT',
      "DO $$ BEGIN RAISE NOTICE '%', (SELECT line FROM kept); END $$",
      "SELECT quietly('LATIN1'), line FROM kept",
    ]) {
      const messages = await client.send(wire.query(quietly(sql))).until('Z');
      const bytes = Buffer.concat(messages.map(({ body }) => body)).toString('latin1');
      expect(bytes).not.toMatch(/M.{1,3}ller/);
      expect(messages.at(-1)?.type).toBe('Z');
    }
    const answers = await client.ask(wire.query("COPY kept TO STDOUT (ENCODING 'LATIN1')"));
    expect(answers.slice(-2)).toEqual([expect.stringMatching(/^E 22021/), 'Z I']);
  });

  it('to UTF8 passes, and so does text behind it', async () => {
    const { client } = await path.under(rules);
    for (const sql of ["SET client_encoding TO 'utf8'", "SET NAMES 'UTF8'"])
      expect(await client.ask(wire.query(sql))).toEqual(['C SET', 'Z I']);
    client.send(wire.query("SET client_encoding TO 'UTF8'"), wire.query("SELECT 'schön'"));
    expect(await client.ready(2)).toContain('D schön');
    client.send(wire.query("SET client_encoding TO 'UTF8'"), wire.query("SELECT 'Schäfer'"));
    expect(await client.ready(2)).toEqual(['C SET', 'Z I', 'E 42501 Not here.', 'Z I']);
  });
});
