import { type GuardedPath, blockWord, startGuardedPath } from './support/guarded-path';
import { shown } from './support/wire-client';
import * as wire from './support/wire-messages';

const latin = (sql: string) => Buffer.from(sql, 'latin1');

/** Rules read UTF-8. No client gets to be read otherwise by the target than by the gateway. */
describe('another client_encoding', () => {
  let path: GuardedPath;

  beforeAll(async () => {
    path = await startGuardedPath();
    await path.target.query(`
      CREATE TABLE ran (id int);
      CREATE FUNCTION quietly(encoding text) RETURNS text LANGUAGE plpgsql AS
        $$ BEGIN RETURN set_config('client_encoding', encoding, false); END $$;
      CREATE TABLE kept (line text);
      INSERT INTO kept VALUES ('Müller')`);
  });

  afterAll(() => path.close());

  const rules = { input: blockWord('Schäfer', 'Not here.'), output: blockWord('Müller', 'Not for you.') };

  it.each([
    ['SET', 'SET client_encoding TO LATIN1'],
    ['SET NAMES', "SET NAMES 'LATIN1'"],
    ['set_config', "SELECT set_config('client_encoding', 'LATIN1', false)"],
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
  ])('for %s in the same pipeline is in doubt: refused', async (_, messages) => {
    const { client } = await path.under(rules);
    const set = [wire.parse('SET client_encoding TO LATIN1'), wire.bind(), wire.execute()];
    const reset = [wire.parse('SET client_encoding TO UTF8'), wire.bind(), wire.execute()];
    const answers = await client.ask(...set, ...messages, ...reset, wire.SYNC);
    expect(answers).toContainEqual(expect.stringMatching(/^E 0A000 .*ASCII only/));
    expect(answers.at(-1)).toBe('Z I');
    expect(await path.target.query('SELECT id FROM ran')).toEqual([]);
  });

  it('is waited for behind other commands: what comes after them is not read before', async () => {
    const { client } = await path.under(rules);
    client.send(
      wire.query('SELECT pg_sleep(0.3)'),
      wire.query('SELECT pg_sleep(0.3); SET client_encoding TO LATIN1'),
      wire.query(latin("INSERT INTO ran SELECT 3 WHERE 'Ã¼' <> 'Schäfer'").subarray(0)),
    );
    expect(shown(await client.until('never')).at(-1)).toMatch(/^E (0A000|22021)/);
    expect(await path.target.query('SELECT id FROM ran')).toEqual([]);
  });

  it('of a prepared statement of SQL is in doubt as well', async () => {
    const { client } = await path.under({});
    await client.ask(wire.query('PREPARE p AS SELECT set_config($1, $2, false)'));
    const run = [wire.bind(['client_encoding', 'LATIN1'], { statement: 'p' }), wire.execute()];
    const answers = await client.ask(...run, wire.parse("SELECT 'Ã¼'"), wire.SYNC);
    expect(answers).toContainEqual(expect.stringMatching(/^E 0A000 .*ASCII only/));
  });

  it('that is set back within one command shows nothing that the rules could not read', async () => {
    const { client } = await path.under(rules);
    const quietly = (sql: string) => `SET client_encoding TO LATIN1; ${sql}; SET client_encoding TO UTF8`;
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

  it('that is UTF8 all the same is fine, and so is text behind it', async () => {
    const { client } = await path.under(rules);
    for (const sql of ["SET client_encoding TO 'utf8'", "SET NAMES 'UTF8'"])
      expect(await client.ask(wire.query(sql))).toEqual(['C SET', 'Z I']);
    client.send(wire.query("SET client_encoding TO 'UTF8'"), wire.query("SELECT 'schön'"));
    expect(await client.ready(2)).toContain('D schön');
    client.send(wire.query("SET client_encoding TO 'UTF8'"), wire.query("SELECT 'Schäfer'"));
    expect(await client.ready(2)).toEqual(['C SET', 'Z I', 'E 42501 Not here.', 'Z I']);
  });
});
