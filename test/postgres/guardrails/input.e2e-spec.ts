import { describeGuardedPath } from '../../support/describe';
import { blockWord, entries } from '../../support/guarded-path';
import { WireClient, shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

const REFUSED = 'E 42501 Not here.';

/** Refused commands: the answer to the client, what ran, and the state of the session afterwards. */
describeGuardedPath('a refused command', ({ path }) => {
  beforeAll(async () => {
    await path.target.query('CREATE TABLE ran (id int)');
  });

  beforeEach(() => path.target.query('TRUNCATE ran'));

  const ids = async () =>
    (await path.target.query<{ id: number }>('SELECT id FROM ran ORDER BY id')).map(({ id }) => id);
  const rules = { input: blockWord('forbidden', 'Not here.') };
  const insert = (id: number) => `INSERT INTO ran VALUES (${id})`;
  /** Asks the target whether the transaction has failed: a failed transaction answers no query. */
  const truth = async (client: WireClient) => (await client.ask(wire.query('SELECT 1')))[0];

  // promises: PROXY-3, GUARDRAIL-11
  it('runs nothing of a text with several statements', async () => {
    const { client, session } = await path.under(rules);
    const text = `${insert(1)}; COMMIT; SELECT 'forbidden'; ${insert(2)}`;
    expect(await client.ask(wire.query(text))).toEqual([REFUSED, 'Z I']);
    expect(await ids()).toEqual([]);
    expect(await client.ask(wire.query(insert(3)))).toEqual(['C INSERT 0 1', 'Z I']);
    expect(await path.recording(await session())).toEqual([
      ['i', text],
      ['e', 'Not here.\n'],
      ['i', insert(3)],
      ['o', 'INSERT 0 1\n'],
    ]);
  });

  // promises: GUARDRAIL-26
  it('does not reach the sessions of others, whose account at the target is the same', async () => {
    const kinds = entries({ type: 'sql_statement', kinds: ['other_sessions'], message: 'Not here.' });
    const { client, connection } = await path.under({ input: kinds });
    const other = await path.signIn(connection, 'bob');
    const pid = `(SELECT pid FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = current_user LIMIT 1)`;
    const [mine] = (await other.ask(wire.query('SELECT pg_backend_pid()'))).filter((l) => l.startsWith('D'));
    for (const text of [
      `SELECT pg_terminate_backend(${pid})`,
      `SELECT pg_terminate_backend(${mine!.slice(2)})`,
      `SELECT x.pg_cancel_backend FROM unnest(ARRAY[${mine!.slice(2)}]) x`,
      'SELECT query FROM pg_catalog."pg_stat_activity"',
      'SELECT * FROM pg_stat_get_activity(NULL)',
    ])
      expect(await client.ask(wire.query(text))).toEqual([REFUSED, 'Z I']);
    expect(await client.ask(wire.query('SELECT pg_backend_pid() IS NOT NULL'))).toContain('D t');
    expect(await other.ask(wire.query('SELECT 1'))).toContain('D 1');
  });

  // promises: PROXY-3
  it('leaves the transaction failed, as the target reports', async () => {
    const { client } = await path.under(rules);
    expect(await client.ask(wire.query(`BEGIN; ${insert(1)}`))).toEqual(['C BEGIN', 'C INSERT 0 1', 'Z T']);
    expect(await client.ask(wire.query("SELECT 'forbidden'"))).toEqual([REFUSED, 'Z E']);
    expect(await truth(client)).toMatch(/^E 25P02/);
    expect(await client.ask(wire.query('COMMIT'))).toEqual(['C ROLLBACK', 'Z I']);
    expect(await ids()).toEqual([]);
  });

  it('goes back to a savepoint, as any error does', async () => {
    const { client } = await path.under(rules);
    await client.ask(wire.query(`BEGIN; ${insert(1)}; SAVEPOINT here`));
    expect(await client.ask(wire.query("SELECT 'forbidden'"))).toEqual([REFUSED, 'Z E']);
    expect(await client.ask(wire.query('ROLLBACK TO here'))).toEqual(['C ROLLBACK', 'Z T']);
    expect(await client.ask(wire.query('COMMIT'))).toEqual(['C COMMIT', 'Z I']);
    expect(await ids()).toEqual([1]);
  });

  it.each([
    ['a Parse', [wire.parse("SELECT 'forbidden'"), wire.bind(), wire.execute()]],
    ['a value of a Bind', [wire.parse('SELECT $1::text'), wire.bind(['forbidden']), wire.execute()]],
    [
      'a binary value of a Bind',
      [wire.parse('SELECT $1::text'), wire.bind(['forbidden'], { formats: [1] }), wire.execute()],
    ],
  ])(
    '%s skips to the next Sync; what was before it is answered, and what is after it runs',
    async (_, parts) => {
      const { client } = await path.under(rules);
      const run = (id: number) => [wire.parse(insert(id)), wire.bind(), wire.execute()];
      client.send(...run(1), ...parts, ...run(2), wire.query(insert(3)), wire.SYNC, ...run(4), wire.SYNC);
      const answers = await client.ready(2);
      const refused = answers.indexOf(REFUSED);
      expect(answers.slice(0, 3)).toEqual(['1', '2', 'C INSERT 0 1']);
      expect(answers.slice(refused)).toEqual([REFUSED, 'Z I', '1', '2', 'C INSERT 0 1', 'Z I']);
      // All commands before the first Sync are one transaction. It failed, so only the row 4 was inserted.
      expect(await ids()).toEqual([4]);
    },
  );

  it.each([
    ['I', []],
    ['E', [wire.query('BEGIN')]],
  ])('leaves a pipeline in the state %s', async (state, before) => {
    const { client } = await path.under(rules);
    for (const message of before) await client.ask(message);
    expect(await client.ask(wire.parse("SELECT 'forbidden'"), wire.SYNC)).toEqual([REFUSED, `Z ${state}`]);
    if (state === 'E') expect(await truth(client)).toMatch(/^E 25P02/);
    else expect(await client.ask(wire.query(insert(1)))).toEqual(['C INSERT 0 1', 'Z I']);
  });

  it('removes the unnamed statement and keeps named ones, as a failed Parse does', async () => {
    const { client } = await path.under(rules);
    const direct = await WireClient.direct(path.target);
    const names = [wire.parse('SELECT 1'), wire.parse('SELECT 2', 'kept'), wire.SYNC];
    const useBoth = async (one: WireClient, failing: string) => {
      await one.ask(...names);
      await one.ask(wire.parse(failing), wire.SYNC);
      await one.ask(wire.parse(failing, 'kept'), wire.SYNC);
      return [
        await one.ask(wire.bind([], { statement: 'kept' }), wire.execute(), wire.SYNC),
        await one.ask(wire.bind(), wire.execute(), wire.SYNC),
      ];
    };
    const expected = await useBoth(direct, 'this is no SQL');
    expect(await useBoth(client, "SELECT 'forbidden'")).toEqual(expected);
    direct.close();
  });

  it('is refused when it was prepared before the rule was there', async () => {
    const { client, addRule } = await path.under({});
    await client.ask(wire.parse(insert(1), 'early'), wire.parse(insert(2)), wire.bind(), wire.SYNC);
    await addRule({ input: blockWord('insert into ran', 'Not here.') });
    const early = [wire.bind([], { statement: 'early' }), wire.execute(), wire.SYNC];
    expect(await client.ask(...early)).toEqual(['2', REFUSED, 'Z I']);
    expect(await ids()).toEqual([]);
  });

  it('is refused when its portal continues after a rule was added', async () => {
    const { client, addRule } = await path.under({});
    await client.ask(wire.query('BEGIN'));
    const begin = [wire.parse('SELECT generate_series(1, 3)'), wire.bind([], { portal: 'p' })];
    expect(await client.ask(...begin, wire.execute('p', 1), wire.SYNC)).toEqual([
      '1',
      '2',
      'D 1',
      's',
      'Z T',
    ]);
    await addRule({ input: blockWord('generate_series', 'Not here.') });
    expect(await client.ask(wire.execute('p', 1), wire.SYNC)).toEqual([REFUSED, 'Z E']);
    expect(await truth(client)).toMatch(/^E 25P02/);
  });

  it('may run again once its rule is gone', async () => {
    const { client, ruleId } = await path.under(rules);
    expect(await client.ask(wire.query("SELECT 'forbidden'"))).toEqual([REFUSED, 'Z I']);
    await path.gateway.call('admin', 'DELETE', `/guardrails/${ruleId}`);
    expect(await client.ask(wire.query("SELECT 'forbidden'"))).toContain('D forbidden');
  });

  it('is reported in its session', async () => {
    const { client, session, ruleId } = await path.under(rules);
    await client.ask(wire.query('SELECT 1'));
    await client.ask(wire.query("SELECT 'forbidden'"));
    await client.ask(wire.parse('SELECT $1::text'), wire.bind(['forbidden']), wire.SYNC);
    client.send(wire.TERMINATE);
    expect(await client.until('never')).toEqual([]);
    const { body } = await path.read(await session(), '', 'auditor');
    expect(body.metrics.guardrails).toMatchObject({ blocked: 2 });
    expect(body.guardrails_info).toMatchObject([
      { rule_id: ruleId, direction: 'input', message: 'Not here.', matches: [{ text: 'forbidden' }] },
      { rule_id: ruleId, direction: 'input', message: 'Not here.', matches: [{ text: 'forbidden' }] },
    ]);
  });

  it('prepared by SQL is judged by its text', async () => {
    const { client, addRule } = await path.under({});
    await client.ask(wire.query(`PREPARE early AS ${insert(1)}`));
    await client.ask(wire.query('DECLARE c CURSOR WITH HOLD FOR SELECT 7'));
    const early = [wire.bind([], { statement: 'early' }), wire.execute(), wire.SYNC];
    const forbid = (kind: string) =>
      addRule({ input: entries({ type: 'sql_statement', kinds: [kind], message: 'Not here.' }) });
    await forbid('drop');
    expect(await client.ask(...early)).toEqual(['2', 'C INSERT 0 1', 'Z I']);
    await forbid('insert');
    expect(await client.ask(...early)).toEqual([REFUSED, 'Z I']);
    expect(await ids()).toEqual([1]);
    expect(await client.ask(wire.execute('c'), wire.SYNC)).toEqual(['D 7', 'C SELECT 1', 'Z I']);
  });

  it('prepared by a code block is refused as unknown', async () => {
    const { client, addRule } = await path.under({});
    await client.ask(wire.query(`DO $$ BEGIN EXECUTE 'PREPARE early AS ${insert(1)}'; END $$`));
    await addRule({ input: entries({ type: 'sql_statement', kinds: ['drop'], message: 'Not here.' }) });
    const early = [wire.bind([], { statement: 'early' }), wire.execute(), wire.SYNC];
    expect(await client.ask(...early)).toEqual([REFUSED, 'Z I']);
    expect(await ids()).toEqual([]);
  });

  // promises: PROXY-6
  it('is a function call by the protocol', async () => {
    const { client, session } = await path.under({});
    const [first, last] = await client.ask(wire.functionCall(1), wire.query('SELECT 1'));
    expect([first, last]).toEqual([expect.stringMatching(/^E 0A000 Function calls/), 'Z I']);
    expect(await client.ready()).toContain('D 1');
    expect(await path.recording(await session())).toContainEqual([
      'e',
      expect.stringMatching(/^Function calls/),
    ]);
  });

  it('is a text that is no UTF-8: nothing of it runs, all of it is recorded', async () => {
    const { client, session } = await path.under({});
    const bytes = Buffer.concat([Buffer.from(`${insert(1)}; SELECT '`), Buffer.of(0xfc), Buffer.from("'")]);
    expect(await client.ask(wire.query(bytes))).toEqual([expect.stringMatching(/^E 22021/), 'Z I']);
    expect(await client.ask(wire.parse(bytes), wire.SYNC)).toEqual([
      expect.stringMatching(/^E 22021/),
      'Z I',
    ]);
    expect(await ids()).toEqual([]);
    const { body } = await path.read(await session(), '?expand=event_stream');
    const inputs = (body.event_stream as string[][]).filter(([, type]) => type === 'i');
    expect(inputs.map(([, , content]) => content)).toEqual(Array(2).fill(bytes.toString('base64')));
  });

  it('is reported at once, without a Sync', async () => {
    const { client } = await path.under(rules);
    client.send(wire.parse("SELECT 'forbidden'"), wire.FLUSH);
    expect(shown(await client.until('E'))).toEqual([REFUSED]);
    expect(await client.ask(wire.parse('SELECT 1'), wire.SYNC)).toEqual(['Z I']);
  });
});
