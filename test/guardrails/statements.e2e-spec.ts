import { describeDataPath } from '../support/describe';
import { createRule, postRule } from '../support/guardrails';

/** Tests on a real PostgreSQL that refused statements never run, and that allowed statements do. */
describeDataPath('statement rules', ({ path }) => {
  let count = 0;

  const entry = (more: object) => ({ type: 'sql_statement', words: [], pattern_regex: '', ...more });

  const under = async (...rules: object[]) => {
    const connection = `judged-${++count}`;
    const connectionId = await path.connect(connection);
    const id = await createRule(path.gateway, {
      name: `statements-${count}`,
      connection_ids: [connectionId],
      input: { rules },
    });
    return { id, run: async (script: string) => (await path.run(script, { connection })).body };
  };

  const isThere = async (table: string) =>
    (await path.target.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [table]))[0]
      ?.there;

  // promises: GUARDRAIL-15
  it('refuse what they forbid; the person sees the message, auditors the fact', async () => {
    await path.target.query('CREATE TABLE doomed (id int)');
    const { run } = await under(entry({ kinds: ['drop'], message: 'We keep our tables.' }));
    const script = 'SELECT 1;\nDROP /* now */ TABLE doomed';
    const answer = await run(script);
    expect(answer).toMatchObject({ output_status: 'blocked', exit_code: 254, output: 'We keep our tables.' });
    expect(await isThere('doomed')).toBe(true);
    expect((await path.read(answer.session_id, '', 'auditor')).body.guardrails_info).toEqual([
      {
        rule_id: expect.any(String),
        rule_name: `statements-${count}`,
        direction: 'input',
        entry: 0,
        rule: entry({ kinds: ['drop'], message: 'We keep our tables.' }),
        matched_words: ['drop'],
        matches: [{ start: 10, end: script.length, text: 'drop' }],
        message: 'We keep our tables.',
      },
    ]);
    expect(await run("SELECT 'drop table doomed' AS x")).toMatchObject({ output_status: 'success' });
  });

  // promises: GUARDRAIL-15
  it('refuse unparseable, hidden or too deep statements, unless the entry allows them', async () => {
    const strict = await under(entry({ kinds: ['truncate'] }));
    const lax = await under(entry({ kinds: ['truncate'], unparseable: 'allow' }));
    const scripts: [string, string][] = [
      ['DO $$ BEGIN PERFORM 1; END $$', 'success'],
      ['SELEC 1', 'failed'],
      [`SELECT ${'('.repeat(20_000)}1${')'.repeat(20_000)}`, 'failed'],
      ["SET standard_conforming_strings = off; SELECT 'x'", 'success'],
    ];
    for (const [script, status] of scripts) {
      expect([script.slice(0, 40), (await strict.run(script)).output_status]).toEqual([
        script.slice(0, 40),
        'blocked',
      ]);
      expect([script.slice(0, 40), (await lax.run(script)).output_status]).toEqual([
        script.slice(0, 40),
        status,
      ]);
    }
    expect((await lax.run('TRUNCATE customers')).output_status).toBe('blocked');
  });

  it('judge long scripts too, whatever hides at their end', async () => {
    await path.target.query('CREATE TABLE hidden (id int)');
    const { run } = await under(entry({ kinds: ['drop'] }));
    const filler = Array.from({ length: 8_000 }, (_, i) => `SELECT ${i} AS n WHERE false;`).join('\n');
    expect(filler.length).toBeGreaterThan(200_000);
    expect(await run(`${filler}\nDROP TABLE hidden`)).toMatchObject({ output_status: 'blocked' });
    expect(await isThere('hidden')).toBe(true);
    expect(await run(`${filler}\nSELECT 'ran' AS x`)).toMatchObject({
      output_status: 'success',
      output: expect.stringMatching(/x\nran\n$/),
    });
  });

  it('read strings as the target does, also where its default is another', async () => {
    await path.target.query('CREATE TABLE escaped (id int)');
    await path.target.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET standard_conforming_strings = off', current_database()); END $$`,
    );
    const { run } = await under(entry({ kinds: ['drop'] }));
    // With the target's default, the string would end after four characters, and the DROP would run.
    const answer = await run(String.raw`SELECT '\''; DROP TABLE escaped; --' AS x`);
    await path.target.query(
      `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I RESET standard_conforming_strings', current_database()); END $$`,
    );
    expect(answer).toMatchObject({ output_status: 'success', exit_code: 0 });
    expect(await isThere('escaped')).toBe(true);
  });

  it('do not apply to input that is not SQL', async () => {
    const { id } = await under(entry({ kinds: ['drop'] }));
    expect((await path.gateway.call('admin', 'GET', `/guardrails/${id}`)).body.input.rules).toEqual([
      entry({ kinds: ['drop'] }),
    ]);
  });

  it.each<[string, object, number, RegExp]>([
    ['no condition', entry({}), 422, /^input\.rules\.0: give at least one of kinds/],
    [
      'an unknown kind',
      entry({ kinds: ['explode'] }),
      422,
      /^each value in input\.rules\.0\.kinds must be one of/,
    ],
    [
      'a table without access',
      entry({ tables: [{ name: 'users' }] }),
      400,
      /^input\.rules\.0\.tables\.0\.access/,
    ],
    [
      'a table that is no name',
      entry({ tables: [{ name: 'a b', access: 'any' }] }),
      422,
      /^input\.rules\.0: a b is not a name like users or public\.users$/,
    ],
    [
      'an unknown key of a table',
      entry({ tables: [{ name: 'a', access: 'any', x: 1 }] }),
      400,
      /unknown field/,
    ],
    [
      'functions that are no texts',
      entry({ functions: [1] }),
      400,
      /^each value in input\.rules\.0\.functions/,
    ],
    [
      'an unknown policy',
      entry({ kinds: ['drop'], unparseable: 'maybe' }),
      422,
      /^input\.rules\.0\.unparseable/,
    ],
    [
      'a mask',
      entry({ kinds: ['drop'], action: 'mask' }),
      422,
      /^input\.rules\.0: only output can be masked$/,
    ],
    [
      'a flag that is none',
      entry({ without_where: 'yes' }),
      400,
      /^input\.rules\.0\.without_where must be a boolean/,
    ],
  ])('are refused with %s', async (_, rule, status, message) => {
    const answer = await postRule(path.gateway, { name: `bad-${++count}`, input: { rules: [rule] } });
    expect([answer.status, answer.body.message]).toEqual([status, expect.stringMatching(message)]);
  });
});
