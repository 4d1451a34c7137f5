import { describeDataPath } from '../support/describe';
import { createRule } from '../support/guardrails';

/** Tests masked output in the answer, in the recording and in the database. */
describeDataPath('masking', ({ path }) => {
  let count = 0;

  const entry = (more: object) => ({ words: [], pattern_regex: '', action: 'mask', ...more });

  const under = async (...rules: object[]) => {
    const connection = `masked-${++count}`;
    const connectionId = await path.connect(connection);
    const ruleId = await createRule(path.gateway, {
      name: `mask-${count}`,
      connection_ids: [connectionId],
      output: { rules },
    });
    const run = async (script: string) => (await path.run(script, { connection })).body;
    return { run, ruleId };
  };

  /** Returns the stored chunks of a recording, decoded, as JSON. */
  const recorded = async (id: string) => JSON.stringify((await path.recording(id)).slice(1));

  // promises: GUARDRAIL-13
  it('replaces matches before delivery and recording, and counts them', async () => {
    const { run, ruleId } = await under(
      entry({ type: 'detector', detectors: ['email', 'payment_card'], keep_last: 4 }),
      entry({ type: 'pattern_match', pattern_regex: 'id-\\d+' }),
    );
    const answer = await run(
      "SELECT 'grace@example.com' AS mail, '4111-1111-1111-1111' AS card, 'id-77' AS id, 'plain' AS rest",
    );
    expect(answer).toMatchObject({
      output_status: 'success',
      output: 'mail\tcard\tid\trest\n****.com\t****1111\t****\tplain\n',
    });
    expect(await recorded(answer.session_id)).toMatch(/\*{4}\.com/);
    expect(await recorded(answer.session_id)).not.toMatch(/grace|4111|id-77/);
    const session = (await path.read(answer.session_id)).body;
    expect(session.metrics.data_masking).toEqual({
      total_redact_count: 3,
      transformed_bytes: 'grace@example.com4111-1111-1111-1111id-77'.length,
      info_types: { email: 1, payment_card: 1, pattern_match: 1 },
    });
    expect(session.metrics.guardrails).toEqual({ checked: 1, blocked: 0 });
    expect(session.guardrails_info).toEqual([]);
    const stats = await path.gateway.call('auditor', 'GET', `/guardrails/${ruleId}/stats`);
    expect(stats.body).toEqual({
      id: ruleId,
      checked: 1,
      hit: 3,
      last_hit: expect.stringMatching(/^20/),
    });
  });

  it('masks rows, notices, errors and COPY data', async () => {
    const { run } = await under(entry({ type: 'deny_words_list', words: ['canary'] }));
    for (const script of [
      "SELECT repeat('x', 9000) || 'canary' || repeat('y', 9000)",
      "DO $$ BEGIN RAISE NOTICE 'a canary'; END $$",
      "SELECT 'canary'::int",
      "COPY (SELECT 'canary') TO STDOUT",
      'SELECT 1 AS "canary"',
    ]) {
      const answer = await run(script);
      expect(answer.output).toContain('****');
      expect(answer.output).not.toContain('canary');
      expect(await recorded(answer.session_id)).not.toContain('canary');
    }
  });

  it('masks every row of a long result, wherever its pieces end', async () => {
    const { run } = await under(entry({ type: 'detector', detectors: ['email'] }));
    const answer = await run(
      "SELECT n, 'user' || n || '@example.com' AS mail, repeat('-', n % 97) AS fill FROM generate_series(1, 5000) AS n",
    );
    const rows = (answer.output as string).trimEnd().split('\n').slice(1);
    expect(rows).toEqual(
      Array.from({ length: 5000 }, (_, i) => `${i + 1}\t****\t${'-'.repeat((i + 1) % 97)}`),
    );
    expect((await path.read(answer.session_id)).body.metrics.data_masking).toMatchObject({
      total_redact_count: 5000,
      info_types: { email: 5000 },
    });
  });

  it('leaves an output alone in which nothing is found', async () => {
    const { run } = await under(entry({ type: 'detector', detectors: ['iban', 'jwt'] }));
    const answer = await run('SELECT 1 AS x');
    expect(answer.output).toBe('x\n1\n');
    expect((await path.read(answer.session_id)).body.metrics.data_masking).toEqual({
      total_redact_count: 0,
      transformed_bytes: 0,
      info_types: {},
    });
  });

  // promises: GUARDRAIL-13
  it('gives way to an entry that blocks', async () => {
    const { run } = await under(
      entry({ type: 'deny_words_list', words: ['canary'] }),
      entry({ type: 'detector', detectors: ['us_ssn'], action: 'block', message: 'No numbers.' }),
    );
    const answer = await run("SELECT 'canary', '078-05-1120'");
    expect(answer).toMatchObject({ output_status: 'blocked', output: 'No numbers.' });
    expect(await recorded(answer.session_id)).not.toMatch(/canary|1120/);
    expect((await path.read(answer.session_id, '', 'auditor')).body.guardrails_info).toMatchObject([
      {
        rule_name: `mask-${count}`,
        direction: 'output',
        entry: 1,
        rule: { type: 'detector', detectors: ['us_ssn'] },
        matches: [{ text: '078-05-1120' }],
      },
    ]);
  });

  it('shows in a dry run', async () => {
    const rule = { name: 'draft', output: { rules: [entry({ type: 'detector', detectors: ['email'] })] } };
    const dryRun = async (text: string) =>
      (await path.gateway.call('auditor', 'POST', '/guardrails/dry-run', { rule, direction: 'output', text }))
        .body;
    expect(await dryRun('to a@example.com')).toEqual({
      verdict: 'mask',
      hits: [
        {
          message: 'This is not allowed by the guardrails of this connection.',
          rule_name: 'draft',
          entry: 0,
          start: 3,
          end: 16,
          matched: 'a@example.com',
          action: 'mask',
        },
      ],
    });
    expect(await dryRun('to nobody')).toEqual({ verdict: 'pass', hits: [] });
  });
});
