import { describeDataPath } from '../support/describe';
import { runningOn } from '../support/data-path';
import { createRule, denyPattern, denyWords } from '../support/guardrails';

/**
 * Tests what guardrails do to a running script: for the person who is refused, the auditor and the target.
 */
describeDataPath('guardrails at work', ({ path }) => {
  let count = 0;

  /** Creates a connection under one rule. Returns a function that runs scripts on it, and both ids. */
  const under = async (rules: object) => {
    const connection = `guarded-${++count}`;
    const connectionId = await path.connect(connection);
    const ruleId = await createRule(path.gateway, {
      name: `rule-${count}`,
      connection_ids: [connectionId],
      ...rules,
    });
    const run = async (script: string, person: 'admin' | 'alice' = 'admin') =>
      (await path.run(script, { connection }, person)).body;
    return { run, ruleId };
  };

  const blocked = { output_status: 'blocked', exit_code: 254, truncated: false, has_review: false };
  const DEFAULT = 'This is not allowed by the guardrails of this connection.';

  // promises: GUARDRAIL-3
  it('hold by id, by attribute, by both, and nowhere else', async () => {
    const byId = await path.connect('by-id');
    await path.connect('by-attribute', { attributes: ['pii', 'eu'] });
    await path.connect('by-both', { attributes: ['pii'] });
    const [row] = await path.gateway.database.query<{ id: string }>(
      `SELECT id FROM connections WHERE name = 'by-both'`,
    );
    const rule = await createRule(path.gateway, {
      name: 'bound',
      attributes: ['pii', 'secret'],
      connection_ids: [byId, row!.id],
      input: denyWords(['forbidden']),
    });
    await path.connect('from-the-other-side', { guardrail_rules: [rule] });
    const status = async (connection: string) =>
      (await path.run("SELECT 'forbidden'", { connection })).body.output_status;
    for (const name of ['by-id', 'by-attribute', 'by-both', 'from-the-other-side']) {
      expect([name, await status(name)]).toEqual([name, 'blocked']);
    }
    expect(await status('orders')).toBe('success');
  });

  // promises: ENTRY-2, ENTRY-4
  it('find words in any case, wherever they stand, with every character meant as written', async () => {
    const { run } = await under({ input: denyWords(['DROP TABLE', 'a.b', 'ÄRGER'], 'No.') });
    expect(await run('dRoP tAbLe customers')).toMatchObject({ ...blocked, output: 'No.' });
    expect(await run('SELECT 1 -- xa.by')).toMatchObject(blocked);
    expect(await run("SELECT 'ärger'")).toMatchObject(blocked);
    expect(await run("SELECT 'axb' AS x")).toMatchObject({ output_status: 'success' });
  });

  // promises: ENTRY-3, GUARDRAIL-16
  it('find patterns of RE2, and an evil one costs nothing', async () => {
    const { run } = await under({ input: denyPattern('(?i)\\bdelete\\s+from\\b') });
    expect(await run('DELETE \t\n FROM customers')).toMatchObject({ ...blocked, output: DEFAULT });
    const evil = await under({ input: denyPattern('(a+)+$') });
    const answer = await evil.run(`SELECT '${'a'.repeat(50_000)}!'::text IS NULL`);
    expect(answer).toMatchObject({ output_status: 'success' });
    // With the regular expressions of JavaScript, this search would practically never end.
    expect(answer.execution_time).toBeLessThan(10_000);
  });

  // promises: GUARDRAIL-11
  it('run nothing of a text of which one statement is refused', async () => {
    const { run } = await under({ input: denyWords(['drop']) });
    expect(await run("INSERT INTO customers VALUES (50, 'Eve', NULL); DROP TABLE customers")).toMatchObject(
      blocked,
    );
    expect(await path.target.query('SELECT 1 FROM customers WHERE id = 50')).toEqual([]);
  });

  // promises: SERVICE-2, GUARDRAIL-12
  it('block output: nothing of the hit is delivered or recorded, and the script is stopped', async () => {
    const { run } = await under({ output: denyPattern('\\d{4}-\\d{4}-\\d{4}', 'No card numbers.') });
    const answer = await run(
      "SELECT 'early'; SELECT '4000-1234-5678' AS card; SELECT repeat('x', 20000); SELECT pg_sleep(100)",
    );
    expect(answer).toMatchObject({ ...blocked, output: 'No card numbers.' });
    expect(answer.execution_time).toBeLessThan(60_000);
    expect(await runningOn(path.target)).toEqual([]);
    const recording = (await path.recording(answer.session_id)).slice(1);
    expect(recording.at(-1)).toEqual(['e', 'No card numbers.\n']);
    expect(JSON.stringify(recording)).not.toMatch(/4000|1234|5678/);
    expect((await path.read(answer.session_id)).body).toMatchObject({
      status: 'done',
      guardrails_info: [{ direction: 'output', matched_words: ['4000-1234-5678'] }],
      metrics: { guardrails: { checked: 1, blocked: 1 } },
    });
  });

  // promises: GUARDRAIL-12
  it.each([
    ['across the rows of a result', "SELECT v AS x FROM (VALUES ('one'), ('two')) t (v)", 'one\ntwo'],
    ['across two results', "SELECT 'one' AS x; SELECT 1 AS two", 'one\ntwo'],
    [
      'across the pieces in which output is screened',
      "SELECT repeat('x', 16380) || 'canary-o' UNION ALL SELECT 'ne' || repeat('-', 20000)",
      'canary-o\\nne',
    ],
    ['in the text of an error', "SELECT 'canary'::int", 'invalid input syntax for type integer: "canary"'],
    ['in the detail of an error', "INSERT INTO customers VALUES (1, 'x', 'y')", 'Key \\(id\\)=\\(1\\)'],
    ['in a notice', "DO $$ BEGIN RAISE NOTICE 'one canary'; END $$", 'one canary'],
    ['in what COPY brings', "COPY (SELECT 'canary') TO STDOUT", 'canary'],
    ['in the name of a column', 'SELECT 1 AS canary', 'canary'],
  ])('find a hit %s', async (_, script, pattern) => {
    const { run } = await under({ output: denyPattern(pattern) });
    const answer = await run(script);
    expect(answer).toMatchObject({ ...blocked, output: DEFAULT });
    const recording = (await path.recording(answer.session_id)).slice(1);
    expect(JSON.stringify(recording)).not.toMatch(/canary|one|two|Key/);
  });

  it('pass everything that they do not forbid, unchanged', async () => {
    const { run } = await under({ output: denyWords(['nowhere to be found']) });
    const answer = await run("SELECT repeat('🂡ü', 1000) AS x FROM generate_series(1, 20)");
    expect(answer).toMatchObject({ output: `x\n${`${'🂡ü'.repeat(1000)}\n`.repeat(20)}`, exit_code: 0 });
    expect((await path.read(answer.session_id, '?event_stream=utf8')).body.event_stream).toEqual([
      answer.output,
    ]);
  });

  // promises: GUARDRAIL-10
  it('reach the next command when they are changed by hand', async () => {
    const { run, ruleId } = await under({ input: denyWords(['alpha']) });
    const change = (input: object) =>
      path.gateway.database.query('UPDATE guardrail_rules SET input = $2 WHERE id = $1', [ruleId, input]);
    expect(await run("SELECT 'beta'")).toMatchObject({ output_status: 'success' });
    await change(denyWords(['beta']));
    expect(await run("SELECT 'beta'")).toMatchObject(blocked);
    expect(await run("SELECT 'alpha'")).toMatchObject({ output_status: 'success' });
    await path.gateway.database.query('DELETE FROM guardrail_rules WHERE id = $1', [ruleId]);
    expect(await run("SELECT 'beta'")).toMatchObject({ output_status: 'success' });
  });

  // promises: ENTRY-4, GUARDRAIL-17
  it('show the message to the refused person, and the rule to auditors', async () => {
    const { run } = await under({ input: denyWords(['canary-word'], 'Ask the owner.') });
    const answer = await run("SELECT 'CANARY-word'", 'alice');
    expect(answer).toMatchObject({ ...blocked, output: 'Ask the owner.' });
    const own = (await path.read(answer.session_id, '?expand=event_stream', 'alice')).body;
    expect(own.guardrails_info).toEqual([{ direction: 'input', message: 'Ask the owner.' }]);
    expect((await path.read(answer.session_id, '', 'auditor')).body.guardrails_info).toEqual([
      {
        rule_id: expect.any(String),
        rule_name: `rule-${count}`,
        direction: 'input',
        entry: 0,
        rule: {
          type: 'deny_words_list',
          words: ['canary-word'],
          pattern_regex: '',
          message: 'Ask the owner.',
        },
        matched_words: ['CANARY-word'],
        matches: [{ start: 8, end: 19, text: 'CANARY-word' }],
        message: 'Ask the owner.',
      },
    ]);
  });
});
