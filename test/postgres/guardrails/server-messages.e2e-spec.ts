import { describeGuardedPath } from '../../support/describe';
import { blockWord, maskWord } from '../../support/guarded-path';
import { shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

/** Messages of the target besides results, under rules: they may contain data of a table. */
// promises: PROXY-4
describeGuardedPath('what a target says besides results', ({ path }) => {
  beforeAll(async () => {
    await path.target.query("CREATE TABLE once (key text UNIQUE); INSERT INTO once VALUES ('canary')");
  });

  const block = { output: blockWord('canary', 'Not for you.') };
  const mask = { output: maskWord('canary') };
  const output = async (id: string) =>
    (await path.recording(id)).filter(([type]) => type !== 'i').map(([, content]) => content);

  it.each([
    [
      'a notice',
      "DO $$ BEGIN RAISE NOTICE 'a canary' USING DETAIL = 'of canary'; END $$",
      /^N 00000 a \*{4}$/,
    ],
    ['a cast', "SELECT 'canary'::int", /^E 22P02 .*"\*{4}"$/],
    ['an error of one’s own', "DO $$ BEGIN RAISE EXCEPTION 'canary'; END $$", /^E P0001 \*{4}$/],
    ['a parameter', "SELECT set_config('application_name', 'canary', false)", /^S application_name=\*{4}$/],
    ['a notification', "LISTEN a; SELECT pg_notify('a', 'canary')", /^A$/],
  ])('is masked in %s, and withheld where it is blocked', async (_, text, expected) => {
    const { client, session } = await path.under(mask);
    const messages = await client.send(wire.query(text)).until('Z');
    expect(shown(messages)).toContainEqual(expect.stringMatching(expected));
    expect(Buffer.concat(messages.map(({ body }) => body)).toString()).not.toContain('canary');
    expect((await output(await session())).join()).not.toContain('canary');
    const { client: blocked, session: other } = await path.under(block);
    const rest = await blocked.send(wire.query(text)).until('Z');
    expect(Buffer.concat(rest.map(({ body }) => body)).toString()).not.toContain('canary');
    expect((await output(await other())).join()).not.toContain('canary');
  });

  it('reveals no value of a row in the details of an error', async () => {
    const { client } = await path.under(mask);
    const [error] = await client.send(wire.query("INSERT INTO once VALUES ('canary')")).until('E');
    expect(error?.body.toString()).toMatch(/Key \(key\)=\(\*{4}\) already exists/);
    expect(error?.body.toString()).not.toContain('canary');
  });

  it('to a client that only listens follows rules that come later', async () => {
    const { client, addRule } = await path.under({});
    await client.ask(wire.query('LISTEN news'));
    const notify = (text: string) => path.target.query(`NOTIFY news, '${text}'`);
    await notify('canary one');
    expect((await client.until('A')).at(-1)?.body.toString()).toContain('canary one');
    await addRule(mask);
    await notify('canary two');
    expect((await client.until('A')).at(-1)?.body.toString()).toContain('**** two');
  });

  it('before a client is let in is screened and recorded like all else', async () => {
    await path.target.query(`
      CREATE FUNCTION greet() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'a canary'; END $$;
      CREATE EVENT TRIGGER greet ON login EXECUTE FUNCTION greet();
      ALTER EVENT TRIGGER greet ENABLE ALWAYS`);
    try {
      const notices: string[][] = [];
      const recorded: string[] = [];
      for (const rules of [{}, mask, block]) {
        const { client, session } = await path.under(rules);
        notices.push(shown(client.greeting.filter(({ type }) => type === 'N')));
        recorded.push((await output(await session())).join(''));
      }
      expect(notices).toEqual([['N 00000 a canary'], ['N 00000 a ****'], []]);
      expect(recorded).toEqual(['NOTICE: a canary\n', 'NOTICE: a ****\n', 'Not for you.\n']);
    } finally {
      await path.target.query('DROP EVENT TRIGGER greet; DROP FUNCTION greet');
    }
  });

  it('before any command is screened too', async () => {
    const { client } = await path.under(mask);
    await path.target.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    expect(shown(await client.until('never'))).toEqual([expect.stringMatching(/^E 57P01/)]);
  });
});
