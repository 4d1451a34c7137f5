import { describeGuardedPath } from '../../support/describe';
import { blockWord, entries, maskWord } from '../../support/guarded-path';
import { shown } from '../../support/wire-client';
import * as wire from '../../support/wire-messages';

const REFUSED = 'E 42501 Not for you.';
const PATIENT_MS = 480_000;

const NO_VALUE =
  /^E 42501 Column "\S+" of type \S+ cannot be delivered, .* no value of that type; cast it to text in the statement\.$/;

/** Results under rules: what reaches the client, what is recorded, and how the session continues. */
describeGuardedPath('a guarded result', ({ path }) => {
  beforeAll(async () => {
    await path.target.query(`CREATE TABLE ran (id int)`);
  });

  const block = { output: blockWord('canary', 'Not for you.') };
  const mask = { output: maskWord('canary') };
  const extended = (sql: string, rows = 0) => [
    wire.parse(sql),
    wire.bind(),
    wire.describePortal(),
    wire.execute('', rows),
    wire.SYNC,
  ];
  const output = async (id: string) =>
    (await path.recording(id)).filter(([type]) => type !== 'i').map(([, content]) => content);

  // promises: PROXY-4
  it.each([
    ['a simple query', [wire.query("SELECT 1 AS n, 'a canary' AS bird")]],
    ['the extended protocol', extended("SELECT 1 AS n, 'a canary' AS bird")],
  ])('is blocked by %s, and the session goes on', async (_, messages) => {
    const { client, session } = await path.under(block);
    const answers = await client.ask(...messages);
    expect(answers.slice(-2)).toEqual([REFUSED, 'Z I']);
    expect(answers.join()).not.toContain('canary');
    expect(await client.ask(wire.query('SELECT 2'))).toContain('D 2');
    expect(await output(await session())).toEqual(['Not for you.\n', '?column?\n2\n']);
  });

  // promises: PROXY-4
  it.each([
    ['a simple query', [wire.query("SELECT 'é a canary ü' AS bird, NULL AS x, 'canary' AS y")]],
    ['the extended protocol', extended("SELECT 'é a canary ü' AS bird, NULL AS x, 'canary' AS y")],
  ])('is masked in %s, recorded as it was delivered, and counted', async (_, messages) => {
    const { client, session } = await path.under(mask);
    const answers = await client.ask(...messages);
    expect(answers.slice(-4)).toEqual(['T bird|x|y', 'D é a **** ü|NULL|****', 'C SELECT 1', 'Z I']);
    const id = await session();
    expect(await output(id)).toEqual(['bird\tx\ty\né a **** ü\t\\N\t****\n']);
    client.send(wire.TERMINATE);
    await client.until('never');
    expect((await path.read(id)).body.metrics.data_masking).toMatchObject({ total_redact_count: 2 });
  });

  it('is masked separately for each result', async () => {
    const { client } = await path.under(mask);
    const rows = "SELECT 'xx canary yy'; SELECT 'abcdefghijklmnopqrstuvwxyz'";
    expect((await client.ask(wire.query(rows))).filter((line) => line.startsWith('D'))).toEqual([
      'D xx **** yy',
      'D abcdefghijklmnopqrstuvwxyz',
    ]);
  });

  it('is not released before a slower screen has finished', async () => {
    const pattern = { type: 'pattern_match', pattern_regex: 'can[a]ry', message: 'Not for you.' };
    const { client } = await path.under({ output: entries(pattern) });
    // Matching the pattern in a text of this size runs in another thread.
    const text = "SELECT repeat('x', 6000) || 'canary'";
    for (let time = 0; time < 5; time += 1)
      expect(await client.ask(wire.query(text))).toEqual([REFUSED, 'Z I']);
  });

  it('is masked wherever its chunks end, and is complete', async () => {
    const { client } = await path.under(mask);
    const text = "SELECT n, repeat('-', n % 97) || 'ü canary ' || n FROM generate_series(1, 20000) AS n";
    const rows = (await client.ask(wire.query(text))).filter((line) => line.startsWith('D'));
    expect(rows).toEqual(
      Array.from({ length: 20_000 }, (_, i) => `D ${i + 1}|${'-'.repeat((i + 1) % 97)}ü **** ${i + 1}`),
    );
  });

  it('is blocked wherever a long result has the word, and nothing of it arrives', async () => {
    const { client } = await path.under(block);
    for (const before of [0, 4_000, 8_180, 16_380, 65_530, 200_000]) {
      const answers = await client.ask(
        wire.query(
          `SELECT repeat('x', ${before}) || 'canary' || repeat('y', 70000) FROM generate_series(1, 3)`,
        ),
      );
      expect(answers.slice(-2)).toEqual([REFUSED, 'Z I']);
      expect(answers.join()).not.toContain('can');
    }
  });

  it('is screened in parts when a portal returns rows in parts', async () => {
    const { client } = await path.under(mask);
    await client.ask(wire.query('BEGIN'));
    const text = "SELECT 'canary ' || n FROM generate_series(1, 5) AS n";
    const begin = [wire.parse(text), wire.bind([], { portal: 'p' }), wire.execute('p', 2), wire.SYNC];
    expect(await client.ask(...begin)).toEqual(['1', '2', 'D **** 1', 'D **** 2', 's', 'Z T']);
    expect(await client.ask(wire.execute('p', 2), wire.execute('p'), wire.SYNC)).toEqual([
      'D **** 3',
      'D **** 4',
      's',
      'D **** 5',
      'C SELECT 1',
      'Z T',
    ]);
    await client.ask(wire.query("DECLARE c CURSOR FOR SELECT 'canary'; SELECT 1"));
    expect(await client.ask(wire.query('FETCH ALL FROM c'))).toContain('D ****');
    await client.ask(wire.query("DECLARE d CURSOR FOR SELECT 'canary'; SELECT 1"));
    expect(await client.ask(wire.execute('d'), wire.SYNC)).toEqual(['D ****', 'C SELECT 1', 'Z T']);
    await client.ask(wire.query("PREPARE q AS SELECT 'canary'"));
    expect(await client.ask(wire.query('EXECUTE q'))).toContain('D ****');
    const byName = [wire.bind([], { statement: 'q' }), wire.execute(), wire.SYNC];
    expect(await client.ask(...byName)).toEqual(['2', 'D ****', 'C SELECT 1', 'Z T']);
  });

  it('skips to the Sync after a refused part; earlier synced commands have run', async () => {
    const { client } = await path.under(block);
    const run = (sql: string) => [wire.parse(sql), wire.bind(), wire.execute()];
    expect(
      await client.ask(...run("SELECT 'canary'"), ...run('INSERT INTO ran VALUES (1)'), wire.SYNC),
    ).toEqual(['1', '2', REFUSED, 'Z I']);
    client.send(...run("SELECT 'canary'"), wire.FLUSH);
    expect(shown(await client.until('E'))).toEqual(['1', '2', REFUSED]);
    expect(await client.ask(...run('INSERT INTO ran VALUES (2)'), wire.SYNC)).toEqual(['Z I']);
    expect(await path.target.query('SELECT id FROM ran')).toEqual([{ id: 1 }]);
  });

  it('that was refused cannot be used to slip messages past the gateway', async () => {
    const { client, session } = await path.under(block);
    client.send(wire.parse("SELECT 'canary'"), wire.bind(), wire.execute(), wire.FLUSH);
    await client.until('E');
    // Sends COPY data without a COPY. If the gateway dropped only their header, their content would be read
    // as messages.
    const hidden = [wire.SYNC, wire.query('INSERT INTO ran VALUES (66)')];
    const data = wire.copyData(Buffer.concat([Buffer.alloc(150_000), ...hidden]));
    const cut = data.length - Buffer.concat(hidden).length;
    client.send(data.subarray(0, cut));
    await new Promise((drained) => client.socket.write('', drained));
    await path.run('SELECT 1');
    client.send(data.subarray(cut));
    expect(await client.ask(wire.SYNC, wire.query('SELECT 1'))).toEqual(['Z I']);
    expect(await client.ready()).toContain('D 1');
    expect(await path.target.query('SELECT id FROM ran WHERE id = 66')).toEqual([]);
    expect((await path.recording(await session())).filter(([type]) => type === 'o')).toEqual([
      ['o', '?column?\n1\n'],
    ]);
  });

  // promises: PROXY-4
  it('masks text in binary form, matches integers, and refuses what cannot be masked', async () => {
    const { client } = await path.under({
      output: entries({ type: 'deny_words_list', words: ['canary', '4711'], action: 'mask' }),
    });
    const ask = async (sql: string) => {
      await client.ask(wire.parse(sql, ''), wire.SYNC);
      const answers = await client.ask(
        wire.describeStatement(),
        wire.bind([], { results: [1] }),
        wire.execute(),
        wire.SYNC,
      );
      return answers.filter((line) => /^[DE]/.test(line));
    };
    for (const type of ['text', 'varchar', 'name', 'json', 'xml', 'bpchar'])
      expect(await ask(`SELECT '"canary"'::${type}`)).toEqual(['D "****"']);
    for (const type of ['int4', 'int8', 'int2'])
      expect(await ask(`SELECT 4711::${type}`)).toEqual([expect.stringMatching(NO_VALUE)]);
    expect(await ask("SELECT 'canary'::bytea")).toEqual([expect.stringMatching(NO_VALUE)]);
    expect(await ask('SELECT 4712::int4')).toEqual(['D \0\0\x12h']);
  });

  // promises: PROXY-8
  it.each<[string, number]>([
    ['in text form', 0],
    ['in binary form', 1],
  ])('stays JSON where numbers of a document are masked: %s', async (_, format) => {
    const card = { type: 'detector', detectors: ['payment_card'], action: 'mask', keep_last: 4 };
    const word = { type: 'deny_words_list', words: ['canary"', 'truth', 'true'], action: 'mask' };
    const { client } = await path.under({ output: entries(card, word) });
    const ask = async (sql: string) => {
      await client.ask(wire.parse(sql, ''), wire.SYNC);
      const portal = wire.bind([], { results: [format] });
      const answers = await client.ask(wire.describeStatement(), portal, wire.execute(), wire.SYNC);
      // Removes the version byte that precedes jsonb in binary form.
      return answers.filter((line) => /^[DE]/.test(line)).map((line) => line.replace('\u0001', ''));
    };
    const N = 4111111111111111n;
    expect(await ask(`SELECT json_build_object('card', ${N}, 'n', 1)`)).toEqual([
      'D {"card" : "****1111", "n" : 1}',
    ]);
    expect(await ask(`SELECT jsonb_build_object('card', ${N}, 'is', true)`)).toEqual([
      'D {"is": "****", "card": "****1111"}',
    ]);
    expect(await ask(`SELECT row_to_json(c) FROM (SELECT ${N} AS card, 'x ${N}' AS text) c`)).toEqual([
      'D {"card":"****1111","text":"x ****1111"}',
    ]);
    const refused = /^E 42501 Column "json" of type json cannot be delivered, .* no JSON with the mask\.$/;
    expect(await ask(`SELECT '{"a": "canary"}'::json`)).toEqual([expect.stringMatching(refused)]);
    expect(await ask(`SELECT '{"a": [1]}'::json`)).toEqual(['D {"a": [1]}']);
  });

  // promises: PROXY-8
  it('stays JSON in answers of the simple protocol', async () => {
    const { client } = await path.under({ output: maskWord('4711') });
    const answers = await client.ask(wire.query("SELECT '[4711, 1]'::json; SELECT '[4711, 1]'::text"));
    expect(answers.filter((line) => line.startsWith('D'))).toEqual(['D ["****", 1]', 'D [****, 1]']);
  });

  // promises: PROXY-8
  it.each<[string, string, string | RegExp]>([
    ['a number', '4711', NO_VALUE],
    ['a numeric', '4711.00', NO_VALUE],
    ['a range', "'[1,4711)'::int4range", NO_VALUE],
    ['an array of numbers', 'ARRAY[1, 4711]', NO_VALUE],
    ['a composite with a number', '(4711, 4711, NULL)::pair', NO_VALUE],
    ['a text', "4711::text || ', a'", 'D ****, a'],
    ['a domain of a text', "'4711'::code", 'D ****'],
    ['an array of texts', "ARRAY['a, 4711', NULL]", 'D {"a, ****",NULL}'],
    ['a composite', "(1, 'a, 4711', ARRAY['4711'])::pair", 'D (1,"a, ****",{****})'],
    ['a record without a name', "(1, 'a, 4711')", 'D (1,"a, ****")'],
    ['hstore', "hstore('a', '4711')", 'D "a"=>"****"'],
    ['xml', "'<a>4711</a>'::xml", 'D <a>****</a>'],
  ])('stays a value of its type in text form, or is refused: %s', async (_, value, expected) => {
    await path.target.query(`
      CREATE EXTENSION IF NOT EXISTS hstore; DROP TYPE IF EXISTS pair; DROP DOMAIN IF EXISTS code;
      CREATE TYPE pair AS (number int8, text text, list text[]); CREATE DOMAIN code AS varchar(9)`);
    const { client } = await path.under({ output: maskWord('4711') });
    const text = `SELECT ${value} AS v`;
    for (const ask of [() => client.ask(wire.query(text)), () => client.ask(...extended(text))]) {
      const [answer] = (await ask()).filter((line) => /^[DE]/.test(line));
      expect(answer).toEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected));
    }
    expect(await client.ask(wire.query(`SELECT (${value})::text`))).toContainEqual(
      expect.stringMatching(/^D .*\*{4}/),
    );
  });

  // promises: PROXY-8
  it.each([
    ['a floating-point number', '4111111111111111::float8'],
    ['grouped digits', `to_char(4111111111111111, '9,999,999,999,999,999')`],
    ['digits in groups of four', `'4111_1111/x 4111/1111/1111/1111'`],
    ['binary data', `'4111111111111111'::bytea`],
    ['binary data in a text', `'at ' || '4111111111111111'::bytea`],
  ])('finds a card in %s', async (_, value) => {
    const card = { type: 'detector', detectors: ['payment_card'], message: 'A card.' };
    const { client } = await path.under({ output: entries(card) });
    expect(await client.ask(wire.query(`SELECT ${value}`))).toContain('E 42501 A card.');
  });

  it('has its names masked too: they may be made of data', async () => {
    const { client } = await path.under(mask);
    const text = 'SELECT 1 AS "a canary", 2 AS b';
    expect(await client.ask(wire.query(text))).toContain('T a ****|b');
    const all = await client.ask(wire.parse(text), wire.describeStatement(), ...extended(text));
    expect(all.filter((line) => line.startsWith('T'))).toEqual(['T a ****|b', 'T a ****|b']);
    const { client: blocked } = await path.under(block);
    expect(await blocked.ask(wire.query(text))).toEqual([REFUSED, 'Z I']);
    expect((await blocked.ask(...extended(text))).join()).not.toContain('canary');
  });

  it(
    'is stopped at the target when it is refused and does not end',
    async () => {
      const { client } = await path.under(block);
      // In FROM, the server would compute all numbers before the first row. In the select list it does not.
      const text = "SELECT 'canary', repeat('x', 1000), pg_sleep(0.0001), generate_series(1, 100000000)";
      expect(await client.ask(wire.query(text))).toEqual([REFUSED, 'Z I']);
      expect(await client.ask(wire.query('SELECT 1'))).toContain('D 1');
      await client.ask(wire.query('BEGIN'));
      expect(await client.ask(wire.query(text))).toEqual([REFUSED, 'Z E']);
    },
    PATIENT_MS,
  );

  it('is reported in its session when it was blocked', async () => {
    const { client, session, ruleId } = await path.under(block);
    await client.ask(wire.query("SELECT 'canary'"));
    client.send(wire.TERMINATE);
    await client.until('never');
    const { body } = await path.read(await session(), '', 'auditor');
    expect(body.metrics.guardrails).toEqual({ checked: 1, blocked: 1 });
    expect(body.guardrails_info).toMatchObject([
      { rule_id: ruleId, direction: 'output', message: 'Not for you.', matches: [{ text: 'canary' }] },
    ]);
  });
});
