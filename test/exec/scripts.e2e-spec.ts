import { describeDataPath } from '../support/describe';
import { eventually } from '../support/eventually';
import { entries } from '../support/guarded-path';
import { createRule } from '../support/guardrails';

/** Results for a person who runs scripts: the answer, and the recording that stays. */
describeDataPath('running scripts', ({ path }) => {
  const outputOf = async (script: string): Promise<string> => {
    const answer = await path.run(script);
    expect(answer.body).toMatchObject({ output_status: 'success', exit_code: 0, truncated: false });
    return answer.body.output as string;
  };

  // promises: RUN-2
  it.each([
    ['a header for each result', 'SELECT 1 AS a; SELECT 2 AS b, 3 AS c', 'a\n1\nb\tc\n2\t3\n'],
    ['a header for a result without rows', 'SELECT 1 AS a WHERE false', 'a\n'],
    [
      'the command tag where there are no rows',
      'CREATE TEMP TABLE t (x int); INSERT INTO t VALUES (1), (2)',
      'CREATE TABLE\nINSERT 0 2\n',
    ],
    [
      'RETURNING as a result',
      'CREATE TEMP TABLE t (x int); INSERT INTO t VALUES (7) RETURNING x',
      'CREATE TABLE\nx\n7\n',
    ],
    ['NULL apart from the empty text', "SELECT NULL AS a, '' AS b, '\\N' AS c", 'a\tb\tc\n\\N\t\t\\\\N\n'],
    [
      'tabs, line breaks and backslashes inside cells',
      String.raw`SELECT E'a\tb\nc\rd\\e' AS "x	y"`,
      'x\\ty\na\\tb\\nc\\rd\\\\e\n',
    ],
    ['nothing for empty parts', ';; ; SELECT 1 AS a;;', 'a\n1\n'],
    ['nothing for nothing but a comment', '-- nothing', ''],
    ['rows without columns', 'SELECT', '\n\n'],
    [
      'every script of the world',
      'SELECT \'ß 漢字 🂡 e\u0301 \u202E\' AS "größe"',
      'größe\nß 漢字 🂡 e\u0301 \u202E\n',
    ],
    ['COPY as it comes', "COPY (SELECT 1, NULL, 'a\tb') TO STDOUT; SELECT 2 AS b", '1\t\\N\ta\\tb\nb\n2\n'],
  ])('shows %s', async (_, script, output) => {
    expect(await outputOf(script)).toBe(output);
  });

  // promises: RUN-1, RUN-16
  it.each([
    [
      'a result for each statement',
      'SELECT 1 AS a; SELECT 2 AS b, 3 AS c; SELECT 4 AS d WHERE false',
      [
        ['rows', 'a\n1\n'],
        ['rows', 'b\tc\n2\t3\n'],
        ['rows', 'd\n'],
      ],
    ],
    [
      'commands, COPY and notices apart from rows',
      `CREATE TEMP TABLE t (x int); INSERT INTO t VALUES (7) RETURNING x; COPY t TO STDOUT; DO $$ BEGIN RAISE WARNING 'careful'; END $$; TABLE t`,
      [
        ['command', 'CREATE TABLE\n'],
        ['rows', 'x\n7\n'],
        ['text', '7\n'],
        ['message', 'WARNING: careful\n'],
        ['command', 'DO\n'],
        ['rows', 'x\n7\n'],
      ],
    ],
    ['no result for nothing', '-- nothing', []],
  ])('shows %s', async (_, script, results) => {
    const { body } = await path.run(script);
    expect(body.results).toEqual(results.map(([kind, output]) => ({ kind, output, truncated: false })));
  });

  // promises: RUN-16
  it('shows that a result is not whole: its statement failed, or the answer is cut', async () => {
    const failed = await path.run('SELECT 1 AS a; SELECT 1 / (2 - n) AS b FROM generate_series(1, 3) n');
    expect(failed.body.results).toEqual([
      { kind: 'rows', output: 'a\n1\n', truncated: false },
      { kind: 'rows', output: 'b\n1\n', truncated: true },
      { kind: 'message', output: 'ERROR: division by zero (SQLSTATE 22012)\n', truncated: false },
    ]);
    const long = await path.run(
      "SELECT 1 AS a; SELECT repeat('x', 1000) AS b FROM generate_series(1, 2000); SELECT 2 AS c",
    );
    const results = long.body.results as { output: string; truncated: boolean }[];
    expect(results.map(({ truncated }) => truncated)).toEqual([false, true]);
    expect(results.map(({ output }) => output).join('')).toBe(long.body.output);
    expect(long.body.output.length).toBe(1024 * 1024);
    const many = await path.run('DO $$ BEGIN END $$;'.repeat(1_200));
    expect(many.body.results.length).toBe(1_001);
    expect(many.body.results.at(-1)).toEqual({ kind: 'text', output: 'DO\n'.repeat(200), truncated: false });
  });

  // promises: RUN-16
  it('shows whole results where rules hold output back and mask it', async () => {
    const masked = await path.connect('masked');
    const output = {
      rules: [{ type: 'pattern_match', pattern_regex: 'secret(\\n[^\\n]*\\njoined)?', action: 'mask' }],
    };
    await createRule(path.gateway, { name: 'hidden', connection_ids: [masked], output });
    const run = async (script: string) => (await path.run(script, { connection: 'masked' })).body;
    const long = await run(
      "SELECT 'secret' AS a FROM generate_series(1, 5000); DO $$ BEGIN RAISE WARNING 'careful'; END $$; SELECT 'my secret' AS b",
    );
    const mask = /^a\n(.*)\n/.exec(long.results[0].output)?.[1] as string;
    expect(mask).not.toContain('secret');
    expect(long.results).toHaveLength(4);
    expect(long.results).toEqual(
      expect.arrayContaining([
        { kind: 'rows', output: `a\n${`${mask}\n`.repeat(5_000)}`, truncated: false },
        { kind: 'message', output: 'WARNING: careful\n', truncated: false },
        { kind: 'command', output: 'DO\n', truncated: false },
        { kind: 'rows', output: `b\nmy ${mask}\n`, truncated: false },
      ]),
    );
    const joined = await run("SELECT 'secret' AS a; SELECT 'joined' AS b; SELECT 'apart' AS c");
    expect(joined.results).toEqual([
      { kind: 'text', output: `a\n${mask}\n`, truncated: false },
      { kind: 'rows', output: 'c\napart\n', truncated: false },
    ]);
  });

  // promises: RUN-3
  it('stops at an error, shows its SQLSTATE, and runs no further statement', async () => {
    const answer = await path.run(
      'SELECT 1 AS a; SELECT 1/0; INSERT INTO customers VALUES (99, $$x$$, NULL)',
    );
    const error = 'ERROR: division by zero (SQLSTATE 22012)\n';
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      output: `a\n1\n${error}`,
      output_status: 'failed',
      exit_code: 1,
    });
    expect(await path.target.query('SELECT 1 FROM customers WHERE id = 99')).toEqual([]);
    expect((await path.recording(answer.body.session_id)).slice(1)).toEqual([
      ['o', 'a\n1\n'],
      ['e', error],
    ]);
  });

  it('shows detail, hint and position of an error, as psql does', async () => {
    expect((await path.run('SELECT nam FROM customers')).body.output).toBe(
      'ERROR: column "nam" does not exist (SQLSTATE 42703)\n' +
        'HINT: Perhaps you meant to reference the column "customers.name".\nPOSITION: 8\n',
    );
    expect((await path.run("INSERT INTO customers VALUES (1, 'Again', NULL)")).body.output).toContain(
      'DETAIL: Key (id)=(1) already exists.\n',
    );
  });

  it('writes notices to error output, and continues', async () => {
    const answer = await path.run(
      "SELECT 1 AS a; DO $$ BEGIN RAISE WARNING 'careful'; END $$; SELECT 2 AS b",
    );
    expect(answer.body).toMatchObject({ output_status: 'success', exit_code: 0 });
    expect((await path.recording(answer.body.session_id)).slice(1)).toEqual([
      ['o', 'a\n1\n'],
      ['e', 'WARNING: careful\n'],
      ['o', 'DO\nb\n2\n'],
    ]);
  });

  it('refuses COPY FROM STDIN, because a script has no input', async () => {
    const answer = await path.run('COPY customers FROM STDIN');
    expect(answer.body).toMatchObject({ output_status: 'failed', exit_code: 1 });
    expect(answer.body.output).toContain('a script has no input to copy from (SQLSTATE 57014)');
  });

  // promises: RUN-15
  it.each([
    ['\\restrict key\n\nSET statement_timeout = 0;\n', '\\restrict in line 1 is a command of psql'],
    ["SELECT 1;\n\\copy customers FROM 'c.csv'\n", '\\copy in line 2 is a command of psql'],
    ['COPY customers (id) FROM stdin;\n7\n\\.\nSELECT 2;\n', 'COPY … FROM stdin in line 1 takes its data'],
    ['COPY customers FROM stdin', 'COPY … FROM stdin in line 1 takes its data'],
    ['\uFEFFselect 1 as one;\r\n', 'Line 1 begins with a byte order mark'],
  ])('says what to do with %j, which only psql reads', async (script, hint) => {
    const answer = await path.run(script);
    expect(answer.body).toMatchObject({ output_status: 'failed', exit_code: 1 });
    expect(answer.body.output).toContain(`HINT: ${hint}`);
    expect((await path.recording(answer.body.session_id)).at(-1)).toEqual(['e', answer.body.output]);
    expect(await path.target.query('SELECT 1 FROM customers WHERE id = 7')).toEqual([]);
  });

  // promises: RUN-15
  it('says so behind the message of a rule on statements', async () => {
    const more = await path.connect('guarded');
    const rules = entries({ type: 'sql_statement', kinds: ['drop'], message: 'Not here.' });
    await createRule(path.gateway, { name: 'no drops', connection_ids: [more], input: rules });
    const run = (script: string) => path.run(script, { connection: 'guarded' });
    const refused = await run('\\restrict key\nSELECT 1;');
    expect(refused.body).toMatchObject({ output_status: 'blocked', exit_code: 254 });
    expect(refused.body.output).toMatch(/^Not here\.\n\\restrict in line 1 is a command of psql/);
    expect((await run('DROP TABLE customers')).body.output).toBe('Not here.');
  });

  it('runs lines that end with CRLF', async () => {
    expect(await outputOf("SELECT 1 AS a;\r\nSELECT 'x\r\ny' AS b;\r\n")).toBe('a\n1\nb\nx\\r\\ny\n');
  });

  // promises: RUN-11
  it('starts each script in a session of its own on the target', async () => {
    await path.run("SET search_path TO nowhere; SET application_name TO 'somebody else'");
    expect(await outputOf('SHOW search_path')).toBe('search_path\n"$user", public\n');
    expect(await outputOf('SHOW application_name')).toBe('application_name\naccess-gateway\n');
  });

  // promises: RUN-11, RUN-14
  it('opens a connection to the target for each script, and leaves none behind', async () => {
    const pids = await Promise.all(
      Array.from({ length: 8 }, async () => (await outputOf('SELECT pg_backend_pid()')).split('\n')[1]),
    );
    expect(new Set(pids).size).toBe(8);
    await eventually('no connection of the gateway is left', async () => {
      const [row] = await path.target.query<{ open: number }>(
        `SELECT count(*)::int AS open FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'access-gateway'`,
      );
      return row?.open === 0;
    });
  });

  // promises: RUN-6, READ-19
  it('cuts a long answer within a character, and records all of it in flat memory', async () => {
    const megabyte = 1024 * 1024;
    const script = `SELECT repeat('ü', 10 * 1024) AS line FROM generate_series(1, 1024)`;
    const before = process.memoryUsage.rss();
    const answer = await path.run(script);
    expect(answer.body).toMatchObject({ output_status: 'success', truncated: true });
    const cut = Buffer.from(answer.body.output as string);
    expect(cut.length).toBeGreaterThan(megabyte - 4);
    expect(cut.length).toBeLessThanOrEqual(megabyte);
    expect(answer.body.output).not.toContain('\uFFFD');
    const size = 'line\n'.length + 1024 * (20 * 1024 + 1);
    expect((await path.read(answer.body.session_id)).body.event_size).toBe(size + Buffer.byteLength(script));
    const file = await path.read(answer.body.session_id, '?extension=txt');
    expect(file.text).toBe(`line\n${`${'ü'.repeat(10 * 1024)}\n`.repeat(1024)}`);
    // The limit leaves room for the whole result as text, the copies of this test, and garbage. It leaves no
    // room for a copy of the result in each layer.
    expect(process.memoryUsage.rss() - before).toBeLessThan(400 * megabyte);
  });
});
