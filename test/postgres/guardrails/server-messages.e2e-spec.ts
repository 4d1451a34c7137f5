import { describeGuardedPath } from '../../support/describe';
import { eventually } from '../../support/eventually';
import { blockWord, entries, maskWord } from '../../support/guarded-path';
import { WireClient, fieldsOf, shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

/** Tests messages of the target other than results under rules, because they may contain data of a table. */
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

  /** Makes the target run a statement at each login of clients named `greeted`, during `work`. */
  const greeting = async (statement: string, work: () => Promise<void>): Promise<void> => {
    await path.target.query(`
      CREATE FUNCTION greet() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
        IF current_setting('application_name') = 'greeted' THEN ${statement}; END IF; END $$;
      CREATE EVENT TRIGGER greet ON login EXECUTE FUNCTION greet();
      ALTER EVENT TRIGGER greet ENABLE ALWAYS`);
    try {
      await work();
    } finally {
      await path.target.query('DROP EVENT TRIGGER greet; DROP FUNCTION greet');
    }
  };
  /**
   * Signs in one client under each of these rules. Returns the first messages that it gets, and its
   * recording.
   */
  const greetings = async (...rules: readonly object[]) => {
    const all: { greeting: WireClient['greeting']; recorded: string }[] = [];
    for (const under of rules) {
      const { client: first, connection, session } = await path.under(under);
      first.send(wire.TERMINATE);
      const client = await WireClient.tried(path.gateway, connection, 'admin', {
        application_name: 'greeted',
      });
      client.send(wire.TERMINATE);
      const id = await session();
      await eventually('the session ends', async () => (await path.read(id)).body.status === 'done');
      all.push({ greeting: client.greeting, recorded: (await output(id)).join('') });
    }
    return all;
  };

  it('before a client is let in is screened and recorded like all else', () =>
    greeting("RAISE NOTICE 'a canary'", async () => {
      const all = await greetings({}, mask, block);
      const notices = all.map(({ greeting }) => shown(greeting.filter(({ type }) => type === 'N')));
      expect(notices).toEqual([['N 00000 a canary'], ['N 00000 a ****'], []]);
      expect(all.map(({ recorded }) => recorded)).toEqual([
        'NOTICE: a canary\n',
        'NOTICE: a ****\n',
        'Not for you.\n',
      ]);
    }));

  it('when it refuses a client is withheld where it is not readable', () =>
    greeting("RAISE 'a \ufffd' USING ERRCODE = '22023'", async () => {
      const all = await greetings({}, mask);
      expect(all.map(({ greeting }) => shown(greeting).at(-1))).toEqual([
        'E 22023 a \ufffd',
        'E 22023 The database refused a start-up parameter of the client.',
      ]);
    }));

  it('of its parameters before a client is let in is screened, but not its version', () =>
    greeting("PERFORM set_config('application_name', 'a canary', false)", async () => {
      const versions = { output: entries({ type: 'pattern_match', pattern_regex: '\\d' }) };
      const all = await greetings({}, mask, block, versions);
      const parameters = all.map(({ greeting }) => shown(greeting.filter(({ type }) => type === 'S')));
      const names = parameters.map((all) => all.filter((one) => one.includes('application_name')));
      expect(names).toEqual([
        ['S application_name=a canary'],
        ['S application_name=a ****'],
        [],
        ['S application_name=a canary'],
      ]);
      for (const all of parameters) expect(all).toContainEqual(expect.stringMatching(/^S server_version=\d/));
    }));

  it('when it refuses a client is screened, for the client and for the recording', () =>
    greeting(
      "RAISE 'a canary' USING ERRCODE = '22023', DETAIL = 'of canary', HINT = 'no canary'",
      async () => {
        const all = await greetings({}, mask, block);
        const refused = { S: 'FATAL', V: 'FATAL', C: '22023' };
        const plain = 'The database refused a start-up parameter of the client.';
        expect(all.map(({ greeting }) => greeting.map(fieldsOf).at(-1))).toEqual([
          { ...refused, M: 'a canary', D: 'of canary', H: 'no canary' },
          { ...refused, M: 'a ****', D: 'of ****', H: 'no ****' },
          { ...refused, M: plain },
        ]);
        expect(all.map(({ recorded }) => recorded)).toEqual([
          'a canary\n',
          'a ****\n',
          `Not for you.\n${plain}\n`,
        ]);
      },
    ));

  it('before any command is screened too', async () => {
    const { client } = await path.under(mask);
    await path.target.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()`);
    expect(shown(await client.until('never'))).toEqual([expect.stringMatching(/^E 57P01/)]);
  });
});
